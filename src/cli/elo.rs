//! `morello elo`: ratings of players from the results of their games.

use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use morello_analysis::collection::SideResult;
use morello_command::files::Target;
use morello_command::progress::counted;
use morello_command::{eprint_line, files, help};
use morello_core::game::{AnnotatedGame, Color, Outcome, Scoring};
use morello_core::games;
use morello_core::printable::printable_lines;
use morello_files::input::GameRecord;
use morello_files::output::Value;
use morello_play::tournament::elo::{Pentanomial, Sample, Trinomial};
use morello_play::tournament::{Pool, Sprt, SprtSummary, Standing};
use thiserror::Error;

use super::games::query::{ReadingThreads, SourceArguments};

const EXAMPLES: &str = "\
Examples:
  morello elo --wins 60 --draws 20 --losses 40
  morello elo othello part-1.jsonl part-2.jsonl --sprt elo0=0,elo1=5
  morello elo othello matches.pgn games.ggf --anchor edax=2500 --min-games 20";

/// Rate players by their games, or by the counts of results
///
/// The games may be logs of selfplay or archives of others, of any number of matches together. The
/// two games of a pair in a log share an opening, so that the interval is computed from the pairs;
/// other games count as independent. A rating is in Elo, with a mean of 0 unless --anchor gives
/// some; the advantage of Black, who moves first, is estimated together with them. nElo is Elo in
/// units of the standard deviation of a game: it hardly depends on the openings and on the draws.
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
    /// Of two players, for the first. It also accepts alpha=0.05, beta=0.05 and model=logistic or
    /// normalized.
    #[arg(long, value_name = "SETTINGS", help_heading = help::OUTPUT)]
    sprt: Option<Sprt>,

    /// Rating of a player, such as edax=2500; repeatable
    #[arg(long, value_name = "NAME=ELO", help_heading = help::OUTPUT)]
    anchor: Vec<Anchor>,

    /// Omit players with fewer games
    #[arg(long, value_name = "N", default_value = "1", help_heading = help::OUTPUT)]
    min_games: u64,

    /// Write the result to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true,
        help_heading = help::OUTPUT)]
    output: Target,

    /// Result format
    #[arg(long, value_enum, default_value = "table", help_heading = help::OUTPUT)]
    format: RatingFormat,

    #[command(flatten)]
    threads: ReadingThreads,
}

/// Counts of results instead of games.
#[derive(Debug, Args)]
struct CountArguments {
    /// Games won, instead of files of games
    #[arg(long, value_name = "N", conflicts_with = "game", help_heading = help::INPUT)]
    wins: Option<u64>,

    /// Games drawn
    #[arg(long, value_name = "N", requires = "wins", help_heading = help::INPUT)]
    draws: Option<u64>,

    /// Games lost
    #[arg(long, value_name = "N", requires = "wins", help_heading = help::INPUT)]
    losses: Option<u64>,

    /// Pairs of games by their results: LL,LD,WL,DD,WD,WW
    ///
    /// Such as 3,10,41,20,12,5, as selfplay prints them. Five numbers mean that WL and DD are one.
    #[arg(long, value_name = "COUNTS", conflicts_with_all = ["game", "wins"], help_heading = help::INPUT)]
    pairs: Option<PairCounts>,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RatingFormat {
    /// Readable text
    Table,
    /// One JSON object
    Jsonl,
}

/// A given rating.
#[derive(Debug, Clone, PartialEq)]
struct Anchor {
    name: String,
    rating: f64,
}

/// The largest given rating, in Elo.
const MAX_RATING: f64 = 100_000.0;

/// An invalid [`Anchor`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected the name of a player and its rating, such as edax=2500")]
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
struct PairCounts(Pentanomial);

/// Invalid counts of pairs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected five or six numbers of pairs, such as 3,10,41,20,12,5 for LL,LD,WL,DD,WD,WW")]
struct ParsePairsError;

impl FromStr for PairCounts {
    type Err = ParsePairsError;

    fn from_str(text: &str) -> Result<Self, ParsePairsError> {
        let number = |text: &str| text.trim().parse().ok().filter(|&count: &u64| count <= MAX_COUNT);
        let counts: Option<Vec<u64>> = text.split(',').map(number).collect();
        match counts.as_deref() {
            Some(&[ll, ld, wl, dd, wd, ww]) => Ok(Self(Pentanomial { ll, ld, wl, dd, wd, ww })),
            Some(&[ll, ld, wl, wd, ww]) => Ok(Self(Pentanomial { ll, ld, wl, dd: 0, wd, ww })),
            _ => Err(ParsePairsError),
        }
    }
}

/// The largest count: sums of counts must fit.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

impl CountArguments {
    /// Returns the result of counts; `None` without any.
    fn standing(&self, sprt: Option<&Sprt>) -> anyhow::Result<Option<(Standing, Sample)>> {
        if let Some(PairCounts(pairs)) = self.pairs {
            let sample = pairs.sample();
            return Ok(Some((Standing::of_pairs(pairs, sprt), sample)));
        }
        let Some(wins) = self.wins else { return Ok(None) };
        let games = Trinomial { wins, draws: self.draws.unwrap_or(0), losses: self.losses.unwrap_or(0) };
        if [games.wins, games.draws, games.losses].iter().any(|&count| count > MAX_COUNT) {
            bail!("--wins, --draws and --losses are at most {MAX_COUNT}");
        }
        Ok(Some((Standing::of_sample(games, &games.sample(), sprt), games.sample())))
    }
}

/// A game, as far as ratings need it.
struct RatedGame {
    players: [String; 2],
    winner: Option<Color>,
    points: Option<i32>,
    logged: Option<(String, u64)>,
}

impl RatedGame {
    /// Reads a game; `None` without two players or a result. `places` are the columns of a log that
    /// identify a game.
    fn new(record: &GameRecord, places: [Option<usize>; 2]) -> Option<Self> {
        let AnnotatedGame { game, tags, .. } = &record.game;
        let [Some(black), Some(white)] = &tags.names else { return None };
        let result = SideResult::of(&record.game, Color::Black);
        let winner = Outcome::from_black_points(result.points.filter(|_| black != white)?).winner();
        let value = |place: Option<usize>| record.extra.get(place?);
        let logged = match places.map(value) {
            [Some(Value::Text(id)), Some(&Value::Integer(number))] => {
                u64::try_from(number).ok().map(|number| (id.clone(), number))
            }
            _ => None,
        };
        let has_points = game.start().game().info().scoring == Scoring::Margin;
        let points = record.game.black_score().filter(|_| has_points).map(|points| points as i32);
        Some(Self { players: [black.clone(), white.clone()], winner, points, logged })
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.output.path().is_some() {
        arguments.output.path().map_or(Ok(()), files::check_new)?;
    }
    if let Some((standing, sample)) = arguments.counts.standing(arguments.sprt.as_ref())? {
        let sprt = arguments.sprt.map(|sprt| SprtSummary::new(sprt, &sample));
        let text = standing.to_string() + &sprt.map_or_else(String::new, |sprt| format!("{sprt}\n"));
        arguments.write(&text, || serde_json::to_string(&standing))?;
        return Ok(ExitCode::SUCCESS);
    }
    let game = games::get(arguments.game.as_deref().unwrap_or_default())?;
    let query = arguments.source.open(game, &arguments.output.path().into_iter().collect::<Vec<_>>())?;
    let columns = query.reader.columns().names();
    let places = ["match", "game"].map(|name| columns.iter().position(|&column| column == name));
    let (mut pool, mut left_out) = (Pool::default(), 0);
    let read = move |record: GameRecord| RatedGame::new(&record, places);
    let counts = query.run(arguments.threads.count(), arguments.output.is_terminal(), read, &mut |game| {
        match game {
            None => left_out += 1,
            Some(RatedGame { players: [black, white], winner, points, logged }) => {
                let logged = logged.as_ref().map(|(id, number)| (id.as_str(), *number));
                pool.add([&black, &white], winner, points, logged);
            }
        }
        Ok(())
    })?;
    let anchors: Vec<_> = arguments.anchor.iter().map(|anchor| (anchor.name.as_str(), anchor.rating)).collect();
    let summary = pool.summary(arguments.sprt.as_ref(), &anchors).map_err(|name| unknown(&name, &pool))?;
    if arguments.sprt.is_some() && summary.sprt.is_none() {
        bail!(
            "--sprt is of two players, but the games have {}: select some with --player and --opponent",
            pool.names().len()
        );
    }
    let summary = summary.with_min_games(arguments.min_games);
    arguments.write(&summary.to_string(), || serde_json::to_string(&summary))?;
    if left_out > 0 {
        eprint_line(format_args!("left out {} without two players or a result", counted(left_out, "game")));
    }
    if pool.repeated() > 0 {
        eprint_line(format_args!("{} occur twice in the logs, and count once", counted(pool.repeated(), "game")));
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

impl Arguments {
    fn write(&self, text: &str, json: impl FnOnce() -> serde_json::Result<String>) -> anyhow::Result<()> {
        let mut sink = self.output.replace()?;
        match self.format {
            RatingFormat::Table => write!(sink, "{}", printable_lines(text))?,
            RatingFormat::Jsonl => writeln!(sink, "{}", json()?)?,
        }
        sink.flush().with_context(|| files::cannot_write(&self.output))
    }
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
        let pairs = |text: &str| text.parse::<PairCounts>().map(|PairCounts(pairs)| pairs);
        assert_eq!(pairs("1,2,3,4,5"), Ok(Pentanomial { ll: 1, ld: 2, wl: 3, dd: 0, wd: 4, ww: 5 }));
        assert_eq!(pairs("1, 2,3,4,5,6"), Ok(Pentanomial { ll: 1, ld: 2, wl: 3, dd: 4, wd: 5, ww: 6 }));
        for text in ["", "1,2,3,4", "1,2,3,4,5,6,7", "1,2,3,4,-5", "1,2,3,4,18446744073709551615"] {
            assert_eq!(pairs(text), Err(ParsePairsError), "{text}");
        }
    }
}
