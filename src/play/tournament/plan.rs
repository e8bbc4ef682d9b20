//! [`MatchPlan`]: everything that determines a match.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use morello_core::game::{AnnotatedGame, AnyGame, Clock, GameData, Player, TimeControl};
use morello_core::provenance::{self, Provenance};
use thiserror::Error;

use super::game_runner::GameTimes;
use super::openings::{FindOpeningsError, OpeningSource};
use super::{FinishedGame, MatchRules, Pairing, ReadLogError, Schedule, Sprt, TournamentFormat};
use crate::players::{Spec, UnsupportedSpec};

/// By how much a clock may be exceeded by default, because other programs may briefly occupy the
/// processor.
const TIME_MARGIN: Duration = Duration::from_millis(50);

/// The time after which a move is reported as slow if the player has no time limit. Otherwise a
/// move is slow after three times the player's time, and at least [`LEAST_SLOW`].
const SLOW: Duration = Duration::from_secs(30);
const LEAST_SLOW: Duration = Duration::from_secs(1);

/// Creates a player of a game, with the game's endgame database if there is one.
pub type CreateEntrant =
    dyn Fn(&'static dyn AnyGame, Option<&GameData>) -> Result<Box<dyn Player>, UnsupportedSpec> + Send + Sync;

/// A participant in a match. Each thread has its own player.
///
/// A [`Spec`] converts to an entrant. Programs can also describe their own players:
///
/// ```
/// use morello::games;
/// use morello::players::{RandomPlayer, Spec};
/// use morello::tournament::{Entrant, MatchPlan};
///
/// let engine = Entrant::from("name=new,depth=4".parse::<Spec>()?);
/// assert_eq!((engine.name.as_str(), engine.text.as_str()), ("new", "name=new,depth=4"));
/// let own = Entrant {
///     name: "mine".to_owned(),
///     text: "mine".to_owned(),
///     settings: "a player of this program".to_owned(),
///     wants_database: false,
///     clock: None,
///     time: None,
///     player: Box::new(|_game, _database| Ok(Box::new(RandomPlayer::new(1)))),
/// };
/// MatchPlan::new(games::get("othello")?, vec![engine, own], 2).check()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Entrant {
    /// The name, which must be unique in the match.
    pub name: String,
    /// The settings, as text.
    pub text: String,
    /// The settings in words.
    pub settings: String,
    /// Whether the player uses the endgame database, if there is one.
    pub wants_database: bool,
    /// The player's clock for a game; `None` without a clock.
    pub clock: Option<TimeControl>,
    /// The player's time per move; `None` without one.
    pub time: Option<Duration>,
    /// Creates a player.
    pub player: Box<CreateEntrant>,
}

morello_core::debug_fields!(Entrant { name, text });

impl Entrant {
    /// Describes the player's time as match programs do in PGN files: `60+0.6`, or `0.1/move`.
    fn time_control(&self) -> Option<String> {
        let of_move = || self.time.map(|time| format!("{}/move", time.as_secs_f64()));
        self.clock.map(|clock| clock.to_string()).or_else(of_move)
    }
}

impl From<Spec> for Entrant {
    fn from(spec: Spec) -> Self {
        Self {
            name: spec.name().to_owned(),
            text: spec.text().to_owned(),
            settings: spec.to_string(),
            wants_database: spec.config.wants_database,
            clock: spec.config.clock,
            time: spec.config.time,
            player: Box::new(move |game, database| spec.player(game, database)),
        }
    }
}

/// The games of a match or a tournament, their players and their rules.
pub struct MatchPlan {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The participants, at least two.
    pub entrants: Vec<Entrant>,
    /// The games to play.
    pub schedule: Schedule,
    /// The openings.
    pub openings: OpeningSource,
    /// The conditions that end a game.
    pub rules: MatchRules,
    /// A test that ends a match of two players early.
    pub sprt: Option<Sprt>,
    /// The endgame database, for the players and for
    /// [`Adjudication::database`](super::Adjudication::database).
    pub database: Option<GameData>,
    /// The time limit per move. A player that exceeds it forfeits the game.
    pub move_limit: Duration,
    /// By how much a player may exceed its own time before it forfeits the game. `None` means 50 ms
    /// for clocks; times per move are then not enforced.
    pub time_margin: Option<Duration>,
    /// The maximum number of simultaneous games.
    pub threads: usize,
    /// Whether times are reported; they differ between runs.
    pub has_times: bool,
    /// What plays the match, recorded in its log, games and summary.
    pub provenance: Provenance,
    /// The games of an earlier run, which are counted and not played again.
    pub played: BTreeMap<u64, FinishedGame>,
}

morello_core::debug_fields!(MatchPlan { game, entrants, schedule, openings, threads });

/// Why a match cannot be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There are fewer than two participants.
    #[error("a match requires at least two engines; add another")]
    TooFew,
    /// Two participants have the same name.
    #[error("two engines have the name `{0}`; give them different names with name=")]
    SameName(String),
    /// There is an SPRT, which compares two players, but more take part.
    #[error("an SPRT requires exactly two engines, but {0} are given; remove the others")]
    SprtOfMany(usize),
    /// A player cannot be created or does not start.
    #[error("the engine `{name}` cannot play")]
    Player {
        /// The player's name.
        name: String,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] FindOpeningsError),
    /// An opening reaches the end of its game.
    #[error("opening {number} ends the game after {plies} plies")]
    OpeningEnds {
        /// The number of the opening, from 1.
        number: usize,
        /// The length of the opening, in plies.
        plies: usize,
    },
    /// A game of an earlier run does not match the schedule.
    #[error(transparent)]
    Played(#[from] ReadLogError),
}

impl MatchPlan {
    /// Returns a game of the match with everything that game files record: the game's own data, the
    /// match, the round, the engine settings and where it was played.
    ///
    /// # Panics
    /// If the recorded moves are not legal.
    #[must_use]
    pub fn annotated(&self, record: &FinishedGame) -> AnnotatedGame {
        let names = self.names();
        let mut annotated = record.annotated(&names);
        annotated.tags.tournament = Some(match names.as_slice() {
            [first, second] => format!("Match {first} - {second}"),
            names => format!("Tournament of {} engines", names.len()),
        });
        let Provenance { machine, settings, .. } = &self.provenance;
        let [black, white] = record.players.map(|player| self.entrants[player].text.clone());
        let [black_clock, white_clock] = record.players.map(|player| self.entrants[player].time_control());
        let is_common = black_clock == white_clock;
        let program = Some(self.provenance.program()).filter(|_| !self.provenance.is_empty());
        let tags = [
            ("Site", machine.clone()),
            ("Round", Some((record.game + 1).to_string())),
            ("BlackEngine", Some(black)),
            ("WhiteEngine", Some(white)),
            ("TimeControl", black_clock.clone().filter(|_| is_common)),
            ("BlackTimeControl", black_clock.filter(|_| !is_common)),
            ("WhiteTimeControl", white_clock.filter(|_| !is_common)),
            ("EndReason", record.end_reason.termination().map(|_| record.end_reason.to_string())),
            ("Program", program),
            ("Rules", settings.get("rules").cloned()),
        ];
        let known = tags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        annotated.tags.others = known.collect();
        annotated
    }

    /// Plans a round robin with random openings, the standard draw rules, ten minutes per move and
    /// one thread.
    ///
    /// Change its fields for other settings.
    ///
    /// ```
    /// use morello::games;
    /// use morello::players::Spec;
    /// use morello::tournament::MatchPlan;
    ///
    /// let entrants = vec!["depth=3".parse::<Spec>()?.into(), "depth=1".parse::<Spec>()?.into()];
    /// let plan = MatchPlan {
    ///     threads: 2,
    ///     sprt: Some("elo0=0,elo1=10".parse()?),
    ///     ..MatchPlan::new(games::get("othello")?, entrants, 2000)
    /// };
    /// plan.check()?;
    /// assert_eq!((plan.names(), plan.thread_count()), (vec!["depth=3", "depth=1"], 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &'static dyn AnyGame, entrants: Vec<Entrant>, games: u64) -> Self {
        let encounters = TournamentFormat::RoundRobin.encounters(entrants.len());
        Self {
            game,
            entrants,
            schedule: Schedule { encounters, ..Schedule::of_match(games, 1) },
            openings: OpeningSource::Random(game.opening_policy()),
            rules: MatchRules::new(game.standard_draw_rules()),
            sprt: None,
            database: None,
            move_limit: Duration::from_secs(600),
            time_margin: None,
            threads: 1,
            has_times: true,
            provenance: provenance::of_process(),
            played: BTreeMap::new(),
        }
    }

    /// Checks the number and the names of the participants.
    ///
    /// # Errors
    /// [`MatchError`] if the match cannot be played.
    pub fn check(&self) -> Result<(), MatchError> {
        let names = self.names();
        let is_repeated = |&number: &usize| names[..number].contains(&names[number]);
        match (names.len(), self.sprt, (0..names.len()).find(is_repeated)) {
            (0 | 1, ..) => Err(MatchError::TooFew),
            (3.., Some(_), _) => Err(MatchError::SprtOfMany(names.len())),
            (.., Some(number)) => Err(MatchError::SameName(names[number].to_owned())),
            _ => Ok(()),
        }
    }

    /// Returns the names of the participants.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.entrants.iter().map(|entrant| entrant.name.as_str()).collect()
    }

    /// Returns the players' time limits in a game, by color.
    pub(super) fn times(&self, pairing: &Pairing) -> GameTimes {
        let entrants = pairing.players.map(|player| &self.entrants[player]);
        let margin = self.time_margin;
        GameTimes {
            clock: Clock::of_sides(entrants.map(|entrant| entrant.clock)),
            margin: margin.unwrap_or(TIME_MARGIN),
            slow: entrants.map(|entrant| entrant.time.map_or(SLOW, |time| time.saturating_mul(3).max(LEAST_SLOW))),
            move_limits: entrants.map(|Entrant { time, .. }| match (time, margin) {
                (Some(time), Some(margin)) => self.move_limit.min(time.saturating_add(margin)),
                _ => self.move_limit,
            }),
        }
    }

    /// Returns the number of simultaneous games.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        self.threads.min(usize::try_from(self.schedule.games).unwrap_or(usize::MAX))
    }

    /// Returns the games of an earlier run that count, in order.
    pub(super) fn replayed(&self) -> impl DoubleEndedIterator<Item = &FinishedGame> {
        self.played.values().filter(|record| self.schedule.contains(record.game))
    }
}
