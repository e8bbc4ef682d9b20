//! [`OpeningSource`]: where the openings of a match come from.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use morello_core::bounded_file::{self, MAX_DATA_BYTES};
use morello_core::fnv::Fnv1a;
use morello_core::game::{AnyGame, Cancel, DrawRules, OpeningPolicy};
use morello_files::book::{Book, BookError};
use morello_files::input::{Input, ReadError};
use thiserror::Error;

use super::balance::BalanceChecker;
use super::{
    Balance, Opening, OpeningFile, OpeningSet, OpeningSummary, RandomOpenings, ReadOpeningsError, TooManyPositions,
    all_openings, book_openings, read,
};
use crate::tournament::FinishedGame;

/// Where the openings of a match come from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OpeningSource {
    /// These openings, in this order.
    List(Vec<Opening>),
    /// Random moves.
    Random(OpeningPolicy),
    /// All positions, up to symmetry, after the policy's minimum number of plies, in an order
    /// determined by the seed.
    All(OpeningPolicy),
    /// A file of positions and games, in file order.
    File {
        /// The file.
        file: PathBuf,
        /// The end of the range is the maximum number of plies taken from each game; `None` takes
        /// all.
        plies: Option<RangeInclusive<u32>>,
        /// Skips openings that are not balanced; `None` accepts all.
        balance: Option<Balance>,
    },
    /// The balanced positions of an opening book, in an order determined by the seed.
    Book {
        /// The number of plies and the highest score of the positions. The scores come from the
        /// book; nothing is searched.
        policy: OpeningPolicy,
        /// Whether only the positions where the book ends are openings.
        exits: bool,
        /// The file; `None` means the built-in book.
        file: Option<PathBuf>,
    },
}

/// The number of file openings searched between two progress reports.
const CHECKED_AT_ONCE: usize = 64;

/// Why there are no openings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindOpeningsError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadOpeningsError),
    /// There are too many openings to enumerate.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// The opening book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// There is no built-in opening book for the game.
    #[error("{0} has no built-in book; name one with --book")]
    NoBook(&'static str),
    /// No opening meets the policy.
    #[error("no opening is balanced enough; allow other plies or a higher score")]
    None,
}

impl OpeningSource {
    /// Returns text that, together with the seed, identifies the openings.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn identity(&self) -> Result<String, ReadOpeningsError> {
        let digest = |file: &Path| {
            let failed = |source| ReadError { file: file.display().to_string(), source };
            let content = bounded_file::read_file(file, MAX_DATA_BYTES).map_err(failed)?;
            Ok::<_, ReadError>(Fnv1a::new().add_bytes(&content).finish())
        };
        Ok(match self {
            Self::List(openings) => format!("{openings:?}"),
            Self::Random(policy) => format!("{policy:?} false"),
            Self::All(policy) => format!("{policy:?} true"),
            Self::Book { policy, exits, file } => {
                format!("{policy:?} {exits} {:x?}", file.as_deref().map(digest).transpose()?)
            }
            Self::File { file, plies, balance } => format!("{plies:?} {balance:?} {:x}", digest(file)?),
        })
    }

    /// Returns the first opening that does not begin at the standard start position, with its line
    /// number. Only files can contain one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn first_set_up(&self, game: &'static dyn AnyGame) -> Result<Option<(u64, Opening)>, ReadOpeningsError> {
        let Self::File { file, plies, .. } = self else { return Ok(None) };
        let OpeningFile { openings, lines, .. } = read_file(game, file, plies.as_ref())?;
        Ok(lines.into_iter().zip(openings).find(|(_, opening)| !opening.start.is_start()))
    }

    /// Returns the openings; `None` if cancelled. Random openings are drawn later, except the first
    /// one, and do not end the game under `rules`. With [`All`](Self::All), `on_progress` receives
    /// the number of openings checked so far and the total.
    ///
    /// ```
    /// use morello::game::{Cancel, DrawRules, OpeningPolicy};
    /// use morello::games;
    /// use morello::tournament::openings::OpeningSource;
    ///
    /// let source = OpeningSource::All(OpeningPolicy { plies: 2..=2, depth: 0, most_points: 0.0 });
    /// let found = source.find(games::get("othello")?, DrawRules::default(), 1, 1, &Cancel::new(), &mut |_, _| ())?;
    /// assert_eq!(found.expect("it was not cancelled").summary(3).count, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FindOpeningsError`] if the file is invalid, or there are no openings or too many.
    pub fn find(
        &self,
        game: &'static dyn AnyGame,
        rules: DrawRules,
        seed: u64,
        threads: usize,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Option<OpeningSet>, FindOpeningsError> {
        let set = match self {
            Self::List(openings) => OpeningSet::new(openings.clone(), "from a list".to_owned(), None),
            Self::File { file, plies, balance } => {
                let OpeningFile { mut openings, duplicates, left_out, remarks, .. } =
                    read_file(game, file, plies.as_ref())?;
                let mut unbalanced = String::new();
                if let &Some(balance) = balance {
                    let read = openings.len();
                    openings = match keep_balanced(game, openings, balance, threads, cancel, on_progress) {
                        Some(openings) => openings,
                        None => return Ok(None),
                    };
                    let (rejected, Balance { depth, most_points }) = (read - openings.len(), balance);
                    unbalanced =
                        format!(", {rejected} with more than {most_points} points for a side at depth {depth}");
                }
                let duplicates = match duplicates {
                    0 => String::new(),
                    _ => format!(", {duplicates} with the position of another"),
                };
                let skipped = match left_out {
                    0 => String::new(),
                    _ => format!(", {left_out} games skipped that end within these plies"),
                };
                let remarks = match remarks {
                    0 => String::new(),
                    _ => format!(", {remarks} names or remarks left out"),
                };
                let source = format!("from `{}`{duplicates}{skipped}{remarks}{unbalanced}", file.display());
                OpeningSet::new(openings, source, None)
            }
            Self::Book { policy, exits, file } => {
                let book = match file {
                    Some(file) => Book::open(file, game)?,
                    None => Book::built_in(game).ok_or(FindOpeningsError::NoBook(game.name()))??,
                };
                let openings = book_openings(game, &book, policy, *exits, seed)?;
                let place = match exits {
                    true => "where the opening book ends".to_owned(),
                    false => format!("of the opening book after {} plies", describe_plies(policy)),
                };
                let source = format!("{place}, at most {} points for either side", policy.most_points);
                OpeningSet::new(openings, source, Some(policy))
            }
            Self::All(policy) => {
                let plies = *policy.plies.start();
                let found = all_openings(game, plies, Balance::from(policy), seed, threads, cancel, on_progress)?;
                let Some(openings) = found else { return Ok(None) };
                let source = format!("of all {} after {plies} plies{}", openings.len(), describe_balance(policy));
                OpeningSet::new(openings, source, Some(policy))
            }
            Self::Random(policy) => {
                let source = format!("with {} random plies{}", describe_plies(policy), describe_balance(policy));
                OpeningSet::random(RandomOpenings::new(game, policy.clone(), rules, seed), source, policy)
            }
        };
        match set.opening(0, cancel) {
            Some(_) => Ok(Some(set)),
            None if cancel.is_cancelled() => Ok(None),
            None => Err(FindOpeningsError::None),
        }
    }

    /// Summarizes the openings of the games of an earlier run. Used if this run was interrupted
    /// before it found openings.
    #[must_use]
    pub fn interrupted<'a>(&self, games: impl Iterator<Item = &'a FinishedGame>) -> OpeningSummary {
        let openings: BTreeMap<_, _> = games.map(|game| (game.opening, game.opening_plies as u32)).collect();
        let policy = match self {
            Self::Random(policy) | Self::All(policy) | Self::Book { policy, .. } => Some(policy),
            Self::File { .. } | Self::List(_) => None,
        };
        let source = "from the games so far; interrupted before more were found".to_owned();
        OpeningSummary::new(&openings.into_values().collect::<Vec<_>>(), source, policy)
    }
}

/// Returns the openings that are balanced; `None` if cancelled.
fn keep_balanced(
    game: &'static dyn AnyGame,
    openings: Vec<Opening>,
    balance: Balance,
    threads: usize,
    cancel: &Cancel,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Option<Vec<Opening>> {
    let checker = BalanceChecker::new(game, balance);
    let (mut kept, all) = (Vec::new(), openings.len());
    for (number, part) in openings.chunks(CHECKED_AT_ONCE).enumerate() {
        on_progress(number * CHECKED_AT_ONCE, all);
        let games = part.iter().map(|opening| opening.game(DrawRules::default()));
        // An opening that ends its game is reported later.
        let games: Vec<_> = games.map(|game| game.expect("the moves of an opening are legal")).collect();
        let balanced = checker.are_balanced(&games, threads, cancel);
        if cancel.is_cancelled() {
            return None;
        }
        let openings = part.iter().zip(balanced).filter(|&(_, is_balanced)| is_balanced);
        kept.extend(openings.map(|(opening, _)| opening.clone()));
    }
    Some(kept)
}

fn read_file(
    game: &'static dyn AnyGame,
    file: &Path,
    plies: Option<&RangeInclusive<u32>>,
) -> Result<OpeningFile, ReadOpeningsError> {
    read(game, Input::File(file.to_owned()), plies.map(|plies| *plies.end() as usize))
}

/// Describes the number of plies of a policy.
fn describe_plies(policy: &OpeningPolicy) -> String {
    let (least, most) = (policy.plies.start(), policy.plies.end());
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// Describes the balance criterion of a policy.
fn describe_balance(policy: &OpeningPolicy) -> String {
    match policy.depth {
        0 => String::new(),
        depth => format!(", at most {} points for either side at depth {depth}", policy.most_points),
    }
}
