//! Sessions: input lines and the expected output.

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, pipe};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use morello_core::game::{AnnotatedGame, EngineOptions, Game, Position as _, random_game};
use morello_core::othello::{self, formats::ggf};

use super::*;

fn test_options(game: &'static dyn AnyGame) -> Result<EngineOptions, EngineOptionsError> {
    // Simulates a game whose data files are damaged.
    if game.name() == "morabaraba" { Err(EngineOptionsError::new("no cows")) } else { Ok(EngineOptions::new(1 << 18)) }
}

const QUICK: Strength = Strength { level: None, depth: Some(2), nodes: None, time: None };

/// Runs a session with this input and returns its output lines.
fn session(protocol: Protocol, game: &str, input: &str) -> Vec<String> {
    let mut output = Vec::new();
    serve(protocol, games::get(game).unwrap(), &test_options, QUICK, io::Cursor::new(input.to_owned()), &mut output)
        .unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// A session that receives its input line by line.
struct LiveSession {
    to: PipeWriter,
    from: BufReader<PipeReader>,
    session: JoinHandle<Result<(), ServeError>>,
}

impl LiveSession {
    fn new(protocol: Protocol, game: &'static str, strength: Strength) -> Self {
        let (input, to) = pipe().unwrap();
        let (from, mut output) = pipe().unwrap();
        let session = thread::spawn(move || {
            serve(protocol, games::get(game).unwrap(), &test_options, strength, input, &mut output)
        });
        Self { to, from: BufReader::new(from), session }
    }

    fn send(&mut self, line: &str) {
        self.to.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Reads up to a line that begins with `start`, and returns all lines.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).unwrap(), 0, "the session ended: {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(start) {
                return lines;
            }
        }
    }

    fn end(mut self, last: &str) {
        let start = Instant::now();
        self.send(last);
        drop(self.to);
        let rest = thread::spawn(move || io::copy(&mut self.from, &mut io::sink()));
        self.session.join().unwrap().unwrap();
        rest.join().unwrap().unwrap();
        assert!(start.elapsed() < Duration::from_secs(8), "the session did not end");
    }
}

/// A limit that no test reaches.
const LONG: Strength = Strength { level: None, depth: None, nodes: None, time: Some(Duration::from_secs(3600)) };

fn ggf_of<const N: usize>(game: &Game<othello::SizedPosition<N>>) -> String {
    ggf::write(&AnnotatedGame::with_names(game.clone(), ["a", "b"]))
}

mod nboard {
    use super::*;

    fn nboard(input: &str) -> Vec<String> {
        session(Protocol::NBoard, "othello", input)
    }

    #[test]
    fn go_returns_a_move() {
        let game = random_game::<othello::Position>(3, 20);
        let lines =
            nboard(&format!("nboard 2\nset depth 3\nset game {}\nping 1\ngo\ngo\nlearn\nquit\ngo\n", ggf_of(&game)));
        assert_eq!(lines[..2], ["set myname morello", "pong 1"]);
        let responses: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("=== ")).collect();
        let moves: Vec<_> = responses.iter().map(|response| response.split('/').next().unwrap()).collect();
        // `go` does not change the board, so both responses are equal.
        assert_eq!((moves.len(), moves[0]), (2, moves[1]));
        assert!(game.position().parse_move(moves[0]).is_ok() && responses[0].split('/').count() == 3, "{responses:?}");
        assert!(lines.iter().any(|line| line.starts_with("nodestats ")));
        assert_eq!(lines.last().map(String::as_str), Some("learned"));
    }

    #[test]
    fn hint_returns_the_requested_lines_and_marks_proofs() {
        let hints = |game: &Game<othello::Position>, n: u32| -> Vec<Vec<String>> {
            let lines = nboard(&format!("set depth 4\nset game {}\nhint {n}\n", ggf_of(game)));
            let hints = lines.iter().filter_map(|line| line.strip_prefix("search "));
            hints.map(|hint| hint.split(' ').map(str::to_owned).collect()).collect()
        };
        let found = hints(&random_game(3, 20), 3);
        let last = &found[found.len() - 3..];
        assert!(found.iter().all(|hint| hint.len() == 4 && hint[2] == "0"), "{found:?}");
        assert!(last.iter().all(|hint| hint[3] == "4") && last[0][0][..2] != last[1][0][..2], "{last:?}");
        let found = hints(&random_game(3, 54), 1);
        assert_eq!(found.last().unwrap()[3], "100%", "{found:?}");
    }

    #[test]
    fn go_answers_passes_and_finished_games() {
        // White can flip no disc and must pass; then Black flips the last white disc.
        let pass = "(;BO[4 *O-------------- O];)";
        let four = |input: &str| session(Protocol::NBoard, "othello-4x4", input);
        assert_eq!(four(&format!("set game {pass}\ngo\n")), ["=== PA"]);
        for moves in ["move PA\nmove C1/0.5/1\n", "move c1\n"] {
            let lines = four(&format!("set game {pass}\n{moves}hint 1\ngo\nanalyze\n"));
            assert_eq!(lines[..3], ["status Analyzing", "status", "=== PA"], "the game is over");
            let analysis: Vec<_> = lines.iter().filter(|line| line.starts_with("analysis ")).collect();
            assert_eq!(analysis, ["analysis 2 -16.00", "analysis 1 16.00", "analysis 0 -16.00"]);
        }
        let ended = "(;BO[4 *O-------------- O]W[PA];)";
        assert!(four(&format!("set game {ended}\ngo\n")).iter().any(|line| line.starts_with("=== C1/16.00/")));
    }

    #[test]
    fn invalid_lines_are_reported_and_change_nothing() {
        let lines = nboard(
            "set depth x\nset depth 0\nset game (;GM[Chess];)\nset game (;BO[4 -----O*--*O----- *];)\nmove a1\n\
             move\nset contempt 3\nset\nnonsense\n\nf5\nmove f5/0/0\nmove f5\nping 7\n",
        );
        let (last, errors) = lines.split_last().unwrap();
        assert!(errors.len() == 7 && errors.iter().all(|line| line.starts_with("status error: ")), "{lines:?}");
        assert!(errors[2].contains("column 6: the game is `Chess`"), "{errors:?}");
        assert_eq!(last, "pong 7");
    }

    #[test]
    fn ping_and_set_game_stop_a_search() {
        let mut session = LiveSession::new(Protocol::NBoard, "othello", LONG);
        session.send("hint 2");
        session.until("search");
        session.send("no command of the protocol");
        session.send("ping 3");
        assert!(session.until("pong 3").iter().all(|line| !line.starts_with("===")));
        session.send("go");
        session.until("search");
        session.send(&format!("set game {}", ggf_of(&random_game::<othello::Position>(3, 20))));
        session.until("===");
        session.send("analyze");
        session.send("ping 4");
        session.until("pong 4");
        session.send("go");
        session.end("quit");
    }
}

mod gtp {
    use super::*;

    fn gtp(game: &str, input: &str) -> Vec<String> {
        let text = session(Protocol::Gtp, game, input).join("\n");
        text.split("\n\n").map(|response| response.trim().to_owned()).filter(|response| !response.is_empty()).collect()
    }

    #[test]
    fn answers_carry_the_command_id() {
        let input = "1 protocol_version\nname # a comment\n# another\n\n 3\tknown_command play\n4 known_command \
            x\n5 x\n\
                     6 boardsize 6\n7 boardsize 8\n8 set_game othello\n9 set_game go\n10 set_level 3\n11 set_level 61\n\
                     12 version\n13 quit\n14 name\n";
        let levels = format!("?11 {}", morello_core::game::ParseLevelError);
        let version = format!("=12 {}", env!("CARGO_PKG_VERSION"));
        let expected = [
            "=1 2",
            "= morello",
            "=3 true",
            "=4 false",
            "?5 unknown command",
            "?6 unacceptable size",
            "=7",
            "=8",
            "?9 the game is othello",
            "=10",
            &levels,
            &version,
            "=13",
        ];
        assert_eq!(gtp("othello", input), expected);
        assert!(gtp("othello", "list_commands")[0].starts_with("= boardsize\nclear_board\nfinal_score\n"));
    }

    #[test]
    fn keeps_the_board() {
        let input = "play b f5\nplay white D6\nplay white c3\nplay b a1\nplay green f5\nplay\nundo\nplay w \
            f6\nundo\nundo\n\
                     undo\ngenmove white\nplay black f5\nreg_genmove white\nplay black d3\nshowboard\n";
        let responses = gtp("othello", input);
        let errors: Vec<_> = responses.iter().enumerate().filter(|(_, response)| response.starts_with('?')).collect();
        let expected = [
            (2, "? the opponent is to move"),
            (3, "? illegal move"),
            (4, "? expected a color, black or white, found `green`"),
            (5, "? expected a color, black or white, found ``"),
            (10, "? cannot undo"),
            (11, "? the opponent is to move"),
            (14, "? the opponent is to move"),
        ];
        assert_eq!(errors.iter().map(|(i, text)| (*i, text.as_str())).collect::<Vec<_>>(), expected);
        let after = othello::Position::default().play(othello::Square::F5.into()).unwrap();
        assert!(after.parse_move(responses[13].strip_prefix("= ").unwrap()).is_ok());
        assert!(
            responses[15].contains("\n5 - - - X X X - -\n") && responses[15].ends_with("\nO to move"),
            "{}",
            responses[15]
        );
    }

    #[test]
    fn accepts_explicit_and_omitted_passes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a game 1");
        std::fs::write(&file, "(;BO[4 *O-------------- O];)").unwrap();
        let load = format!("loadsgf {}\n", file.display());
        let commands = "play white pass\nundo\ngenmove w\ngenmove black\nfinal_score\ngenmove white\nplay b \
            pass\nundo\nundo\n\
                        undo\nfinal_score\nundo\nplay b c1\nundo\nreg_genmove white\nundo\n";
        let expected = [
            "=",
            "=",
            "=",
            "= pass",
            "= c1",
            "= B+16",
            "= pass",
            "=",
            "=",
            "=",
            "=",
            "? cannot score: the game is not over",
            "=",
            "=",
            "=",
            "= pass",
            "? cannot undo",
        ];
        assert_eq!(gtp("othello-4x4", &(load.clone() + commands)), expected);
        std::fs::write(&file, "(;FF[4]GM[2]SZ[4]AB[a1]AE[b2][c2][b3][c3]AW[b1]PL[W]\n;W[tt];B[c1])").unwrap();
        assert_eq!(
            gtp("othello-4x4", &(load.clone() + "final_score\nundo\nundo\nundo\n"))[1..],
            ["= B+16", "=", "=", "? cannot undo"]
        );
        std::fs::write(&file, "(;BO[4 *O-------------- O]W[PA]B[c1];)").unwrap();
        let responses = gtp(
            "othello-4x4",
            &format!(
                "{} 2\ngenmove b\n{load}final_score\nloadsgf /nowhere\nloadsgf {}\n",
                load.trim(),
                folder.path().display()
            ),
        );
        assert_eq!(responses[..4], ["=", "= c1", "=", "= B+16"]);
        assert!(
            responses[4..].len() == 2
                && responses[4..].iter().all(|response| response.starts_with("? cannot load file: "))
        );
    }

    #[test]
    fn plays_whole_games() {
        for (game, size) in [("othello-4x4", 4), ("othello-6x6", 6)] {
            let moves: String = (0..40).map(|_| "genmove b\ngenmove w\n").collect();
            let responses = gtp(game, &format!("boardsize {size}\nclear_board\n{moves}final_score\n"));
            assert!(responses.last().unwrap().starts_with("= "), "{responses:?}");
            // A side asked out of turn gets an error, and the game continues.
            assert!(responses.iter().all(|a| a.starts_with('=') || a == "? the opponent is to move"), "{responses:?}");
        }
    }

    #[test]
    fn the_clock_limits_a_search() {
        let mut session = LiveSession::new(Protocol::Gtp, "othello", Strength::default());
        let start = Instant::now();
        for line in ["time_settings 3 0 0", "time_settings 1 x 0", "time_left b 3 0", "time_left b", "time_left x 3 0"]
        {
            session.send(line);
        }
        session.send("genmove b");
        session.send("9 name");
        let responses = session.until("=9 ");
        assert_eq!(responses.iter().filter(|line| line.starts_with('?')).count(), 3, "{responses:?}");
        assert!(start.elapsed() < Duration::from_secs(3));
        session.end("quit");
    }

    #[test]
    fn quit_stops_a_search() {
        let mut session = LiveSession::new(Protocol::Gtp, "othello", LONG);
        session.send("1 genmove b");
        session.send("2 name");
        session.send("3 quit");
        let responses = session.until("=3");
        assert!(responses[0].starts_with("=1 ") && responses[2] == "=2 morello", "{responses:?}");
        session.end("");
    }
}

mod morris_text {
    use super::*;

    fn morris(input: &str) -> Vec<String> {
        session(Protocol::MorrisText, "nine-mens-morris", input)
    }

    #[test]
    fn reports_a_found_win() {
        let lines = morris("morris\nnewgame nine-mens-morris\nposition 0,0 a7,d7,g4 a1,b2,c3 W\nping 1\ngo depth 4\n");
        let name = format!("id name morello {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(lines[..3], [name.as_str(), "ok", "pong 1"]);
        let info = &lines[lines.len() - 2];
        assert!(info.starts_with("info depth ") && info.contains(" score win plies 1 nodes "), "{info}");
        assert!(info.contains(" pv g4-g7x"), "{info}");
        assert!(lines.last().unwrap().starts_with("bestmove g4-g7x"), "{lines:?}");
    }

    #[test]
    fn plays_games_from_given_moves_to_the_end() {
        let lines = morris("position start moves d2 f4\ngo\n");
        let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        assert!(best.len() == 2 && best != "d2" && best != "f4", "{lines:?}");
        assert!(lines[0].contains(" score cp "), "{lines:?}");
        let over = "position 0,0 a7,d7,g4 a1,b2,c3 W moves g4-g7xa1\ngo infinite\nstop\n";
        assert_eq!(morris(over), ["bestmove none"]);
    }

    #[test]
    fn newgame_switches_the_game() {
        let lines =
            morris("newgame three-mens-morris\nposition 3,3 - - W\ngo depth 3\nnewgame\nnewgame six-mens-morris\ngo\n");
        let best: Vec<_> = lines.iter().filter(|line| line.starts_with("bestmove ")).collect();
        assert_eq!(best.len(), 2, "{lines:?}");
        // A game that cannot be set up does not change the session.
        let lines = morris("newgame six-mens-morris\nnewgame morabaraba\nposition 6,6 - - W\ngo depth 1\n");
        assert_eq!(lines[0], "error no cows");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    }

    #[test]
    fn invalid_lines_are_reported_and_change_nothing() {
        let lines = morris(
            "position 9,9 - - W moves d2 d2\nposition x\nposition\ngo depth\ngo fast\nnewgame chess\nnewgame \
                othello\nhello\n\
             stop\n\ngo infinite nodes 5\nping\n",
        );
        let (last, errors) = lines.split_last().unwrap();
        assert!(errors.len() == 9 && errors.iter().all(|line| line.starts_with("error ")), "{lines:?}");
        assert!(errors[0].contains("column 20 of the position: illegal move `d2`"), "{}", errors[0]);
        assert_eq!(last.trim(), "pong");
    }

    #[test]
    fn go_infinite_searches_until_stop() {
        let mut session = LiveSession::new(Protocol::MorrisText, "nine-mens-morris", LONG);
        session.send("go infinite");
        session.until("info depth 5 ");
        session.send("stop");
        session.until("bestmove ");
        // Even if the result is proved at once.
        session.send("position 0,0 a7,d7,g4 a1,b2,c3 W");
        session.send("go infinite");
        session.until("info ");
        thread::sleep(Duration::from_millis(50));
        session.send("ping 5");
        assert!(session.until("pong 5").iter().any(|line| line.starts_with("bestmove g4-g7")));
        session.send("position start");
        session.send("go");
        session.send("position start moves d2");
        session.until("bestmove ");
        session.send("go infinite");
        session.end("");
    }
}

#[test]
fn rejects_unsupported_games_and_failed_setups() {
    let serve = |protocol, game: &str| {
        serve(protocol, games::get(game).unwrap(), &test_options, QUICK, io::empty(), &mut io::sink())
    };
    assert!(matches!(serve(Protocol::Gtp, "nine-mens-morris"), Err(ServeError::Unsuitable { .. })));
    assert!(matches!(serve(Protocol::MorrisText, "othello"), Err(ServeError::Unsuitable { .. })));
    assert!(matches!(serve(Protocol::MorrisText, "morabaraba"), Err(ServeError::Setup(_))));
    for protocol in Protocol::ALL {
        assert!(serve(protocol, default_game(protocol).name()).is_ok());
    }
}

#[test]
fn stops_when_the_output_fails() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (input, mut to) = pipe().unwrap();
    to.write_all(b"go infinite\n").unwrap();
    let failed =
        serve(Protocol::MorrisText, default_game(Protocol::MorrisText), &test_options, QUICK, input, &mut Broken);
    assert!(matches!(failed, Err(ServeError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe));
}
