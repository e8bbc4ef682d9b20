//! [`BookEntry`]: the information in a book about a position.

use morello_core::game::{AnyMove, AnyPosition, Bounds, Certainty, Confidence, Position as _, Report, Score};
use morello_core::sorting;
use serde::{Deserialize, Serialize};

/// The revision of the search and its evaluation, on which the scores of a book depend. Increase it
/// when scores change noticeably.
pub const ENGINE_REVISION: u8 = 1;

/// Where a score comes from.
///
/// ```
/// use morello::book::Source;
///
/// assert_eq!(Source::THIS.name(), "morello-1");
/// assert_eq!(Source::from_name("edax"), Some(Source::Edax));
/// assert_eq!(Source::from_name("unheard-of"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// An unknown source, such as a score file.
    Unknown,
    /// An Edax book.
    Edax,
    /// An Egaroucid book.
    Egaroucid,
    /// An endgame database.
    Database,
    /// A search by morello, with the [revision](ENGINE_REVISION) of its engine.
    Engine(u8),
}

/// The sources in the order of their codes in files, followed by the engine revisions.
const SOURCES: [Source; 4] = [Source::Unknown, Source::Edax, Source::Egaroucid, Source::Database];
/// The code of engine revision 0.
const FIRST_ENGINE: u8 = 16;

impl Source {
    /// The current engine of morello.
    pub const THIS: Self = Self::Engine(ENGINE_REVISION);

    /// Returns the code used in files.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Engine(revision) => FIRST_ENGINE.saturating_add(revision),
            other => SOURCES.iter().position(|&source| source == other).map_or(0, |code| code as u8),
        }
    }

    /// Returns the source with this code. Codes of later versions are returned as unknown.
    pub(super) fn from_code(code: u8) -> Self {
        match code {
            FIRST_ENGINE.. => Self::Engine(code - FIRST_ENGINE),
            _ => SOURCES.get(usize::from(code)).copied().unwrap_or(Self::Unknown),
        }
    }

    /// Returns the name in tables, CSV and JSON: `morello-1` for engine revision 1.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Unknown => "unknown".to_owned(),
            Self::Edax => "edax".to_owned(),
            Self::Egaroucid => "egaroucid".to_owned(),
            Self::Database => "database".to_owned(),
            Self::Engine(revision) => format!("morello-{revision}"),
        }
    }

    /// Returns the source with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.strip_prefix("morello-") {
            Some(revision) => revision.parse().ok().map(Self::Engine),
            None => SOURCES.into_iter().find(|source| source.name() == name),
        }
    }
}

/// The certainties with their names, in the order of their codes in files.
pub(super) const CERTAINTIES: [(Certainty, &str); 4] = [
    (Certainty::Exact, "exact"),
    (Certainty::AtLeast, "at-least"),
    (Certainty::AtMost, "at-most"),
    (Certainty::Heuristic, "estimate"),
];

/// Returns the name of a certainty in rows.
#[must_use]
pub fn certainty_name(certainty: Certainty) -> &'static str {
    CERTAINTIES.iter().find(|(known, _)| *known == certainty).map_or("estimate", |&(_, name)| name)
}

/// How a score was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Provenance {
    /// Where the score comes from.
    pub source: Source,
    /// The depth of the search in plies, counted from the position in which the move is played.
    pub depth: u8,
    /// The confidence of the search.
    pub confidence: Confidence,
}

/// A score of a move or of a position, from the point of view of the side to move, with its
/// provenance.
///
/// ```
/// use morello::book::{BookScore, Provenance, Source};
/// use morello::game::{Certainty, Confidence, Score};
///
/// let of_depth = |depth| {
///     let provenance = Provenance { source: Source::THIS, depth, confidence: Confidence::LOWEST };
///     BookScore { score: Score::of(2, Certainty::Heuristic), provenance }
/// };
/// assert!(of_depth(12).is_better_than(&of_depth(8)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BookScore {
    /// The score. Its certainty shows whether it is exact, a bound or an estimate.
    pub score: Score,
    /// How the score was found.
    pub provenance: Provenance,
}

impl BookScore {
    /// Returns bounds on the result in points for the side to move: proved bounds, or else a 95 %
    /// interval. Estimates have no bounds if their error was not measured.
    #[must_use]
    pub fn bounds(&self, position: &AnyPosition) -> (Option<f64>, Option<f64>) {
        let Bounds { lower, upper } = self.score.bounds();
        if lower.is_some() || upper.is_some() {
            return (lower.map(f64::from), upper.map(f64::from));
        }
        let Provenance { depth, confidence, .. } = self.provenance;
        // The errors of other programs are unknown.
        let is_ours = matches!(self.provenance.source, Source::Engine(_));
        let empties = position.empty_count().filter(|_| depth > 0 && is_ours);
        let error = empties.and_then(|empties| position.game().score_error(empties, depth.into(), confidence));
        let points = self.score.points();
        let rounded = |value: f64| (value * 10.0).round() / 10.0;
        (error.map(|error| rounded(points - error)), error.map(|error| rounded(points + error)))
    }

    /// Returns the score from the opponent's point of view, one ply earlier. In games whose
    /// positions can recur, the ply is not counted. Otherwise, scores propagated around a cycle of
    /// positions would become deeper each time, and wins longer.
    #[must_use]
    pub(super) fn before(self, can_recur: bool) -> Self {
        let certainty = match self.score.certainty {
            Certainty::AtLeast => Certainty::AtMost,
            Certainty::AtMost => Certainty::AtLeast,
            other => other,
        };
        let plies = self.score.plies.filter(|_| !can_recur).map(|plies| plies.saturating_add(1));
        let score = Score { thousandths: -self.score.thousandths, certainty, plies };
        let depth = self.provenance.depth.saturating_add(u8::from(!can_recur));
        let provenance = Provenance { depth, ..self.provenance };
        Self { score, provenance }
    }

    /// Returns whether this score is more reliable than another: proved, or from a deeper search,
    /// or as deep and more confident.
    #[must_use]
    pub fn is_better_than(&self, other: &Self) -> bool {
        let rank = |of: &Self| (of.score.is_exact(), of.provenance.depth, of.provenance.confidence);
        rank(self) > rank(other)
    }
}

/// A move in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BookMove {
    /// The move.
    pub m: AnyMove,
    /// Its score.
    pub score: BookScore,
    /// Whether the position after the move is in the book. Then the score is the negamax score of
    /// that position.
    pub is_linked: bool,
}

/// The games that reached a position, counted for the side to move.
///
/// ```
/// use morello::book::GameCounts;
///
/// let mut games = GameCounts::default();
/// [Some(12.0), Some(-2.0), Some(4.0), None].into_iter().for_each(|points| games.add(points));
/// assert_eq!((games.wins, games.losses, games.unknown, games.total()), (2, 1, 1, 4));
/// assert_eq!(games.for_opponent().wins, 1);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameCounts {
    /// The games won.
    pub wins: u32,
    /// The games drawn.
    pub draws: u32,
    /// The games lost.
    pub losses: u32,
    /// The games without a result.
    pub unknown: u32,
}

impl GameCounts {
    /// Returns the number of games.
    #[must_use]
    pub fn total(&self) -> u64 {
        [self.wins, self.draws, self.losses, self.unknown].map(u64::from).iter().sum()
    }

    /// Adds a game. `points` is the margin by which the side to move won, negative for a loss;
    /// `None` if the result is unknown.
    pub fn add(&mut self, points: Option<f64>) {
        let count = match points {
            None => &mut self.unknown,
            Some(points) if points > 0.0 => &mut self.wins,
            Some(points) if points < 0.0 => &mut self.losses,
            Some(_) => &mut self.draws,
        };
        *count = count.saturating_add(1);
    }

    /// Returns the same games from the opponent's point of view.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        self.unknown = self.unknown.saturating_add(other.unknown);
    }
}

/// The information in a book about a position.
///
/// ```
/// use morello::book::BookEntry;
/// use morello::game::{EngineOptions, Game, Limits};
/// use morello::games;
///
/// let othello = games::get("othello-4x4")?;
/// let start = othello.start().canonical();
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// let report = searcher.best(&Game::new(start), &Limits::exact().with_lines(usize::MAX));
/// let entry = BookEntry::of_report(&start, &report, morello::book::today());
/// // The four first moves are images of each other, and the first player loses by 10.
/// assert!(entry.is_complete(&start) && entry.moves.len() == 1);
/// assert_eq!(entry.score(&start).map(|known| known.score.points()), Some(-10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct BookEntry {
    /// The scored moves, best first. Of several symmetric moves, only one is listed.
    pub moves: Vec<BookMove>,
    /// An upper limit on the scores of all other moves, as far as the search went: they are not
    /// better than this. `None` if there are no other moves, or nothing is known about them.
    pub rest: Option<BookScore>,
    /// The games that reached the position.
    pub games: GameCounts,
    /// The day on which a score was last improved, in days since 2020-01-01; 0 if never.
    pub day: u16,
}

impl BookEntry {
    /// Creates an entry from the report of a search of `position`, which must be canonical.
    #[must_use]
    pub fn of_report(position: &AnyPosition, report: &Report, day: u16) -> Self {
        let provenance = |score: &Score| {
            let depth = if score.is_exact() { position.empty_count().unwrap_or(report.depth) } else { report.depth };
            let confidence = if score.is_exact() { Confidence::FULL } else { report.confidence };
            // A database reports without a search.
            let source = if report.depth == 0 && score.is_exact() { Source::Database } else { Source::THIS };
            Provenance { source, depth: depth.min(255) as u8, confidence }
        };
        let scored = |score: Score| BookScore { score, provenance: provenance(&score) };
        let mut entry = Self { day, ..Self::default() };
        for line in &report.lines {
            let Some(&m) = line.pv.first() else { continue };
            let m = least_image(position, m);
            if entry.find(m).is_none() {
                entry.moves.push(BookMove { m, score: scored(line.score), is_linked: false });
            }
        }
        let is_complete = distinct_moves(position).iter().all(|&m| entry.find(m).is_some());
        entry.rest = report.lines.last().filter(|_| !is_complete && !entry.moves.is_empty()).map(|line| {
            let rest = scored(line.score);
            // The search proved that no other move is better.
            let certainty = if line.score.is_exact() { Certainty::AtMost } else { line.score.certainty };
            BookScore { score: Score { certainty, plies: None, ..rest.score }, ..rest }
        });
        entry.sort();
        entry
    }

    /// Returns the entry of a move.
    #[must_use]
    pub fn find(&self, m: AnyMove) -> Option<&BookMove> {
        self.moves.iter().find(|known| known.m == m)
    }

    /// Returns the best move.
    #[must_use]
    pub fn best(&self) -> Option<&BookMove> {
        self.moves.first()
    }

    /// Returns the moves that are at most `error` points worse than the best move, best first.
    pub fn within(&self, error: f64) -> impl Iterator<Item = &BookMove> {
        let best = self.best().map_or(0.0, |best| best.score.score.points());
        self.moves.iter().take_while(move |known| best - known.score.score.points() <= error + 1e-9)
    }

    /// Returns the score of the position, which is the score of the best move. It is exact only if
    /// all other moves are proved to be no better. If no moves are scored, the score is the limit
    /// of all moves. The depth and the confidence are the lowest among all scores of the position,
    /// because any of its moves may be misjudged. `position` is the position of the entry.
    #[must_use]
    pub fn score(&self, position: &AnyPosition) -> Option<BookScore> {
        let Some(best) = self.best() else { return self.rest };
        let best = best.score;
        let no_better = |other: &BookScore| {
            matches!(other.score.certainty, Certainty::Exact | Certainty::AtMost)
                && other.score.thousandths <= best.score.thousandths
        };
        // Without a limit, an unlisted move may be better.
        let is_proved = self.moves.iter().map(|known| &known.score).chain(&self.rest).all(no_better)
            && (self.rest.is_some() || best.score.certainty == Certainty::Heuristic || self.is_complete(position));
        let certainty = match best.score.certainty {
            Certainty::Exact if is_proved => Certainty::Exact,
            Certainty::Exact | Certainty::AtLeast => Certainty::AtLeast,
            Certainty::AtMost if is_proved => Certainty::AtMost,
            Certainty::AtMost | Certainty::Heuristic => Certainty::Heuristic,
        };
        let found = self.moves.iter().map(|known| &known.score).chain(&self.rest);
        let searched = found.filter(|score| !score.score.is_exact()).map(|score| score.provenance);
        let least = searched.min_by_key(|found| (found.depth, found.confidence));
        let Provenance { depth, confidence, .. } = least.unwrap_or(best.provenance);
        let provenance = Provenance { depth, confidence, ..best.provenance };
        let plies = best.score.plies.filter(|_| certainty == Certainty::Exact && self.has_all_plies(&best));
        Some(BookScore { score: Score { certainty, plies, ..best.score }, provenance })
    }

    /// Returns whether all moves with the same proved score as the best move have their plies.
    /// Otherwise another move may be the shortest win or longest loss.
    fn has_all_plies(&self, best: &BookScore) -> bool {
        let equal = self.moves.iter().map(|known| known.score.score);
        equal.filter(|score| score.thousandths == best.score.thousandths).all(|score| score.plies.is_some())
    }

    /// Returns whether every distinct legal move of the position has a score.
    #[must_use]
    pub fn is_complete(&self, position: &AnyPosition) -> bool {
        let is_known = |m: AnyMove| {
            let is_image = |known: &BookMove| least_image(position, known.m) == m;
            self.find(m).is_some() || self.moves.iter().any(is_image)
        };
        distinct_moves(position).into_iter().all(is_known)
    }

    /// Returns the lowest depth and confidence among the scores found by searches; `None` if there
    /// are none. Exact scores count as deep.
    #[must_use]
    pub fn search_depth(&self) -> Option<(u8, Confidence)> {
        let depth = |known: &BookMove| {
            let Provenance { depth, confidence, .. } = known.score.provenance;
            if known.score.score.is_exact() { (u8::MAX, Confidence::FULL) } else { (depth, confidence) }
        };
        self.moves.iter().map(depth).min()
    }

    /// Sorts the moves: the best score first, then the more reliable one, the shortest of proved
    /// wins and the longest of proved losses, then by number.
    pub(crate) fn sort(&mut self) {
        sorting::sort_by(&mut self.moves, &|a, b| {
            let plies = |score: Score| {
                let plies = score.plies.map(i64::from);
                if score.thousandths > 0 { plies.map_or(i64::MIN, |plies| -plies) } else { plies.unwrap_or(i64::MIN) }
            };
            let rank = |of: &BookMove| {
                let score = of.score.score;
                (score.thousandths, score.is_exact(), plies(score), of.score.provenance.depth)
            };
            rank(b).cmp(&rank(a)).then_with(|| u16::from(a.m).cmp(&u16::from(b.m)))
        });
    }

    /// Adds the information from another book about the same position: the more reliable scores,
    /// and all games.
    pub fn merge(&mut self, other: &Self) {
        for theirs in &other.moves {
            match self.moves.iter_mut().find(|own| own.m == theirs.m) {
                Some(own) if theirs.score.is_better_than(&own.score) => *own = *theirs,
                Some(_) => {}
                None => self.moves.push(*theirs),
            }
        }
        // The fewer moves are unlisted, the tighter the limit. It applies to the moves that neither
        // book lists.
        self.rest = match (self.rest, other.rest) {
            (Some(a), Some(b)) => Some(if b.is_better_than(&a) { b } else { a }),
            (a, b) => a.or(b),
        };
        self.games.merge(&other.games);
        self.day = self.day.max(other.day);
        self.sort();
    }

    /// Maps all moves by the `k`-th symmetry of the board.
    #[must_use]
    pub(super) fn transform(mut self, k: usize) -> Self {
        for known in &mut self.moves {
            known.m = known.m.transform(k);
        }
        self
    }
}

/// Returns the symmetries that map a position to itself. The first is the identity.
///
/// ```
/// use morello::book::own_symmetries;
/// use morello::game::Position as _;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// assert_eq!(own_symmetries(&start).len(), 4);
/// assert_eq!(own_symmetries(&start.after(start.parse_move("f5")?)), [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn own_symmetries(position: &AnyPosition) -> Vec<usize> {
    (0..position.game().info().symmetries).filter(|&k| position.transform(k) == *position).collect()
}

/// Returns the smallest image of a move under the symmetries of its position.
#[must_use]
pub fn least_image(position: &AnyPosition, m: AnyMove) -> AnyMove {
    let images = own_symmetries(position).into_iter().map(|k| m.transform(k));
    images.min_by_key(|&m| u16::from(m)).unwrap_or(m)
}

/// Returns the move that represents a move of a position in the entry of its canonical image.
///
/// ```
/// use morello::book::canonical_move;
/// use morello::game::Position as _;
/// use morello::games;
///
/// // The four first moves are images of each other.
/// let start = games::get("othello")?.start();
/// let [a, b] = ["f5", "d3"].map(|m| start.parse_move(m).expect("it is legal"));
/// assert_eq!(canonical_move(&start, a), canonical_move(&start, b));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn canonical_move(position: &AnyPosition, m: AnyMove) -> AnyMove {
    let canonical = position.canonical();
    let to = (0..position.game().info().symmetries).find(|&k| position.transform(k) == canonical);
    least_image(&canonical, m.transform(to.expect("a symmetry leads from every position to its canonical image")))
}

/// Returns the legal moves of a position, one per set of symmetric moves.
///
/// ```
/// use morello::book::{distinct_moves, least_image, move_images};
/// use morello::game::Position as _;
/// use morello::games;
///
/// let start = games::get("othello")?.start();
/// assert_eq!(start.count_moves(), 4);
/// let [only] = distinct_moves(&start)[..] else { panic!("the four first moves are equivalent") };
/// assert_eq!(move_images(&start, only).len(), 4);
/// assert_eq!(least_image(&start, start.parse_move("f5")?), only);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn distinct_moves(position: &AnyPosition) -> Vec<AnyMove> {
    let symmetries = own_symmetries(position);
    let is_least = |m: &AnyMove| symmetries.iter().all(|&k| u16::from(m.transform(k)) >= u16::from(*m));
    position.legal_moves().filter(is_least).collect()
}
