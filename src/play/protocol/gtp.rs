//! GTP 2, the Go Text Protocol: the engine keeps the board, and each command has one response.
//!
//! The response to `[id] command arguments` is `=[id] text` or `?[id] error`, then an empty line.
//! Responses come in the order of the commands, so a later command does not stop a search. `quit`
//! and the end of the input stop it, but only after a delay, so that a script that sends all
//! commands at once receives its responses.
//!
//! Moves are Othello squares, with a1 in the upper left corner, or `pass`. A forced pass may be
//! omitted. The engine never resigns. Additional commands are `set_level N`, the [level of
//! play](morello_core::game::AnyGame::level), and `set_game Othello`. `loadsgf` reads the first
//! game of an SGF or GGF file.
//!
//! Time: `time_settings` with only zeros, or with a period of 0 moves, means no limit. Otherwise
//! each search uses its [share](Clock::share) of the remaining time, which the engine measures with
//! its own clock and `time_left` corrects. The depth is then limited only if a depth or level was
//! set. Source: the specification of GTP 2 by Gunnar Farnebäck.

use std::fs;
use std::time::{Duration, Instant};

use morello_core::game::{
    Clock, Color, Game, Limits, ParseColorError, ParseLevelError, Position as _, TimeControl, is_pass_word,
};

use super::connection::{Connection, NAME, VERSION, split_word};
use super::inbox::StopRequest;

/// How long a search may continue after `quit`.
const AFTER_QUIT: Duration = Duration::from_secs(1);

/// Maximum size of a file for `loadsgf`: 1 MiB.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The commands, one per line.
const COMMANDS: &str = "boardsize\nclear_board\nfinal_score\ngenmove\nknown_command\n\
    list_commands\nloadsgf\nname\nplay\n\
    protocol_version\nquit\nreg_genmove\nset_game\nset_level\nshowboard\ntime_left\ntime_settings\nundo\nversion";

/// The text of a response, or an error message.
type GtpResponse = Result<String, String>;

/// A GTP session.
pub(super) struct GtpServer<'a, 'o> {
    connection: Connection<'a, 'o>,
    /// The number of plies, including forced passes, of each command that changed the board. `undo`
    /// takes back one command.
    plies_per_command: Vec<usize>,
}

/// Returns whether a line stops a search.
pub(super) fn stop_request(line: &str) -> StopRequest {
    let (_, line) = split_id(line);
    (split_word(line).0 == "quit").then_some(AFTER_QUIT)
}

/// Splits off the optional numeric ID before a command.
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
            // Required by the specification: tabs count as spaces, other control characters are
            // removed.
            let line = line.split('#').next().unwrap_or_default().replace('\t', " ").replace(char::is_control, "");
            let (id, line) = split_id(&line);
            if line.is_empty() {
                continue;
            }
            let (command, arguments) = split_word(line);
            match self.execute(command, arguments) {
                Ok(text) if text.is_empty() => self.connection.send(format_args!("={id}\n")),
                Ok(text) => self.connection.send(format_args!("={id} {text}\n")),
                Err(text) => self.connection.send(format_args!("?{id} {text}\n")),
            }
            if command == "quit" {
                return;
            }
        }
    }

    fn execute(&mut self, command: &str, arguments: &str) -> GtpResponse {
        let done = || Ok(String::new());
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(NAME.to_owned()),
            "version" => Ok(VERSION.to_owned()),
            "known_command" => Ok(COMMANDS.lines().any(|command| command == arguments).to_string()),
            "list_commands" => Ok(COMMANDS.to_owned()),
            "quit" => done(),
            "boardsize" if arguments == self.connection.dialect.game => self.clear(),
            "boardsize" => Err("unacceptable size".to_owned()),
            "clear_board" => self.clear(),
            "set_game" => {
                let name = self.connection.session.rules().name();
                let is_known = ["Othello", "Reversi", name].iter().any(|name| name.eq_ignore_ascii_case(arguments));
                if is_known { done() } else { Err(format!("the game is {name}")) }
            }
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
        self.connection.set_level(text.parse().map_err(|error: ParseLevelError| error.to_string())?);
        Ok(String::new())
    }

    /// Returns the game with `color` to move, after adding a forced pass if necessary.
    fn game_of(&self, color: Color) -> Result<Game, String> {
        let mut game = self.connection.session.game().clone();
        if game.position().side_to_move() != color {
            let pass = self.connection.session.forced_pass().ok_or("the opponent is to move")?;
            game.play(pass).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// Plays the moves by which `game` continues the game on the board, as one command.
    fn set_board(&mut self, game: &Game) {
        let session = &mut self.connection.session;
        let moves = &game.moves()[session.game().moves().len()..];
        self.plies_per_command.push(moves.len());
        moves.iter().for_each(|&m| session.play(m).expect("it is legal in `game`"));
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

    /// Searches for a move of a side. With `play`, also plays it.
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
                let limits = self.limits(&game, color, play).for_move();
                let (report, _) = self.connection.search(&game, &limits, &|_, _, _| ());
                self.connection.choose(&game, &report).ok_or("no move")?
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
        let clock = &self.connection.session.clock;
        if !play || clock.left(color).is_none() {
            return limits;
        }
        // With a clock, the default level does not apply.
        clock.limits(game, if strength.is_given() { limits } else { Limits::default() })
    }

    fn undo(&mut self) -> GtpResponse {
        let plies = self.plies_per_command.pop().ok_or("cannot undo")?;
        for _ in 0..plies {
            self.connection.session.undo();
        }
        Ok(String::new())
    }

    fn time_settings(&mut self, arguments: &str) -> GtpResponse {
        let syntax = || "expected main_time byo_yomi_time byo_yomi_stones".to_owned();
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let [main, period, moves] = words[..] else { return Err(syntax()) };
        let [main, period] = [main, period].map(seconds);
        let (main, period) = main.zip(period).ok_or_else(syntax)?;
        let moves = moves.parse().map_err(|_| syntax())?;
        self.connection.session.clock = Clock::new(TimeControl { main, period, moves, ..TimeControl::default() });
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &str) -> GtpResponse {
        let syntax = || "expected color time stones".to_owned();
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let [color, time, moves] = words[..] else { return Err(syntax()) };
        let time = seconds(time).ok_or_else(syntax)?;
        self.connection.session.clock.set(color_of(color)?, time, moves.parse().map_err(|_| syntax())?);
        Ok(String::new())
    }

    /// Writes the result as in Go: `B+6`, `W+2` or `0`.
    fn final_score(&self) -> GtpResponse {
        let position = self.connection.session.position();
        if !position.is_over() {
            return Err("cannot score: the game is not over".to_owned());
        }
        let score = position.final_score();
        let winner = if score > 0 { position.side_to_move() } else { !position.side_to_move() };
        let letter = winner.letter().to_ascii_uppercase();
        Ok(if score == 0 { "0".to_owned() } else { format!("{letter}+{}", score.abs()) })
    }

    fn load(&mut self, arguments: &str) -> GtpResponse {
        let read = |file: &str| match fs::metadata(file) {
            // Reading a device or a pipe might never end.
            Ok(found) if !found.is_file() || found.len() > MAX_FILE_BYTES => {
                Err("cannot load file: not a regular file of at most 1 MiB".to_owned())
            }
            _ => fs::read_to_string(file).map_err(|error| format!("cannot load file: {error}")),
        };
        let (text, before) = match arguments.rsplit_once(char::is_whitespace) {
            // A number at the end is the move to stop before, unless it is part of the file name.
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
    text.parse().map_err(|error: ParseColorError| error.to_string())
}

/// Parses a time in seconds. The protocol allows only integers; fractions are accepted, too.
fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}
