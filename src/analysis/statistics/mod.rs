//! [`Statistics`] of the rows of an analysis, in bounded memory.
//!
//! Scores and depths are counted by value, so their quantiles are exact; times are counted by their
//! first three digits. A quantile is the smallest value such that at least the given share of all
//! values does not exceed it.

use std::collections::BTreeMap;
use std::time::Duration;

use morello_core::game::{Certainty, Score, Wdl};
use morello_core::provenance::{self, Provenance};
use serde::{Deserialize, Serialize};

use super::{AnalysisRow, PlayStatistics, PlaySummary, row::Analysis};

/// Maximum number of bins in the histogram of scores.
const MAX_BINS: i64 = 12;

/// The statistics of the rows so far. Checkpoints store them with serde.
///
/// ```
/// use morello::analysis::{self, AnalysisOptions, PlayStatistics, Statistics};
/// use morello::game::Limits;
/// use morello::games;
/// use morello::input::{Input, Reader};
///
/// let game = games::get("othello-4x4")?;
/// let reader = Reader::of(game, Input::Text("-----OX--XO----- X\nx\n".to_owned()))?;
/// let rows = analysis::rows(reader, &AnalysisOptions::new(Limits::exact()))?;
/// let mut statistics = Statistics::default();
/// rows.iter().for_each(|row| statistics.add(row));
/// let summary = statistics.summary(game.name(), None, &PlayStatistics::default());
/// assert_eq!((summary.positions, summary.bad_lines, summary.exact), (1, 1, 1));
/// assert_eq!(summary.scores.map(|scores| scores.mean), Some(-10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Statistics {
    positions: u64,
    bad_lines: u64,
    exact: u64,
    bounded: u64,
    failures: u64,
    outcomes: Wdl,
    bound_outcomes: BoundOutcomes,
    signs: ScoreSigns,
    /// Counts of the scores that are not bounds, keyed by thousandths of a point.
    scores: BTreeMap<i32, u64>,
    depths: BTreeMap<u64, u64>,
    nodes: u64,
    /// Counts of positions by the binary logarithm of their nodes, rounded down.
    nodes_log2: BTreeMap<u64, u64>,
    by_empties: BTreeMap<u32, EmptiesStatistics>,
    /// Counts of positions by the first three digits of their microseconds.
    times: BTreeMap<u64, u64>,
    /// Counts of positions by the binary logarithm of their microseconds, rounded down.
    times_log2: BTreeMap<u64, u64>,
    /// The exact longest time, in microseconds.
    longest: u64,
    agreement: ExpectationAgreement,
    /// The sum and number of the differences from expected scores, in thousandths of a point, for
    /// scores that are not bounds.
    error_sum: u64,
    error_count: u64,
}

/// The statistics of the positions with a number of empty squares.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct EmptiesStatistics {
    positions: u64,
    nodes: u64,
    microseconds: u64,
    error_sum: u64,
    error_count: u64,
}

/// More rows than any run can have: sums of counts up to this do not overflow.
const MAX_COUNT: u64 = 1 << 56;

/// Returns the sum of counts, unless it overflows.
fn sum<K>(counts: &BTreeMap<K, u64>) -> Option<u64> {
    counts.values().try_fold(0u64, |sum, &count| sum.checked_add(count))
}

/// Returns a number with its first three digits, the others being zeros.
fn three_digits(number: u64) -> u64 {
    let unit = 10u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(2));
    number - number % unit
}

/// The numbers of rows with only a score bound, by the result that the bound proves for the side to
/// move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BoundOutcomes {
    /// Won.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Not decided.
    pub open: u64,
}

/// The numbers of rows with an unproved score, by its sign.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoreSigns {
    /// Above zero: good for the side to move.
    pub positive: u64,
    /// Zero.
    pub zero: u64,
    /// Below zero.
    pub negative: u64,
}

/// How many rows agree with the expected scores and moves of the input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ExpectationAgreement {
    /// The number of rows with an expected result.
    pub expected: u64,
    /// The number of those rows whose input names a best move.
    pub named_moves: u64,
    /// The number of rows in `named_moves` whose move is an expected best move, or compatible with
    /// a bound.
    pub moves: u64,
    /// The number of rows in `expected` whose score is the highest expected score, or a bound
    /// compatible with it.
    pub scores: u64,
    /// The mean absolute difference between the score and the highest expected score, in points,
    /// for scores that are not bounds.
    pub mean_absolute_error: Option<f64>,
    /// The number of rows in which a proved result contradicts the expectation: a score, a bound,
    /// or the move that goes with an exact score.
    pub exact_disagreements: u64,
}

/// The distribution of the scores that are not bounds, in points for the side to move.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ScoreDistribution {
    /// The arithmetic mean.
    pub mean: f64,
    /// The population standard deviation.
    pub standard_deviation: f64,
    /// The minimum.
    pub min: f64,
    /// The 5 % quantile.
    pub p5: f64,
    /// The lower quartile.
    pub p25: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub p75: f64,
    /// The 95 % quantile.
    pub p95: f64,
    /// The maximum.
    pub max: f64,
    /// Bins of equal width that cover all scores.
    pub histogram: Vec<Bin>,
}

/// A bin of a histogram: `from <= score < to`, and in the last one `score <= to`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The lower bound, inclusive.
    pub from: f64,
    /// The upper bound, exclusive except in the last bin.
    pub to: f64,
    /// The number of values in the bin.
    pub count: u64,
}

/// The distribution of the completed depths, in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DepthDistribution {
    /// The minimum.
    pub min: u32,
    /// The median.
    pub median: u32,
    /// The maximum.
    pub max: u32,
}

/// Timing statistics, which differ between runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Timing {
    /// The elapsed time from the first line to the last row, in seconds.
    pub elapsed_s: f64,
    /// The nodes per second of elapsed time, for all workers together.
    pub nodes_per_second: u64,
    /// The median time of a position, in milliseconds.
    pub p50_ms: f64,
    /// The 95 % quantile, in milliseconds.
    pub p95_ms: f64,
    /// The maximum, in milliseconds.
    pub max_ms: f64,
    /// The numbers of positions by search time in milliseconds, in bins of doubling width.
    pub histogram: Vec<Bin>,
}

/// Statistics of the positions with one number of empty squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EmptiesSummary {
    /// The number of empty squares.
    pub empties: u32,
    /// The number of positions.
    pub positions: u64,
    /// The mean number of nodes per position.
    pub mean_nodes: f64,
    /// The mean time per position, in milliseconds; `None` in deterministic runs.
    pub mean_ms: Option<f64>,
    /// The mean absolute difference between the score and the highest expected score, in points;
    /// `None` without expected scores.
    pub mean_absolute_error: Option<f64>,
}

/// A summary of the statistics. `Display` formats it as text; serde serializes it for programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnalysisSummary {
    /// The game.
    pub game: &'static str,
    /// Number of analyzed positions.
    pub positions: u64,
    /// Number of invalid lines.
    pub bad_lines: u64,
    /// Number of positions with a proved score.
    pub exact: u64,
    /// Number of positions with only a proved bound, outside the requested window.
    pub bounds: u64,
    /// Number of positions with an estimated score.
    pub heuristic: u64,
    /// The results of the positions with a proved score.
    pub exact_outcomes: Wdl,
    /// The results of the positions with a bound.
    pub bound_outcomes: BoundOutcomes,
    /// The signs of the estimated scores.
    pub heuristic_signs: ScoreSigns,
    /// The distribution of the scores that are not bounds, if any.
    pub scores: Option<ScoreDistribution>,
    /// The distribution of the depths, if there are positions.
    pub depths: Option<DepthDistribution>,
    /// Total number of nodes.
    pub nodes: u64,
    /// The numbers of positions by nodes, in bins of doubling width.
    pub nodes_histogram: Vec<Bin>,
    /// Statistics by empty squares; empty for games that do not count them.
    pub by_empties: Vec<EmptiesSummary>,
    /// What made the analysis, if known.
    #[serde(skip_serializing_if = "Provenance::is_empty")]
    pub provenance: Provenance,
    /// Timing; `None` in deterministic runs.
    pub timing: Option<Timing>,
    /// The agreement with expected results, if there are any.
    pub agreement: Option<ExpectationAgreement>,
    /// Statistics of the played moves, if the inputs contain games.
    pub play: Option<PlaySummary>,
}

impl Statistics {
    /// Adds a row: an analyzed position or a bad line.
    pub fn add(&mut self, row: &AnalysisRow) {
        self.failures += u64::from(row.is_failure());
        match &row.result {
            Ok(analysis) => self.add_analysis(analysis),
            Err(_) => self.bad_lines += 1,
        }
    }

    fn add_analysis(&mut self, analysis: &Analysis) {
        let (score, report) = (analysis.score(), &analysis.report);
        let (outcomes, bounds, signs) = (&mut self.outcomes, &mut self.bound_outcomes, &mut self.signs);
        let count = match (score.certainty, score.thousandths.signum()) {
            (Certainty::Exact, 1) => &mut outcomes.wins,
            (Certainty::Exact, 0) => &mut outcomes.draws,
            (Certainty::Exact, _) => &mut outcomes.losses,
            (Certainty::AtLeast, 1) => &mut bounds.wins,
            (Certainty::AtMost, -1) => &mut bounds.losses,
            (Certainty::AtLeast | Certainty::AtMost, _) => &mut bounds.open,
            (Certainty::Heuristic, 1) => &mut signs.positive,
            (Certainty::Heuristic, 0) => &mut signs.zero,
            (Certainty::Heuristic, _) => &mut signs.negative,
        };
        *count += 1;
        self.positions += 1;
        self.exact += u64::from(score.is_exact());
        if score.is_bound() {
            self.bounded += 1;
        } else {
            *self.scores.entry(score.thousandths).or_default() += 1;
        }
        *self.depths.entry(report.depth.into()).or_default() += 1;
        self.nodes = self.nodes.saturating_add(report.nodes);
        *self.nodes_log2.entry(report.nodes.max(1).ilog2().into()).or_default() += 1;
        let mut of_empties = EmptiesStatistics { positions: 1, nodes: report.nodes, ..EmptiesStatistics::default() };
        if let Some(time_ms) = analysis.time_ms {
            let time = (time_ms * 1000.0).round() as u64;
            *self.times.entry(three_digits(time)).or_default() += 1;
            self.longest = self.longest.max(time);
            *self.times_log2.entry(time.max(1).ilog2().into()).or_default() += 1;
            of_empties.microseconds = time;
        }
        if let Some(expectation) = analysis.expectation {
            let difference = score.thousandths.abs_diff(expectation.score * Score::POINT);
            self.agreement.expected += 1;
            self.agreement.named_moves += u64::from(expectation.move_agrees.is_some());
            self.agreement.moves += u64::from(expectation.move_agrees == Some(true));
            self.agreement.scores += u64::from(expectation.score_agrees);
            self.agreement.exact_disagreements += u64::from(analysis.is_refuted());
            if !score.is_bound() {
                self.error_sum += u64::from(difference);
                self.error_count += 1;
                (of_empties.error_sum, of_empties.error_count) = (u64::from(difference), 1);
            }
        }
        if let Some(empties) = analysis.position.empty_count() {
            self.by_empties.entry(empties).or_default().add(of_empties);
        }
    }

    /// Returns whether the counts are consistent. Statistics read from a file must be.
    pub(super) fn is_consistent(&self) -> bool {
        let Some(scored) = self.positions.checked_sub(self.bounded) else { return false };
        let powers = [&self.nodes_log2, &self.times_log2];
        let timed = sum(&self.times).unwrap_or(u64::MAX);
        [self.bad_lines, self.failures, self.error_count].iter().all(|&count| count <= MAX_COUNT)
            && self.positions <= MAX_COUNT
            && self.exact <= scored
            && self.scores.keys().all(|score| score.unsigned_abs() <= 64 * Score::POINT.unsigned_abs())
            && powers.iter().all(|counts| counts.keys().all(|&power| power < u64::BITS.into()))
            && self.depths.keys().all(|&depth| depth <= u32::MAX.into())
            && sum(&self.scores) == Some(scored)
            && sum(&self.depths) == Some(self.positions)
            && sum(&self.nodes_log2) == Some(self.positions)
            && sum(&self.times_log2) == Some(timed)
            && timed <= self.positions
            && self.by_empties.values().all(|of| of.positions > 0 && of.positions <= self.positions)
            && self.by_empties.values().all(|of| of.error_count <= of.positions)
    }

    /// Returns the number of rows added, including bad lines.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.positions + self.bad_lines
    }

    /// Returns the number of rows that [fail](AnalysisRow::is_failure).
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Returns the summary. `elapsed` is the time of the whole analysis; `None` omits all timing.
    #[must_use]
    pub fn summary(&self, game: &'static str, elapsed: Option<Duration>, play: &PlayStatistics) -> AnalysisSummary {
        let positions = self.positions;
        let scored = positions - self.bounded;
        let agreement = ExpectationAgreement {
            mean_absolute_error: (self.error_count > 0)
                .then(|| points(self.error_sum as f64 / self.error_count as f64)),
            ..self.agreement
        };
        AnalysisSummary {
            game,
            positions,
            bad_lines: self.bad_lines,
            exact: self.exact,
            bounds: self.bounded,
            heuristic: scored - self.exact,
            exact_outcomes: self.outcomes,
            bound_outcomes: self.bound_outcomes,
            heuristic_signs: self.signs,
            scores: (scored > 0).then(|| self.distribution(scored)),
            depths: (positions > 0).then(|| {
                let at = |share| quantile(&self.depths, positions, share) as u32;
                DepthDistribution { min: at(0.0), median: at(0.5), max: at(1.0) }
            }),
            nodes: self.nodes,
            nodes_histogram: doubling_bins(&self.nodes_log2, 1.0),
            by_empties: self.by_empties.iter().map(|(&empties, of)| of.summary(empties, elapsed.is_some())).collect(),
            provenance: provenance::of_process(),
            timing: elapsed.map(|elapsed| self.timing(elapsed)),
            agreement: (agreement.expected > 0).then_some(agreement),
            play: play.summary(),
        }
    }

    fn distribution(&self, scored: u64) -> ScoreDistribution {
        let weighted = |f: &dyn Fn(f64) -> f64| {
            self.scores.iter().map(|(&score, &count)| f(f64::from(score)) * count as f64).sum::<f64>() / scored as f64
        };
        let mean = weighted(&|score| score);
        let at = |share| points(f64::from(quantile(&self.scores, scored, share)));
        ScoreDistribution {
            mean: points(mean),
            standard_deviation: points(weighted(&|score| (score - mean).powi(2)).sqrt()),
            min: at(0.0),
            p5: at(0.05),
            p25: at(0.25),
            median: at(0.5),
            p75: at(0.75),
            p95: at(0.95),
            max: at(1.0),
            histogram: histogram(&self.scores),
        }
    }

    fn timing(&self, elapsed: Duration) -> Timing {
        let timed = sum(&self.times).unwrap_or_default();
        let quantile = |share| if timed > 0 { quantile(&self.times, timed, share) as f64 / 1000.0 } else { 0.0 };
        let elapsed_s = (elapsed.as_secs_f64() * 1000.0).round() / 1000.0;
        Timing {
            elapsed_s,
            nodes_per_second: (self.nodes as f64 / elapsed.as_secs_f64().max(1e-9)) as u64,
            p50_ms: quantile(0.5),
            p95_ms: quantile(0.95),
            max_ms: self.longest as f64 / 1000.0,
            histogram: doubling_bins(&self.times_log2, 1000.0),
        }
    }
}

impl EmptiesStatistics {
    fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.microseconds = self.microseconds.saturating_add(other.microseconds);
        self.error_sum += other.error_sum;
        self.error_count += other.error_count;
    }

    fn summary(&self, empties: u32, timed: bool) -> EmptiesSummary {
        let mean = |sum: u64| sum as f64 / self.positions as f64;
        EmptiesSummary {
            empties,
            positions: self.positions,
            mean_nodes: mean(self.nodes).round(),
            mean_ms: timed.then(|| mean(self.microseconds).round() / 1000.0),
            mean_absolute_error: (self.error_count > 0)
                .then(|| points(self.error_sum as f64 / self.error_count as f64)),
        }
    }
}

/// Returns bins from each power of two to the next, from the first to the last nonempty one,
/// divided by `unit`.
fn doubling_bins(counts: &BTreeMap<u64, u64>, unit: f64) -> Vec<Bin> {
    let (Some((&first, _)), Some((&last, _))) = (counts.first_key_value(), counts.last_key_value()) else {
        return Vec::new();
    };
    let bound = |power: u64| 2f64.powi(power as i32) / unit;
    let bin = |power| Bin {
        from: bound(power),
        to: bound(power + 1),
        count: counts.get(&power).copied().unwrap_or_default(),
    };
    (first..=last).map(bin).collect()
}

/// Converts thousandths to points, rounded to thousandths of a point.
fn points(thousandths: f64) -> f64 {
    // Adding zero turns a negative zero into zero.
    thousandths.round() / f64::from(Score::POINT) + 0.0
}

/// Returns the smallest value such that at least the given share of `total` values does not exceed
/// it.
fn quantile<T: Copy>(counts: &BTreeMap<T, u64>, total: u64, share: f64) -> T {
    let rank = ((share * total as f64).ceil() as u64).max(1);
    let mut seen = 0;
    for (&value, count) in counts {
        seen += count;
        if seen >= rank {
            return value;
        }
    }
    unreachable!("there is at least one value, and no rank exceeds their number")
}

/// Returns at most [`MAX_BINS`] bins that cover the scores. The width of the bins is 1, 2 or 5
/// times a power of ten. If all scores are whole points, it is a power of two, so that bins end at
/// 64 discs. If the range is small enough, each bin has a single score.
fn histogram(scores: &BTreeMap<i32, u64>) -> Vec<Bin> {
    let (Some((&min, _)), Some((&max, _))) = (scores.first_key_value(), scores.last_key_value()) else {
        return Vec::new();
    };
    let (min, max) = (i64::from(min), i64::from(max));
    let first = |width: i64| min.div_euclid(width);
    // Whole scores need no finer bins.
    let whole = scores.keys().all(|score| score % Score::POINT == 0);
    // The last bin includes its upper end, unless each bin has a single score: wins must not be
    // counted with draws.
    let one_each = |width: i64| whole && width == i64::from(Score::POINT);
    let last =
        |width: i64| if max > min && !one_each(width) { (max - 1).div_euclid(width) } else { max.div_euclid(width) };
    let fits = |width: &i64| last(*width) - first(*width) < MAX_BINS;
    let width = if whole {
        (0..).map(|power| i64::from(Score::POINT) << power).find(fits)
    } else {
        (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10i64.pow(power))).find(fits)
    };
    let width = width.expect("some width is large enough");
    let bound = |bin: i64| points((bin * width) as f64);
    let mut bins: Vec<_> =
        (first(width)..=last(width)).map(|bin| Bin { from: bound(bin), to: bound(bin + 1), count: 0 }).collect();
    for (&score, count) in scores {
        let bin = i64::from(score).div_euclid(width).min(last(width));
        bins[(bin - first(width)) as usize].count += count;
    }
    bins
}

#[cfg(test)]
mod tests;
