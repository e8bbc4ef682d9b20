//! The settings of players: what each is called, what it takes, and what they come to together.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::{Kind, SpecProblem};
use crate::game::{Confidence, LEVELS, Limits, Protocol, parse_time};
use crate::players::{Orders, Program, Timeouts};

/// The memory of an engine's tables unless it is told, in MiB: little, since it is emptied before each game.
pub(super) const DEFAULT_HASH: u32 = 16;

/// The kinds of players, for what settings they have; a bit each.
pub(super) const RANDOM: u8 = 1;
pub(super) const ENGINE: u8 = 2;
pub(super) const EXTERNAL: u8 = 4;
pub(super) const DATABASE: u8 = 8;

/// One setting of a spec.
pub(super) struct Setting {
    pub(super) name: &'static str,
    /// What stands after `=`; nothing where no value is to be given.
    pub(super) value: &'static str,
    pub(super) about: &'static str,
    /// The kinds of players that have it.
    pub(super) kinds: u8,
    /// Reads the value.
    pub(super) read: fn(&mut Draft, &str) -> Result<(), SpecProblem>,
}

/// All settings.
pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        name: "name",
        value: "TEXT",
        about: "what the player is called",
        kinds: RANDOM | ENGINE | EXTERNAL | DATABASE,
        read: |draft, text| set(&mut draft.name, text.to_owned()),
    },
    Setting {
        name: "depth",
        value: "PLIES",
        about: "search to this depth; a program is told the bounds that its protocol has",
        kinds: ENGINE | EXTERNAL,
        read: |draft, text| set(&mut draft.depth, number(text)?),
    },
    Setting {
        name: "level",
        value: "LEVEL",
        about: "play at a level, 1 to 60",
        kinds: ENGINE,
        read: |draft, text| {
            set(&mut draft.level, number(text).ok().filter(|l| *l <= LEVELS).ok_or(SpecProblem::Level)?)
        },
    },
    Setting {
        name: "weights",
        value: "FILE",
        about: "judge positions by the weights in this file",
        kinds: ENGINE,
        read: |draft, text| set(&mut draft.weights, text.into()),
    },
    Setting {
        name: "eval",
        value: "NAME",
        about: "judge positions by `learnt` weights [default], or by a `simple` evaluation",
        kinds: ENGINE,
        read: |draft, text| match text {
            "learnt" => set(&mut draft.simple, false),
            "simple" => set(&mut draft.simple, true),
            _ => Err(SpecProblem::Evaluation(text.to_owned())),
        },
    },
    Setting {
        name: "nodes",
        value: "COUNT",
        about: "search at most this many nodes a move",
        kinds: ENGINE | EXTERNAL,
        read: |draft, text| set(&mut draft.nodes, number(text)?),
    },
    Setting {
        name: "time",
        value: "TIME",
        about: "search at most this long a move, such as 100ms or 2s",
        kinds: ENGINE | EXTERNAL,
        read: |draft, text| set(&mut draft.time, parse_time(text)?),
    },
    Setting {
        name: "confidence",
        value: "PERCENT",
        about: "how sure to be of what is left out: 73, 87, 95, 98, 99, 100",
        kinds: ENGINE,
        read: |draft, text| set(&mut draft.confidence, text.parse()?),
    },
    Setting {
        name: "exact",
        value: "COUNT",
        about: "solve exactly from this many moves (empty squares) left on",
        kinds: ENGINE,
        read: |draft, text| set(&mut draft.exact_from, number(text)?),
    },
    Setting {
        name: "hash",
        value: "MIB",
        about: "the memory of the search tables [default: 16]",
        kinds: ENGINE,
        read: |draft, text| set(&mut draft.hash, number(text)?),
    },
    Setting {
        name: "no-database",
        value: "",
        about: "do without the endgame database, in games that have one",
        kinds: ENGINE,
        read: |draft, _| set(&mut draft.no_database, ()),
    },
    Setting {
        name: "database",
        value: "",
        about: "what the endgame database says, and a search of one ply where it says nothing",
        kinds: DATABASE,
        read: |draft, _| set(&mut draft.database, ()),
    },
    Setting {
        name: "random",
        value: "",
        about: "any legal move",
        kinds: RANDOM,
        read: |draft, _| set(&mut draft.random, ()),
    },
    Setting {
        name: "cmd",
        value: "\"COMMAND\"",
        about: "an external program; 'single quotes' hold an argument together",
        kinds: EXTERNAL,
        read: |draft, text| set(&mut draft.words, words(text)?),
    },
    Setting {
        name: "protocol",
        value: "NAME",
        about: "how to talk to it: nboard (tells depth), gtp (time), morris-text (all three)",
        kinds: EXTERNAL,
        read: |draft, text| set(&mut draft.protocol, text.parse()?),
    },
    Setting {
        name: "dir",
        value: "FOLDER",
        about: "the folder it runs in",
        kinds: EXTERNAL,
        read: |draft, text| set(&mut draft.folder, text.into()),
    },
    Setting {
        name: "start-timeout",
        value: "TIME",
        about: "how long it may take to start [default: 60s]",
        kinds: EXTERNAL,
        read: |draft, text| set(&mut draft.start_timeout, parse_time(text)?),
    },
    Setting {
        name: "ping-timeout",
        value: "TIME",
        about: "how long it may take to answer a ping [default: 10s]",
        kinds: EXTERNAL,
        read: |draft, text| set(&mut draft.ping_timeout, parse_time(text)?),
    },
    Setting {
        name: "move-timeout",
        value: "TIME",
        about: "how long it may take to choose a move [default: 300s]",
        kinds: EXTERNAL,
        read: |draft, text| set(&mut draft.move_timeout, parse_time(text)?),
    },
];

/// What has been read of a spec.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) name: Option<String>,
    depth: Option<u32>,
    level: Option<u32>,
    weights: Option<PathBuf>,
    nodes: Option<u64>,
    time: Option<Duration>,
    confidence: Option<Confidence>,
    exact_from: Option<u32>,
    hash: Option<u32>,
    simple: Option<bool>,
    no_database: Option<()>,
    pub(super) database: Option<()>,
    pub(super) random: Option<()>,
    pub(super) words: Option<Vec<String>>,
    protocol: Option<Protocol>,
    folder: Option<PathBuf>,
    start_timeout: Option<Duration>,
    ping_timeout: Option<Duration>,
    move_timeout: Option<Duration>,
}

impl Draft {
    /// Completes the player, whose settings are all of one kind.
    pub(super) fn finish(self) -> Result<Kind, SpecProblem> {
        let Self { depth, nodes, time, confidence, exact_from, hash, .. } = self;
        if let Some(words) = self.words {
            let default = Timeouts::default();
            return Ok(Kind::External {
                program: Program { words, folder: self.folder },
                protocol: self.protocol.ok_or(SpecProblem::NoProtocol)?,
                orders: Orders { depth, nodes, time },
                timeouts: Timeouts {
                    start: self.start_timeout.unwrap_or(default.start),
                    ping: self.ping_timeout.unwrap_or(default.ping),
                    choice: self.move_timeout.unwrap_or(default.choice),
                },
            });
        }
        if self.random.is_some() {
            return Ok(Kind::Random);
        }
        if self.database.is_some() {
            return Ok(Kind::Database);
        }
        let Self { level, weights, .. } = self;
        if level.is_some() && (depth.is_some() || exact_from.is_some() || confidence.is_some()) {
            return Err(SpecProblem::LevelAndBounds);
        }
        if level.is_none() && depth.is_none() && nodes.is_none() && time.is_none() {
            return Err(SpecProblem::NoBound);
        }
        let limits = Limits { depth, nodes, time, confidence, exact_from, ..Limits::default() };
        let (simple, database) = (self.simple.unwrap_or(false), self.no_database.is_none());
        Ok(Kind::Engine { limits, level, weights, simple, hash: hash.unwrap_or(DEFAULT_HASH), database })
    }
}

impl Setting {
    /// Returns how it is written.
    pub(super) fn form(&self) -> String {
        if self.value.is_empty() { self.name.to_owned() } else { format!("{}={}", self.name, self.value) }
    }
}

/// Returns the names of the settings of these kinds of players.
pub(super) fn names(kinds: u8) -> String {
    let of_kind = SETTINGS.iter().filter(|setting| setting.kinds & kinds != 0);
    of_kind.map(|setting| setting.name).collect::<Vec<_>>().join(", ")
}

/// Splits a command at blanks that are not within single quotes.
fn words(text: &str) -> Result<Vec<String>, SpecProblem> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut within = false;
    for c in text.chars() {
        match c {
            '\'' => {
                within = !within;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !within => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if within {
        return Err(SpecProblem::Quotes);
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) { Err(SpecProblem::NoProgram) } else { Ok(words) }
}

fn number<N: FromStr + Default + PartialEq>(text: &str) -> Result<N, SpecProblem> {
    text.parse().ok().filter(|number| *number != N::default()).ok_or_else(|| SpecProblem::Number(text.to_owned()))
}

/// Sets what is not set yet.
fn set<T>(place: &mut Option<T>, value: T) -> Result<(), SpecProblem> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(SpecProblem::Twice),
    }
}
