//! `morello elo`: ratings of players from the results of their games.

use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::Args;
use morello_analysis::collection::SideResult;
use morello_command::progress::counted;
use morello_command::{eprint_line, help, numbers};
use morello_core::game::{AnnotatedGame, Color, Outcome, Scoring, Wdl};
use morello_core::games;
use morello_files::input::GameRecord;
use morello_files::output::Value;
use morello_play::tournament::elo::{Pentanomial, Sample};
use morello_play::tournament::{LoggedGame, Pool, Sprt, SprtSummary, Standing};
use serde_json::Value as Json;
use thiserror::Error;

use super::games::query::{ReadingThreads, SourceArguments};
use super::object_output::ObjectOutput;

const EXAMPLES: &str = "\
Examples:
  morello elo --wins 60 --draws 20 --losses 40
  morello elo othello part-1.jsonl part-2.jsonl --sprt elo0=0,elo1=5
  morello elo othello matches.pgn games.ggf --anchor edax=2500 --min-games 20";

/// Rate players from their games or from result counts
///
/// The files may be selfplay logs and game archives in any format, from any number of matches. In a
/// log, the two games of a pair share an opening, so the interval is computed from the pairs; other
/// games count as independent. Ratings are in Elo, with a mean of 0 unless --anchor fixes some. The
/// advantage of Black, who moves first, is estimated together with the ratings. nElo (normalized
/// Elo) is Elo scaled by the standard deviation of a game; it hardly depends on the openings or on
/// the number of draws.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game, unless counts are given
    #[arg(value_parser = help::game_parser(), required_unless_present_any = ["wins", "pairs"])]
    game: Option<String>,

    #[command(flatten)]
    source: SourceArguments,

    #[command(flatten)]
    counts: CountArguments,

    /// Add the log-likelihood ratio of an SPRT, such as elo0=0,elo1=5
    ///
    /// The ratio is for the first of two players. An SPRT also accepts alpha=0.05, beta=0.05 and
    /// model=logistic or normalized.
    #[arg(long, value_name = "SETTINGS", help_heading = help::GAMES)]
    sprt: Option<Sprt>,

    /// Fixed rating of a player, such as edax=2500; repeatable
    #[arg(long, value_name = "NAME=ELO", help_heading = help::OUTPUT, conflicts_with_all = ["wins", "pairs"])]
    anchor: Vec<Anchor>,

    /// Omit players with fewer games
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::OUTPUT, hide_short_help = true,
        value_parser = numbers::whole(0..=MAX_COUNT))]
    min_games: u64,

    #[command(flatten)]
    output: ObjectOutput,

    #[command(flatten)]
    threads: ReadingThreads,
}

/// Counts of results instead of games.
#[derive(Debug, Args)]
struct CountArguments {
    /// Games won, with --draws and --losses instead of game files
    #[arg(long, value_name = "N", conflicts_with = "game", help_heading = help::INPUT,
        value_parser = numbers::whole(0..=MAX_COUNT))]
    wins: Option<u64>,

    /// Games drawn
    #[arg(long, value_name = "N", requires = "wins", help_heading = help::INPUT, hide_short_help = true,
        value_parser = numbers::whole(0..=MAX_COUNT))]
    draws: Option<u64>,

    /// Games lost
    #[arg(long, value_name = "N", requires = "wins", help_heading = help::INPUT, hide_short_help = true,
        value_parser = numbers::whole(0..=MAX_COUNT))]
    losses: Option<u64>,

    /// Game pairs by their results: LL,LD,WL,DD,WD,WW
    ///
    /// An example is 3,10,41,20,12,5, as selfplay prints it. If there are five numbers, the third
    /// is the sum of WL and DD.
    #[arg(long, value_name = "COUNTS", conflicts_with_all = ["game", "wins"], help_heading = help::INPUT,
        hide_short_help = true)]
    pairs: Option<PairCounts>,
}

/// A given rating.
#[derive(Debug, Clone, PartialEq)]
struct Anchor {
    name: String,
    rating: f64,
}

/// The largest given rating, in Elo.
const MAX_RATING: f64 = 10_000.0;

/// An invalid [`Anchor`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a player and a rating from -{MAX_RATING} to {MAX_RATING}, such as edax=2500")]
struct ParseAnchorError;

impl FromStr for Anchor {
    type Err = ParseAnchorError;

    fn from_str(text: &str) -> Result<Self, ParseAnchorError> {
        let (name, rating) = text.rsplit_once('=').ok_or(ParseAnchorError)?;
        let rating = rating.trim().parse().ok().filter(|rating: &f64| rating.abs() <= MAX_RATING);
        Ok(Self { name: name.to_owned(), rating: rating.ok_or(ParseAnchorError)? })
    }
}

/// Counts of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PairCounts {
    pairs: Pentanomial,
    /// Whether WL and DD are counted apart.
    tells_draws: bool,
}

/// Invalid counts of pairs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "expected five or six numbers of pairs, such as 3,10,41,20,12,5 for LL,LD,WL,DD,WD,WW, each at most {MAX_COUNT}"
)]
struct ParsePairsError;

impl FromStr for PairCounts {
    type Err = ParsePairsError;

    fn from_str(text: &str) -> Result<Self, ParsePairsError> {
        let number = |text: &str| text.trim().parse().ok().filter(|&count: &u64| count <= MAX_COUNT);
        let counts: Option<Vec<u64>> = text.split(',').map(number).collect();
        match counts.as_deref() {
            Some(&[ll, ld, wl, dd, wd, ww]) => {
                Ok(Self { pairs: Pentanomial { ll, ld, wl, dd, wd, ww }, tells_draws: true })
            }
            Some(&[ll, ld, wl, wd, ww]) => {
                Ok(Self { pairs: Pentanomial { ll, ld, wl, dd: 0, wd, ww }, tells_draws: false })
            }
            _ => Err(ParsePairsError),
        }
    }
}

/// The largest count: sums of counts must fit.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// The result of counts: as text, and as an object, without wins, draws, losses and pairs if the
/// pairs do not tell draws.
struct CountedResult {
    text: String,
    object: Json,
}

impl CountArguments {
    /// Returns the result of counts; `None` without any.
    fn result(&self, sprt: Option<Sprt>) -> anyhow::Result<Option<CountedResult>> {
        let (standing, sample, tells_draws) = match (self.pairs, self.wins) {
            (Some(PairCounts { pairs, tells_draws }), _) => {
                (Standing::of_pairs(pairs, sprt.as_ref()), pairs.sample(), tells_draws)
            }
            (None, None) => return Ok(None),
            (None, Some(wins)) => {
                let games = Wdl { wins, draws: self.draws.unwrap_or(0), losses: self.losses.unwrap_or(0) };
                if [games.wins, games.draws, games.losses].iter().any(|&count| count > MAX_COUNT) {
                    bail!("--wins, --draws and --losses are at most {MAX_COUNT}");
                }
                if games.total() == 0 {
                    bail!("there are no games: --wins, --draws and --losses are 0");
                }
                {
                    let sample = Sample::of_games(games);
                    (Standing::of_sample(games, &sample, sprt.as_ref()), sample, true)
                }
            }
        };
        let (mut text, mut object) = (standing.to_string(), serde_json::to_value(&standing)?);
        if let Some(fields) = object.as_object_mut().filter(|_| !tells_draws) {
            ["wins", "draws", "losses", "pentanomial"].iter().for_each(|field| drop(fields.shift_remove(*field)));
            text = text.split_inclusive('\n').filter(|line| line.starts_with("Elo")).collect();
        }
        if let Some(sprt) = sprt.map(|sprt| SprtSummary::new(sprt, &sample)) {
            object["sprt"] = serde_json::to_value(sprt)?;
            text += &format!("{sprt}\n");
        }
        Ok(Some(CountedResult { text, object }))
    }
}

/// A game, as far as ratings need it.
struct RatedGame {
    players: [String; 2],
    winner: Option<Color>,
    points: Option<i32>,
    logged: Option<(String, u64, String)>,
    file: Arc<str>,
}

/// The columns of a log that identify a game: the match, the number, that in a converted log, and
/// the checksum, without which a line is not of a log.
const LOG_COLUMNS: [&str; 4] = ["match", "game", "input_game", "checksum"];

impl RatedGame {
    /// Reads a game; `None` without two players or a result. `places` are the columns of a log that
    /// identify a game.
    fn new(record: &GameRecord, places: [Option<usize>; 4]) -> Option<Self> {
        let AnnotatedGame { game, tags, .. } = &record.game;
        let [Some(black), Some(white)] = &tags.names else { return None };
        let result = SideResult::of(&record.game, Color::Black);
        let winner = Outcome::from_black_points(result.points.filter(|_| black != white)?).winner();
        let value = |place: Option<usize>| record.extra.get(place?);
        let logged = match places.map(value) {
            [Some(Value::Text(id)), number, converted, Some(Value::Text(sum))] if sum.len() == 16 => {
                let number = [converted, number].into_iter().flatten().find_map(|value| match value {
                    Value::Integer(number) => u64::try_from(*number).ok(),
                    _ => None,
                });
                number.map(|number| (id.clone(), number, game.start().game().write_moves(game)))
            }
            _ => None,
        };
        let has_points = game.start().game().info().scoring == Scoring::Margin;
        let points = record.game.black_score().filter(|_| has_points).map(|points| points as i32);
        Some(Self { players: [black.clone(), white.clone()], winner, points, logged, file: Arc::clone(&record.file) })
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output.reserve()?;
    if let Some(result) = arguments.counts.result(arguments.sprt)? {
        output.write(&arguments.output.render(&result.text, || Ok(result.object))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let game = games::get(arguments.game.as_deref().unwrap_or_default())?;
    let query = arguments.source.open(game, &arguments.output.path().into_iter().collect::<Vec<_>>())?;
    let columns = query.reader.columns().names();
    let places = LOG_COLUMNS.map(|name| columns.iter().position(|&column| column == name));
    let (mut pool, mut left_out) = (Pool::default(), 0);
    let read = move |record: GameRecord| RatedGame::new(&record, places);
    let counts = query.run(arguments.threads.count(), arguments.output.is_on_terminal(), read, &mut |game| {
        match game {
            None => left_out += 1,
            Some(RatedGame { players: [black, white], winner, points, logged, file }) => {
                let logged = logged.as_ref();
                let logged = logged.map(|(id, number, moves)| LoggedGame { log: &file, id, number: *number, moves });
                pool.add([&black, &white], winner, points, logged);
            }
        }
        Ok(())
    })?;
    for (number, Anchor { name, .. }) in arguments.anchor.iter().enumerate() {
        if arguments.anchor[..number].iter().any(|other| other.name == *name) {
            bail!("--anchor: the rating of `{name}` is given twice");
        }
    }
    let anchors: Vec<_> = arguments.anchor.iter().map(|anchor| (anchor.name.as_str(), anchor.rating)).collect();
    let summary = pool.summary(arguments.sprt.as_ref(), &anchors).map_err(|name| unknown(&name, &pool))?;
    if arguments.sprt.is_some() && summary.sprt.is_none() {
        bail!(
            "--sprt compares two players, but the games have {}; select two with --player and --opponent",
            pool.names().len()
        );
    }
    let summary = summary.with_min_games(arguments.min_games);
    output.write(&arguments.output.render(&summary.to_string(), || serde_json::to_value(&summary))?)?;
    if summary.group_count > 1 {
        eprint_line(format_args!(
            "the players are in {} groups without games between them; ratings from different groups cannot be compared",
            summary.group_count
        ));
    }
    if left_out > 0 {
        eprint_line(format_args!("skipped {} without two different players or a result", counted(left_out, "game")));
    }
    if pool.repeated() > 0 {
        eprint_line(format_args!("skipped {} that the logs repeat", counted(pool.repeated(), "game")));
    }
    counts.print();
    counts.exit_code(0)
}

/// Makes the error of an anchor who does not play.
fn unknown(name: &str, pool: &Pool) -> anyhow::Error {
    let nearest = pool.names().iter().find(|known| known.eq_ignore_ascii_case(name));
    let hint = nearest.map_or_else(
        || "`morello games players` lists the names".to_owned(),
        |known| format!("did you mean `{known}`?"),
    );
    anyhow!("--anchor: no player has the name `{name}`: {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_anchors_and_pairs() {
        let anchor = |text: &str| text.parse::<Anchor>();
        assert_eq!(anchor("a=b=-12.5"), Ok(Anchor { name: "a=b".to_owned(), rating: -12.5 }));
        for text in ["edax", "edax=", "edax=x", "edax=NaN", "edax=1e9"] {
            assert_eq!(anchor(text), Err(ParseAnchorError), "{text}");
        }
        let pairs = |text: &str| text.parse::<PairCounts>().map(|counts| counts.pairs);
        assert_eq!(pairs("1,2,3,4,5"), Ok(Pentanomial { ll: 1, ld: 2, wl: 3, dd: 0, wd: 4, ww: 5 }));
        assert_eq!(pairs("1, 2,3,4,5,6"), Ok(Pentanomial { ll: 1, ld: 2, wl: 3, dd: 4, wd: 5, ww: 6 }));
        for text in ["", "1,2,3,4", "1,2,3,4,5,6,7", "1,2,3,4,-5", "1,2,3,4,18446744073709551615"] {
            assert_eq!(pairs(text), Err(ParsePairsError), "{text}");
        }
    }
}
