//! GTP 2, the Go Text Protocol: the engine keeps the board, and each command has one answer.
//!
//! `[id] command arguments` is answered with `=[id] text` or `?[id] what is wrong`, then an empty line. Commands are answered in their order, so
//! a further command does not end a search that was asked for before it; `quit` and the end of the input do, after a moment in which a
//! script that was written to the end at once gets its answer.
//!
//! Moves are squares as Othello names them, a1 in the upper left corner, and `pass`; a side that must pass and was not told to does so when
//! the other plays. The engine never resigns. Beside the commands of the protocol there are `set_level N`, the [level of play](crate::game::AnyGame::level), and
//! `set_game Othello`. `loadsgf` reads a file in GGF.
//!
//! Time: `time_settings` with all zeros, or with a time for no moves, is no limit. Otherwise each search has its [share](Clock::share) of what is left,
//! on the engine's own clock until `time_left` sets it, and is bounded by depth only if that was asked for.
//! Source: the specification of GTP 2 by Gunnar Farnebäck.

use std::fs;
use std::time::{Duration, Instant};

use super::connection::{Connection, NAME, VERSION, split_word};
use super::inbox::StopRequest;
use crate::game::{Color, Game, LEVELS, Limits, Position as _, is_pass_word};
use crate::session::{Clock, TimeControl};

/// How long a search goes on after `quit`.
const AFTER_QUIT: Duration = Duration::from_secs(1);

/// The largest file that is taken for a game.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The commands.
const COMMANDS: [&str; 19] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "list_commands",
    "loadsgf",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "set_level",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// An answer: what is wrong, if it is an error.
type GtpResponse = Result<String, String>;

/// A session.
pub(super) struct GtpServer<'a, 'o> {
    connection: Connection<'a, 'o>,
    /// The plies of each command that has changed the board, forced passes included.
    plies_per_command: Vec<usize>,
}

fn stop_request(line: &str) -> StopRequest {
    let (_, line) = split_id(line);
    if split_word(line).0 == "quit" { StopRequest::Within(AFTER_QUIT) } else { StopRequest::None }
}

/// Splits the number that may stand before a command off.
fn split_id(line: &str) -> (&str, &str) {
    let (word, rest) = split_word(line);
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) { (word, rest) } else { ("", line.trim()) }
}

impl<'a, 'o> GtpServer<'a, 'o> {
    pub(super) fn new(connection: Connection<'a, 'o>) -> Self {
        Self { connection, plies_per_command: Vec::new() }
    }

    /// Runs the session to its end.
    pub(super) fn run(&mut self) {
        while let Some(line) = self.connection.next() {
            // As the protocol has it: tabs are blanks, other control characters nothing.
            let line = line.split('#').next().unwrap_or_default().replace('\t', " ").replace(char::is_control, "");
            let (id, line) = split_id(&line);
            if line.is_empty() {
                continue;
            }
            let (command, arguments) = split_word(line);
            match self.answer(command, arguments) {
                Ok(text) if text.is_empty() => self.connection.send(format_args!("={id}\n")),
                Ok(text) => self.connection.send(format_args!("={id} {text}\n")),
                Err(text) => self.connection.send(format_args!("?{id} {text}\n")),
            }
            if command == "quit" {
                return;
            }
        }
    }

    fn answer(&mut self, command: &str, arguments: &str) -> GtpResponse {
        let done = || Ok(String::new());
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(NAME.to_owned()),
            "version" => Ok(VERSION.to_owned()),
            "known_command" => Ok(COMMANDS.contains(&arguments).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => done(),
            "boardsize" if arguments == self.connection.dialect.game => self.clear(),
            "boardsize" => Err("unacceptable size".to_owned()),
            "clear_board" => self.clear(),
            "set_game"
                if ["Othello", "Reversi", self.connection.session.rules().name()]
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(arguments)) =>
            {
                done()
            }
            "set_game" => Err(format!("the game is {}", self.connection.session.rules().name())),
            "set_level" => self.set_level(arguments),
            "play" => self.play(arguments),
            "genmove" => self.generate(arguments, true),
            "reg_genmove" => self.generate(arguments, false),
            "undo" => self.undo(),
            "time_settings" => self.time_settings(arguments),
            "time_left" => self.time_left(arguments),
            "showboard" => Ok(format!("\n{}", (self.connection.dialect.draw)(self.connection.session.position()))),
            "final_score" => self.final_score(),
            "loadsgf" => self.load(arguments),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn clear(&mut self) -> GtpResponse {
        self.connection.restart();
        self.plies_per_command.clear();
        self.connection.session.clock.restart();
        Ok(String::new())
    }

    fn set_level(&mut self, text: &str) -> GtpResponse {
        match text.parse() {
            Ok(level @ 1..=LEVELS) => {
                self.connection.strength.level = Some(level);
                self.connection.strength.depth = None;
                Ok(String::new())
            }
            _ => Err(format!("levels are from 1 to {LEVELS}")),
        }
    }

    /// Returns the game with that side to move, after a forced pass if need be.
    fn game_of(&self, color: Color) -> Result<Game, String> {
        let mut game = self.connection.session.game().clone();
        if game.position().side_to_move() != color {
            let pass = self.connection.session.forced_pass().ok_or("the other side is to move")?;
            game.play(pass).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// Plays the last moves of a game that goes on from the one on the board, by one command.
    fn set_board(&mut self, game: &Game) {
        let session = &mut self.connection.session;
        let moves = &game.moves()[session.game().moves().len()..];
        self.plies_per_command.push(moves.len());
        moves.iter().for_each(|&m| session.play(m).expect("it was played in the other game"));
    }

    fn play(&mut self, arguments: &str) -> GtpResponse {
        let (color, text) = split_word(arguments);
        let color = color_of(color)?;
        if is_pass_word(text) && self.connection.session.is_over() {
            self.plies_per_command.push(0);
            return Ok(String::new());
        }
        let mut game = self.game_of(color)?;
        let m = (self.connection.dialect.read_move)(game.position(), text).ok_or("illegal move")?;
        game.play(m).map_err(|_| "illegal move")?;
        self.set_board(&game);
        Ok(String::new())
    }

    /// Searches a move of a side, and plays it if it is to be played.
    fn generate(&mut self, arguments: &str, play: bool) -> GtpResponse {
        let color = color_of(arguments)?;
        if self.connection.session.is_over() {
            if play {
                self.plies_per_command.push(0);
            }
            return Ok("pass".to_owned());
        }
        let mut game = self.game_of(color)?;
        let start = Instant::now();
        let m = match game.position().forced_pass() {
            Some(pass) => pass,
            None => {
                let limits = self.limits(&game, color, play);
                let thought = self.connection.search(&game, &limits, &stop_request, &|_, _, _| ());
                thought.report.best_move().ok_or("no move")?
            }
        };
        let text = (self.connection.dialect.write_move)(m);
        if play {
            self.connection.session.clock.spend(color, start.elapsed());
            game.play(m).map_err(|error| error.to_string())?;
            self.set_board(&game);
        }
        Ok(text)
    }

    fn limits(&self, game: &Game, color: Color, play: bool) -> Limits {
        let strength = self.connection.strength;
        let limits = strength.limits(self.connection.session.rules());
        let plies_left = (self.connection.dialect.plies_left)(game.position());
        match self.connection.session.clock.share(color, plies_left).filter(|_| play) {
            None => limits,
            // The level that is played at if nothing is asked for is no bound beside a clock.
            Some(time) if !strength.is_given() => Limits { time: Some(time), ..Limits::default() },
            Some(time) => Limits { time: Some(limits.time.map_or(time, |own| own.min(time))), ..limits },
        }
    }

    fn undo(&mut self) -> GtpResponse {
        let plies = self.plies_per_command.pop().ok_or("cannot undo")?;
        for _ in 0..plies {
            self.connection.session.undo();
        }
        Ok(String::new())
    }

    fn time_settings(&mut self, arguments: &str) -> GtpResponse {
        let syntax = || "expected the main time, the time of a period and its moves".to_owned();
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let [main, period, moves] = words[..] else { return Err(syntax()) };
        let settings = TimeControl {
            main: seconds(main).ok_or_else(syntax)?,
            period: seconds(period).ok_or_else(syntax)?,
            moves: moves.parse().map_err(|_| syntax())?,
        };
        self.connection.session.clock = Clock::new(settings);
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &str) -> GtpResponse {
        let syntax = || "expected a colour, a time and a number of moves".to_owned();
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let [color, time, moves] = words[..] else { return Err(syntax()) };
        let time = seconds(time).ok_or_else(syntax)?;
        self.connection.session.clock.set(color_of(color)?, time, moves.parse().map_err(|_| syntax())?);
        Ok(String::new())
    }

    /// Writes the result as Go does: `B+6`, `W+2`, `0`.
    fn final_score(&self) -> GtpResponse {
        let position = self.connection.session.position();
        if !position.is_over() {
            return Err("the game goes on".to_owned());
        }
        let score = position.final_score();
        let winner = if score > 0 { position.side_to_move() } else { !position.side_to_move() };
        Ok(match (score, winner) {
            (0, _) => "0".to_owned(),
            (_, Color::Black) => format!("B+{}", score.abs()),
            (_, Color::White) => format!("W+{}", score.abs()),
        })
    }

    fn load(&mut self, arguments: &str) -> GtpResponse {
        let read = |file: &str| match fs::metadata(file) {
            // What never ends, a device or a pipe, is not read.
            Ok(found) if !found.is_file() || found.len() > MAX_FILE_BYTES => {
                Err("cannot load file: no game".to_owned())
            }
            _ => fs::read_to_string(file).map_err(|error| format!("cannot load file: {error}")),
        };
        let (text, before) = match arguments.rsplit_once(char::is_whitespace) {
            // A number at the end is that of the move to stop before, unless it belongs to the name.
            Some((file, number)) if number.parse::<usize>().is_ok() && read(arguments).is_err() => {
                (read(file.trim())?, number.parse().ok())
            }
            _ => (read(arguments)?, None),
        };
        let mut game = (self.connection.dialect.read_game)(&text)
            .map_err(|error| format!("cannot load file: column {}: {error}", error.column()))?;
        while before.is_some_and(|before: usize| game.moves().len() > before.saturating_sub(1)) {
            game.undo();
        }
        self.plies_per_command = vec![1; game.moves().len()];
        self.connection.set_game(game);
        Ok(String::new())
    }
}

fn color_of(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(format!("expected a colour, black or white, found `{text}`")),
    }
}

/// Reads a time in seconds. The protocol has whole ones only; others are meant as they are written.
fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}
