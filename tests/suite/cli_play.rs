//! `morello play`, `referee`, `completions` and `man`.

use std::fs;

use morello::seeds::course;

use crate::{morello, run, run_with};

#[test]
fn a_seeded_game_between_random_players_is_reproducible() {
    for game in ["othello", "morabaraba", "three-mens-morris"] {
        let play = || run(&format!("play {game} --white random --black random --seed 5"), "");
        let (code, output, errors) = play();
        assert_eq!((code, errors.as_str()), (0, ""));
        assert!(
            output.contains("\nBlack wins!\n")
                || output.contains("\nWhite wins!\n")
                || output.contains("It is a draw!\n")
        );
        assert!(!output.contains('\x1b') && output.is_ascii());
        assert_eq!(play().1, output, "the seed determines the game");
    }
}

#[test]
fn a_saved_game_against_an_engine_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.ggf").display().to_string();
    let (code, output, errors) = run(&format!("play othello --save {file}"), "f5\neval\nquit\n");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(output.contains("White (level=beginner): ") && output.contains("Best line: "), "{output}");
    assert!(output.starts_with("The engine plays at the easy level beginner; use --level "), "{output}");
    let (_, output, _) = run("play othello --level beginner", "quit\n");
    assert!(output.starts_with("Othello: you are Black"), "{output}");
    assert!(fs::read_to_string(&file).unwrap().starts_with("(;GM[Othello]"));
    let (code, output, _) = run(&format!("play othello --load {file} --save {file} --black random --white random"), "");
    assert_eq!(code, 0);
    assert!(output.contains(&format!("Loaded `{file}`: 2 moves\n")), "{output}");
    // A new game does not overwrite it.
    let (code, _, errors) = run(&format!("play othello --save {file}"), "");
    assert!(code == 2 && errors.contains("--save: `") && errors.contains("` exists; use another file"), "{errors}");
}

#[test]
fn the_examples_of_the_help_work() {
    let (code, output, errors) = run("play othello --black human", "f5\neval\nhint 3\nundo\nquit\n");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(
        output.contains("\n3. ") && !output.contains("Invalid") && !output.contains("No move of yours"),
        "{output}"
    );
    let position = "---------------------------OX------XO--------------------------- X";
    let (code, output, _) = run_with(&["play", "othello", "--position", position], b"quit\n");
    assert!(code == 0 && output.contains("Black 2, White 2 discs"), "{output}");
}

#[cfg(target_os = "linux")]
#[test]
fn reports_a_failed_save_at_the_end() {
    let (code, output, _) = run("play othello --black human --save /dev/full", "f5\nquit\n");
    assert!(code == 1 && output.contains("Not saved: cannot write `/dev/full`"), "{code} {output}");
}

#[test]
fn an_external_engine_plays() {
    let program = morello().get_program().to_str().unwrap().to_owned();
    let player =
        format!("external:cmd=\"{program} engine --protocol nboard --depth 2 --hash 1\",protocol=nboard,name=other");
    let (code, output, errors) =
        run_with(&["play", "othello", "--white", &player, "--black", "human"], b"f5\nundo\nf5\nquit\n");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(output.matches("White (other): ").count(), 2, "{output}");
    let (code, _, errors) = run_with(&["play", "othello", "--white", "cmd=\"./no-such-program\",protocol=nboard"], b"");
    assert!(code == 2 && errors.contains("cannot play: cannot start `./no-such-program`"), "{errors}");
}

#[test]
fn a_database_player_plays() {
    let position = ["--position", "0,0 a7,d7,g4 a1,b2,c3 W"];
    let game = ["play", "nine-mens-morris", "--white", "database", "--black", "human"];
    let (code, output, errors) = run_with(&[&game[..], &position].concat(), b"");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(output.contains("White (database): g4-g7x") && output.contains("\nWhite wins!\n"), "{output}");
}

#[test]
fn rejects_invalid_arguments() {
    for (arguments, message) in [
        (
            &["play", "othello", "--white", "robot"][..],
            "write level=5, random, or cmd=\"./robot\",protocol=nboard for another program; a human is `human`",
        ),
        (&["play", "othello", "--white", "database"], "no endgame database for othello"),
        (&["play", "othello", "--position", "nonsense"], "--position"),
        (&["play", "othello", "--load", "/no/such/file"], "cannot read `/no/such/file`"),
        (&["play", "othello", "--save", "/no/such/folder/file"], "cannot write `/no/such/folder/file`"),
        (&["play", "othello", "--save", "-"], "--save: standard output shows the board"),
        (
            &["play", "othello", "--save", "games.WTB"],
            "cannot write this game as wthor: it is a binary format; save the game",
        ),
        (&["play", "nine-mens-morris", "--style", "course"], "--style course supports only othello"),
        (&["play", "othello-4x4", "--style", "course"], "--style course supports only othello"),
        (&["play", "othello", "--style", "course", "--seed", "2"], "remove --seed"),
        (&["play", "othello", "--style", "course", "--database", "d"], "accepts no other option"),
        (&["play", "othello", "--style", "course", "--repetition", "3"], "remove --repetition"),
        (&["play", "othello", "--style", "course", "--white", "human"], "remove --white"),
        (&["play", "chess"], "possible values"),
        (&["referee", "othello", "/no/such/file"], "cannot read `/no/such/file`"),
        (&["referee", "othello", "--position", "nonsense"], "--position, column "),
    ] {
        let (code, output, errors) = run_with(arguments, b"");
        assert_eq!((code, output.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    }
}

#[test]
fn board_style_has_all_options() {
    let arguments = ["--style", "board", "--white", "human", "--black", "random", "--seed", "2", "--repetition", "3"];
    let (code, output, errors) = run_with(&[&["play", "othello"][..], &arguments].concat(), b"quit\n");
    assert_eq!((code, errors.as_str()), (0, ""), "{output}");
}

#[test]
fn course_style_prints_the_course_program() {
    // The example of the course. The tests of the module compare its output with the original.
    let typed = "(3, 4)\n(3, 2)\n(2, 2)\n(-1, -1)\n(-1, -1)\n";
    let (code, output, errors) = run("play othello --style course", typed);
    assert_eq!((code, errors.as_str()), (0, ""));
    let mut expected = Vec::new();
    course::play(typed.as_bytes(), &mut expected).unwrap();
    assert_eq!(output.as_bytes(), expected);
    assert!(output.ends_with("White's turn. Please choose a move:\nGame over. We have a tie!\n"), "{output}");
}

#[test]
fn color_option_controls_escape_sequences() {
    let colored = |when: &str| run(&format!("play othello --color {when}"), "quit\n").1.contains('\x1b');
    assert!(colored("always") && !colored("auto") && !colored("never"));
}

#[test]
fn survives_arbitrary_input_bytes() {
    let noise: Vec<u8> = (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for arguments in [&["play", "nine-mens-morris", "--black", "random"][..], &["play", "othello", "--style", "course"]]
    {
        let (code, output, errors) = run_with(arguments, &noise);
        assert_eq!((code, errors.as_str()), (0, ""), "{arguments:?}");
        assert!(!output.contains('\x1b'));
    }
    let (code, output, errors) = run_with(&["referee", "morabaraba"], &noise);
    assert_eq!((code, errors.as_str()), (1, ""));
    assert!(output.contains("1. ") && output.contains("  illegal: "));
}

#[test]
fn the_referee_exit_code_reports_illegal_moves() {
    let referee =
        |more: &[&str], input: &str| run_with(&[&["referee", "nine-mens-morris"], more].concat(), input.as_bytes());
    assert_eq!(referee(&[], "d2 f4\n").0, 0);
    assert_eq!(referee(&[], "").0, 0);
    let (code, output, _) = referee(&["--moves", "d2 d2 f4"], "");
    assert!(
        code == 1 && output.contains("2. d2  illegal: a man stands on d2\n2. f4  8,8 d2 f4 W  White to move\n"),
        "{output}"
    );
    let (code, output, _) = referee(&["--moves", "d2 d2 f4", "--strict"], "");
    assert!(code == 1 && output.ends_with("illegal: a man stands on d2\n"), "{output}");
    let shuffle = "a1-a4 a7-d7 a4-a1 d7-a7 a1-a4 a7-d7 a4-a1 d7-a7";
    let position = "0,0 a1,g1,b2 a7,d6,f4 W";
    let (code, output, _) = referee(&["--position", position, "--moves", shuffle], "");
    assert!(code == 0 && !output.contains("Game over"), "{output}");
    let (code, output, _) = referee(&["--position", position, "--moves", shuffle, "--repetition", "3"], "");
    assert!(code == 0 && output.contains("Game over. A draw: this position occurred for the third time ("), "{output}");
    let (_, output, _) =
        referee(&["--position", position, "--moves", shuffle, "--ply-cap", "4", "--format", "jsonl"], "");
    assert!(
        output.contains("\"end_reason\":\"ply_cap\"") && output.contains("\"reason\":\"the game is over\""),
        "{output}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt").display().to_string();
    fs::write(&file, "1. d2 f4\n2. d6 b4 *\n").unwrap();
    let (code, output, _) = referee(&[&file], "");
    assert!(code == 0 && output.ends_with("4. b4  7,7 d2,d6 b4,f4 W  White to move\n"), "{output}");
}

#[test]
fn completions_and_man_pages_list_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script, _) = run(&format!("completions {shell}"), "");
        assert!(code == 0 && script.contains("referee") && script.contains("repetition"), "{shell}");
    }
    let (code, page, _) = run("man", "");
    assert!(code == 0 && page.contains(".TH morello 1") && page.contains("morello\\-referee(1)"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&format!("man --output {}", folder.path().join("man1").display()), "").0, 0);
    let pages = fs::read_dir(folder.path().join("man1")).unwrap();
    let mut names: Vec<_> = pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in ["morello.1", "morello-play.1", "morello-database-build.1", "morello-man.1"] {
        assert!(names.iter().any(|page| page == name), "{names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("help")), "{names:?}");
    let play = fs::read_to_string(folder.path().join("man1/morello-play.1")).unwrap();
    assert!(play.contains("\\-\\-white"), "{play}");
    // Examples can be copied from the page, so escapes must be correct.
    assert!(play.contains("\n.SH EXAMPLES\n.nf\n\\&  morello play othello\n"), "{play}");
    assert!(play.contains(r"\&  printf \(aqf5\eneval\enhint 3\enundo\enquit\en\(aq | morello play"), "{play}");
}
