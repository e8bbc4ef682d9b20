//! Compares games at the terminal and games checked by the referee with games played directly.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use morello_core::game::{
    AnyGame, Cancel, Choice, Color, DrawRules, EngineOptions, Game, Player, PlayerError, Position as _,
};
use morello_core::games;
use proptest::prelude::*;

use super::draw::Style;
use super::referee::{Referee, RulingFormat, adjudicate};
use super::*;
use crate::players::{RandomPlayer, Spec};
use crate::session::SearcherPool;

const NINE: &str = "nine-mens-morris";
const THREE: &str = "three-mens-morris";
const SMALL: &str = "othello-4x4";

fn searchers(game: &str) -> SearcherPool {
    SearcherPool::new(games::get(game).unwrap(), Arc::new(|_| Ok(EngineOptions::new(1 << 20))))
}

fn random() -> Participant {
    Participant::Computer("random".to_owned(), Box::new(RandomPlayer::new(0)))
}

fn people(game: &str) -> TerminalGame {
    people_with(game, options())
}

fn people_with(game: &str, options: TerminalOptions) -> TerminalGame {
    TerminalGame::new(searchers(game), [Participant::Human, Participant::Human], options)
}

fn options() -> TerminalOptions {
    TerminalOptions {
        settings: DrawRules { repetition: Some(3), ..DrawRules::default() },
        ..TerminalOptions::default()
    }
}

/// Plays with this input; returns the output.
fn typed(terminal: &mut TerminalGame, text: impl AsRef<[u8]>) -> String {
    let mut output = Vec::new();
    play(terminal, text.as_ref(), &mut output).expect("memory can be read and written");
    String::from_utf8(output).expect("the program prints UTF-8")
}

fn moves(game: &Game) -> Vec<String> {
    game.moves().iter().map(ToString::to_string).collect()
}

/// Plays the same random game as the players of a terminal game with this seed.
fn reference(rules: &'static dyn AnyGame, seed: u64) -> Game {
    let mut game = Game::with_draw_rules(rules.start(), rules.standard_draw_rules());
    let mut players: Vec<RandomPlayer> =
        Color::ALL.iter().map(|side| RandomPlayer::new(seed + side.index() as u64)).collect();
    while game.end().is_none() {
        let side = game.position().side_to_move();
        let choose = || players[side.index()].choose(&game, &Cancel::new()).unwrap().m;
        let m = game.position().forced_pass().unwrap_or_else(choose);
        game.play(m).unwrap();
    }
    game
}

#[test]
fn terminal_games_end_like_the_game_record() {
    for rules in games::all() {
        for seed in 1..4 {
            let settings = rules.standard_draw_rules();
            let options = TerminalOptions { seed, settings, ..TerminalOptions::default() };
            let mut terminal = TerminalGame::new(searchers(rules.name()), [random(), random()], options);
            terminal.prepare().unwrap();
            let output = typed(&mut terminal, "");
            let expected = reference(*rules, seed);
            assert_eq!(moves(terminal.game()), moves(&expected), "{}", rules.name());
            assert_eq!(terminal.game().end(), expected.end());
            let result = match expected.end().unwrap().outcome.winner() {
                Some(winner) => format!("\n{winner} wins!\n"),
                None => "\nIt is a draw!\n".to_owned(),
            };
            assert!(output.contains(&result), "{output}");

            // The same game typed by humans and checked by a referee.
            let all = moves(&expected);
            let mut terminal = people_with(rules.name(), TerminalOptions { settings, ..TerminalOptions::default() });
            let is_choice = |m: &&String| *m != "pa";
            let lines: String = all.iter().filter(is_choice).map(|m| format!("{m}\n")).collect();
            let output = typed(&mut terminal, &lines);
            assert_eq!(moves(terminal.game()), all, "{output}");
            assert!(output.contains(&result));
            let referee = Referee::new(rules.start(), settings);
            let mut output = Vec::new();
            let summary = adjudicate(referee, lines.as_bytes(), &mut output, RulingFormat::Json, true).unwrap();
            assert_eq!(summary.rejected, 0);
            let last: serde_json::Value =
                serde_json::from_str(String::from_utf8(output).unwrap().lines().last().unwrap()).unwrap();
            assert_eq!(last["position"], expected.position().to_string());
            assert_eq!((&last["over"], &last["ply"]), (&true.into(), &all.len().into()));
            let outcome = expected.end().unwrap().outcome.winner();
            let outcome = outcome.map_or_else(|| "draw".to_owned(), |winner| winner.to_string().to_lowercase());
            assert_eq!(last["outcome"], outcome);
            assert_ne!(last["end_reason"], "rules", "{} gives no reason", rules.name());
        }
    }
}

#[test]
fn accepts_both_notations_and_explains_errors() {
    let mut terminal = people("othello");
    let output = typed(&mut terminal, "f5\nd6\n\na1\nB 2,2\nhello\nB 2,2\nmoves\n");
    assert_eq!(moves(terminal.game()), ["f5", "d6", "c3"]);
    let welcome = "Othello: Black is a human, White is a human. Type `d3` or `help`.\n";
    assert!(output.starts_with(&format!("{welcome}    a  b  c  d  e  f  g  h\n 1  .  .")), "{output}");
    assert!(output.contains("Your move: Type a move, such as `c3`, or `help`\n"), "{output}");
    assert!(output.contains("Your move: Invalid move: it flips no disc\n"), "{output}");
    assert!(output.contains("Your move: Not a move: `hello` (for example: `"), "{output}");
    assert!(output.ends_with("Your move: \nEnd of input: the game is not over.\n"), "{output}");
    let cows = typed(&mut people("morabaraba"), "d2\nd2\nd2-d1\n");
    assert!(cows.contains("White: 12 in hand, 0 on board; Black: 12 in hand, 0 on board; White to move"), "{cows}");
    assert!(cows.contains("Invalid move: a cow stands on d2\n"), "{cows}");
    assert!(cows.contains("Invalid move: a cow is in hand and must be placed\n"), "{cows}");
}

#[test]
fn undo_returns_to_the_last_human_move() {
    let mut terminal = people(THREE);
    typed(&mut terminal, "b2\na1\nundo\nundo\nredo\n");
    assert_eq!(moves(terminal.game()), ["b2"]);
    let mut terminal = TerminalGame::new(searchers("othello"), [Participant::Human, random()], options());
    terminal.prepare().unwrap();
    let output = typed(&mut terminal, "f5\nc4\nundo\n");
    assert!(terminal.game().moves().len() <= 2, "{output}");
    let first = moves(terminal.game());
    let output = typed(&mut terminal, "undo\nundo\n");
    assert!(terminal.game().moves().is_empty());
    assert!(output.contains("No move of yours to undo\n"), "{output}");
    typed(&mut terminal, "redo\n");
    assert_eq!(moves(terminal.game()), first);
    let output = typed(&mut terminal, "redo\nredo\nredo\nredo\n");
    assert!(output.contains("No move to redo\n"), "{output}");
    // White is a human who has not moved yet.
    let mut terminal = TerminalGame::new(searchers("othello"), [random(), Participant::Human], options());
    terminal.prepare().unwrap();
    let output = typed(&mut terminal, "undo\n");
    assert!(output.contains("No move of yours to undo\n"), "{output}");
    assert_eq!(terminal.game().moves().len(), 1);
}

#[test]
fn plays_and_reports_forced_passes() {
    let mut terminal = people(SMALL);
    terminal.set_up("XO-------------- O").unwrap();
    let output = typed(&mut terminal, "c1\n");
    assert!(output.contains("White has no legal move and passes\n"), "{output}");
    assert_eq!(moves(terminal.game()), ["pa", "c1"]);
    assert!(
        output.contains(
            "Black wins!\nWhite has no disc left (Black 3, White 0 discs; won by 16, counting the empty squares)\n"
        ),
        "{output}"
    );
}

#[test]
fn a_resigned_game_can_be_continued() {
    let mut terminal = people(THREE);
    let output = typed(&mut terminal, "b2\nresign\nb2\nundo\na1\nresign\nnew\nquit\nb2\n");
    // Each board is drawn once: the start, two moves, two resignations, the undo and the new game.
    assert_eq!(output.matches("    a       b       c\n").count(), 7, "{output}");
    assert!(output.contains("\nWhite wins!\nBlack has resigned ("), "{output}");
    assert!(
        output.contains(
            "The game is over (review, undo, new, save FILE, load FILE, quit): The game is over: type `undo`"
        ),
        "{output}"
    );
    assert!(output.contains("\nBlack wins!\nWhite has resigned ("), "{output}");
    assert!(output.ends_with("Your move: "), "{output}");
    assert!(terminal.game().moves().is_empty());
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let all = moves(&games::get("othello").unwrap().random_game(3, 30));
    let lines: String = all.iter().filter(|m| *m != "pa").map(|m| format!("{m}\n")).collect();
    for name in ["game", "game.ggf", "other name.txt"] {
        let mut terminal = people("othello");
        let output = typed(&mut terminal, format!("{lines}save {}\n", path(name)));
        assert!(output.contains(&format!("Saved as `{}`\n", path(name))), "{output}");
        let mut other = people("othello");
        let output = typed(&mut other, format!("f5\nload {}\nundo\nredo\n", path(name)));
        assert_eq!(moves(other.game()), moves(terminal.game()), "{output}");
    }
    // A binary format is not replaced by a move list.
    let output = typed(&mut people("othello"), format!("f5\nsave {}\n", path("game.Wtb")));
    assert!(output.contains("as wthor: it is a binary format") && !folder.path().join("game.Wtb").exists(), "{output}");
    // Files that the session has not written are kept.
    let mut terminal = people(THREE);
    std::fs::write(path("mine"), "precious").unwrap();
    let output = typed(
        &mut terminal,
        format!("b2\nsave {0}\nload {0}\nload {1}\nload {2}\n", path("mine"), path("none"), folder.path().display()),
    );
    assert!(output.contains("already exists; use another name, or `save! "), "{output}");
    assert!(output.contains("could not read `precious` as a game") && output.contains("Cannot read `"), "{output}");
    assert!(output.contains("not a regular file"), "{output}");
    assert_eq!(
        (std::fs::read_to_string(path("mine")).unwrap().as_str(), moves(terminal.game()).len()),
        ("precious", 1)
    );
    let output = typed(
        &mut terminal,
        format!("save! {0}\na1\nsave {0}\nsave {0}/x\nnew\nsave {1}\nload {1}\n", path("mine"), path("start")),
    );
    assert!(output.contains("Cannot write `"), "{output}");
    assert_eq!(std::fs::read_to_string(path("mine")).unwrap(), "b2 a1\n");
    assert!(output.contains(&format!("Loaded `{}`: 0 moves\n", path("start"))), "{output}");
}

#[test]
fn saves_a_resignation_until_play_continues() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let autosave = Some(folder.path().join("auto.ggf"));
    let mut terminal = people_with("othello", TerminalOptions { autosave, ..options() });
    let typing = format!("f5\nresign\nsave {}\nsave {}\n", path("game"), path("game.transcript"));
    let output = typed(&mut terminal, typing);
    assert!(read("auto.ggf").contains("RE[+64:r]TY[8]") && read("game") == read("auto.ggf"), "{output}");
    assert!(
        output.contains("game.transcript`, without the result, the termination\n") && read("game.transcript") == "f5\n",
        "{output}"
    );
    typed(&mut terminal, "undo\nd6\n");
    assert!(read("auto.ggf").contains("RE[?]"), "{}", read("auto.ggf"));
    let mut terminal = people(THREE);
    let output = typed(&mut terminal, format!("b2\nresign\nsave {}\n", path("won")));
    assert!(read("won").contains("RE[W+R]") && !output.contains("without"), "{output}");
}

#[test]
fn keeps_details_of_a_loaded_game_while_valid() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let original = "(;GM[Othello]PC[a cup]DT[1977]PB[Ada]PW[Ben]RE[+6:r]TY[8]\
                BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5/1/2]W[D6//3];)\n";
    for (typing, expected) in [
        ("", ["PC[a cup]DT[1977]PB[Ada]PW[Ben]RE[+6:r]", "B[F5/1/2]W[D6//3];"]),
        ("c3\n", ["PC[a cup]DT[1977]PB[Ada]PW[Ben]RE[?]", "B[F5/1/2]W[D6//3]B[C3];"]),
        ("undo\n", ["PC[a cup]DT[1977]PB[Ada]PW[Ben]RE[?]", "B[F5/1/2];"]),
        ("undo\nredo\n", ["RE[+6:r]", "B[F5/1/2]W[D6//3];"]),
        ("undo\nf6\n", ["Othello]PB[human]PW[human]RE[?]", "B[F5/1/2]W[F6];"]),
    ] {
        for name in ["theirs.ggf", "theirs.txt"] {
            std::fs::write(path(name), original).unwrap();
            let mut terminal = people("othello");
            let output = typed(&mut terminal, format!("load {0}\n{typing}save {0}\n", path(name)));
            let saved = std::fs::read_to_string(path(name)).unwrap();
            assert!(expected.iter().all(|part| saved.contains(part)), "{typing} {saved} {output}");
        }
    }
    // A file whose format would lose details is not overwritten.
    let name = path("theirs.transcript");
    std::fs::write(&name, original).unwrap();
    let autosave = Some(PathBuf::from(&name));
    let mut terminal = people_with("othello", TerminalOptions { autosave, ..options() });
    terminal.load(Path::new(&name)).unwrap();
    let output = typed(&mut terminal, format!("c3\nsave {name}\n"));
    assert!(
        output.contains(&format!(
            "Moves are not saved to `{name}`: its extension names a format that would lose details"
        )),
        "{output}"
    );
    assert!(output.contains("already exists; use another name"), "{output}");
    assert_eq!(std::fs::read_to_string(&name).unwrap(), original);
    // No temporary file is left.
    assert_eq!(folder.path().read_dir().unwrap().count(), 3);
}

#[cfg(unix)]
#[test]
fn saving_keeps_links_permissions_and_unwritable_files() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("private"), "f5\n").unwrap();
    std::fs::set_permissions(path("private"), std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink("private", path("link")).unwrap();
    let mut terminal = people("othello");
    typed(&mut terminal, format!("load {0}\nd6\nsave {0}\n", path("link").display()));
    assert_eq!(std::fs::read_to_string(path("private")).unwrap(), "f5d6\n");
    assert!(path("link").is_symlink() && path("private").metadata().unwrap().mode() & 0o777 == 0o600);
    // Root can write to read-only files, so this needs another user.
    std::fs::set_permissions(path("private"), std::fs::Permissions::from_mode(0o400)).unwrap();
    if std::fs::File::options().append(true).open(path("private")).is_err() {
        let output = typed(&mut terminal, format!("c3\nsave {}\n", path("link").display()));
        assert!(output.contains("Cannot write"), "{output}");
        assert_eq!(std::fs::read_to_string(path("private")).unwrap(), "f5d6\n");
    }
}

#[test]
fn autosaves_after_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let autosave = Some(path.clone());
    let mut terminal =
        TerminalGame::new(searchers(NINE), [random(), Participant::Human], TerminalOptions { autosave, ..options() });
    terminal.prepare().unwrap();
    typed(&mut terminal, "d2\n");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), moves(terminal.game()).join(" ") + "\n");
    let mut other = people(NINE);
    other.load(&path).unwrap();
    assert_eq!(moves(other.game()), moves(terminal.game()));
    // A failed save is reported, and the game continues.
    let autosave = Some(folder.path().join("no/folder"));
    let mut terminal = people_with(THREE, TerminalOptions { autosave, ..options() });
    let output = typed(&mut terminal, "b2\na1\n");
    assert!(output.contains("Not saved: cannot write `") && moves(terminal.game()).len() == 2, "{output}");
}

#[test]
fn hint_and_eval_report_the_best_move() {
    let mut terminal = people(SMALL);
    let output = typed(&mut terminal, "eval\nhint\nhint 9\n");
    // White wins 11 to 3 on 4x4, and the empty squares count for White.
    assert!(output.contains("Your move: Black: -10 discs, exact ("), "{output}");
    assert!(output.contains("\nBest line: "), "{output}");
    assert!(output.contains("\n4. ") && !output.contains("\n5. "), "{output}");
    let mut terminal = people(NINE);
    terminal.set_up("0,0 a7,d7,g4 a1,b2,c3 W").unwrap();
    let output = typed(&mut terminal, "eval\n");
    assert!(output.contains("White: win in 1 ply, exact (") && output.contains("Best line: g4-g7x"), "{output}");
}

#[test]
fn reports_a_finished_game_at_once() {
    let mut terminal = people(NINE);
    terminal.set_up("0,0 a7,d7,g7 a1,b2 B").unwrap();
    let output = typed(&mut terminal, "undo\nhint\neval\nmoves\nhelp\nnew\nd2\n");
    assert!(output.contains("\nWhite wins!\nBlack has fewer than three men ("), "{output}");
    assert!(output.contains("No move of yours to undo"), "{output}");
    assert_eq!(moves(terminal.game()), ["d2"]);
}

/// A player that always fails.
struct Failing(fn() -> PlayerError);

impl Player for Failing {
    fn prepare(&mut self, _: u64, _: &Cancel) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, _: &Game, _: &Cancel) -> Result<Choice, PlayerError> {
        Err((self.0)())
    }
}

#[test]
fn a_failing_player_loses() {
    let crash = || PlayerError::Crash { cause: std::io::Error::other("gone"), last_stderr_line: String::new() };
    let failing = |error| Participant::Computer("it".to_owned(), Box::new(Failing(error)));
    let mut terminal = TerminalGame::new(searchers(THREE), [failing(crash), Participant::Human], options());
    let output = typed(&mut terminal, "b2\nundo\na1\n");
    assert!(output.contains("\nWhite wins!\nBlack (it) has failed: gone ("), "{output}");
    assert_eq!(moves(terminal.game()), ["a1"]);
    let mut terminal =
        TerminalGame::new(searchers(THREE), [Participant::Human, failing(|| PlayerError::Resigned)], options());
    // No move can be undone, so the resignation stands.
    let output = typed(&mut terminal, "undo\n");
    assert_eq!(output.matches("\nBlack wins!\nWhite (it) has resigned (").count(), 1, "{output}");
    assert!(output.contains("No move of yours to undo"), "{output}");
}

#[test]
fn plays_an_engine_against_a_random_player() {
    let participant = |text: &str| match text.parse::<ParticipantSpec>().unwrap() {
        ParticipantSpec::Human => Participant::Human,
        ParticipantSpec::Computer(spec) => {
            Participant::Computer(Spec::name(&spec).to_owned(), spec.player(games::get(SMALL).unwrap(), None).unwrap())
        }
    };
    let mut terminal =
        TerminalGame::new(searchers(SMALL), [participant("random"), participant("engine:depth=12,hash=1")], options());
    terminal.prepare().unwrap();
    let output = typed(&mut terminal, "");
    // White wins with best play against any defense.
    assert!(output.contains("\nWhite wins!") && output.contains("White (depth=12,hash=1): "), "{output}");
    assert!(!output.contains("Your move"));
}

#[test]
fn echoes_input_for_pipes() {
    let mut terminal = people_with(SMALL, TerminalOptions { echo: true, ..options() });
    let output = typed(&mut terminal, "b1\nx\x1b[2J\n");
    assert!(
        output.contains("Your move: b1\n    a  b") && output.contains("Your move: x\u{fffd}[2J\nNot a move: `x"),
        "{output}"
    );
    assert!(!output.contains('\x1b'));
}

#[test]
fn uses_colors_only_on_request() {
    let style = Style { color: true, unicode: true };
    let mut terminal = people_with(SMALL, TerminalOptions { style, ..options() });
    let output = typed(&mut terminal, "b1\n");
    assert!(output.contains("\x1b[0;42;1;97m○") && output.contains("\x1b[0m\n"), "{output:?}");
    assert!(!typed(&mut people(SMALL), "b1\n").contains('\x1b'));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_input_never_panics(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        words in prop::collection::vec("(undo|redo|moves|board|help|new|resign|[a-c][1-3]|[WB] \
            [0-3],[0-3]|save|load /no/such|hint 0|\\PC{0,9})", 0..30),
    ) {
        let mut terminal = people(THREE);
        typed(&mut terminal, &bytes);
        let output = typed(&mut terminal, words.join("\n"));
        prop_assert!(!output.is_empty());
        let game = terminal.game();
        prop_assert!(game.moves().iter().zip(game.positions()).all(|(&m, before)| before.is_legal(m)));
        let mut terminal = people(SMALL);
        typed(&mut terminal, words.join("\n"));
        typed(&mut terminal, &bytes);
    }
}

#[test]
fn rejects_an_endless_file() {
    if Path::new("/dev/zero").exists() {
        let output = typed(&mut people(THREE), "load /dev/zero\n");
        assert!(output.contains("not a regular file"), "{output}");
    }
}

#[test]
fn does_not_overwrite_a_file_of_several_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    let games = "d2 f4\nd6 f2\n";
    std::fs::write(&path, games).unwrap();
    let autosave = Some(path.clone());
    let mut terminal = people_with(NINE, TerminalOptions { autosave, ..options() });
    terminal.load(&path).unwrap();
    let output = typed(&mut terminal, format!("b4\nsave {}\n", path.display()));
    assert!(output.contains("it contains several games") && output.contains("already exists"), "{output}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), games);
}

#[test]
fn a_new_game_overwrites_the_file_only_after_its_first_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let autosave = Some(path.clone());
    let mut terminal = people_with(THREE, TerminalOptions { autosave, ..options() });
    typed(&mut terminal, "b2\na1\nnew\n");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "b2 a1\n");
    typed(&mut terminal, "c3\n");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "c3\n");
}

#[test]
fn drawn_boards_are_read_as_diagrams() {
    // A drawing does not show which moves the no-return rule bans.
    for game in games::all().iter().filter(|game| !game.name().ends_with("no-return")) {
        for seed in 0..20 {
            let played = game.random_game(seed, 2 * seed as usize);
            for style in [false, true].map(|unicode| Style { color: false, unicode }) {
                let text = format!("{}\n{}", draw::draw(&played, style), messages::status(&played, false));
                let read = morello_files::input::read_position(*game, &text);
                assert_eq!(read.map_err(|error| error.to_string()), Ok(*played.position()), "{text}");
            }
        }
    }
}

/// Answers prompts with lines, or with Ctrl-C for `None`.
struct Keys(Vec<Option<&'static str>>);

impl LineEditor for Keys {
    fn read_line(&mut self, _: &str, _: Vec<String>) -> std::io::Result<Option<String>> {
        match self.0.remove(0) {
            Some(line) => Ok(Some(line.to_owned())),
            None => Err(std::io::ErrorKind::Interrupted.into()),
        }
    }
}

#[test]
fn whoever_leaves_is_asked_to_save() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept.txt");
    let name: &'static str = Box::leak(file.display().to_string().into_boxed_str());
    let played = |keys: &[Option<&'static str>]| {
        let mut terminal = people(SMALL);
        terminal.editor = Some(Box::new(Keys(keys.to_vec())));
        typed(&mut terminal, "")
    };
    let again = "Press Ctrl-C again to leave the game";
    // After a typed line, the next Ctrl-C counts as the first one again.
    assert_eq!(played(&[None, Some("b1"), None, None, Some("")]).matches(again).count(), 2);
    assert!(!played(&[None, None]).contains("Save"));
    let text = played(&[Some("b1"), None, None, Some(name)]);
    assert!(text.contains(&format!("Saved as `{name}`")), "{text}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("b1"));
    // The file exists, so the game continues.
    let text = played(&[Some("b1"), None, None, Some(name), Some("quit"), None]);
    assert!(text.contains("Not saved"), "{text}");
    // Nothing is asked if nothing would be lost.
    let saved: &'static str = Box::leak(format!("save! {name}").into_boxed_str());
    assert!(!played(&[Some("b1"), Some(saved), Some("quit")]).contains("Not saved"));
}
