//! The FFO endgame test suite: the 79 positions by which Othello solvers are compared, #1 to #79.
//!
//! They are those of `data/positions/`, which says where they and their scores are from, and travel in the program. #40 to #59 (20 to 34
//! empty squares) are what most programs publish figures of; [`published_results`] has those of two of them.

use std::time::Duration;

use super::Position;
use super::formats::obf;
use crate::game::AnnotatedPosition;

/// The files of the positions, in the order of the numbers.
const POSITIONS: [&str; 3] = [
    include_str!("../../data/positions/ffo-1-39.obf"),
    include_str!("../../data/positions/ffo-40-59.obf"),
    include_str!("../../data/positions/ffo-60-79.obf"),
];

const PUBLISHED: &str = include_str!("../../data/results/ffo-published.csv");

/// The number of positions; they are numbered from 1.
pub const COUNT: u32 = 79;

/// A position of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPosition {
    /// Its number, from 1 to [`COUNT`].
    pub number: u32,
    /// The position, with the published score of every legal move, in discs for the side to move.
    pub entry: AnnotatedPosition<Position>,
}

/// What another program took for a position, solved exactly, as its authors or others have published it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedResult {
    /// The program, with its version.
    pub program: &'static str,
    /// The number of the position.
    pub number: u32,
    /// Nodes, as the program counts them.
    pub nodes: u64,
    /// The time, on the machine that `data/results/ffo-published.csv` names.
    pub time: Duration,
}

/// Returns the positions in the order of their numbers.
///
/// ```
/// use morello::othello::ffo;
///
/// let test = &ffo::test_positions()[39];
/// assert_eq!((test.number, test.entry.position.board().empty_count()), (40, 20));
/// assert_eq!(test.entry.best_score(), Some(38));
/// ```
#[must_use]
pub fn test_positions() -> Vec<TestPosition> {
    let lines = POSITIONS.into_iter().flat_map(rows);
    let problem = |(number, line)| {
        let entry = obf::parse(line).expect("a test reads every embedded position");
        TestPosition { number, entry }
    };
    (1..).zip(lines).map(problem).collect()
}

/// Returns what others have published.
#[must_use]
pub fn published_results() -> Vec<PublishedResult> {
    rows(PUBLISHED).skip(1).map(|row| parse_published(row).expect("a test reads every embedded figure")).collect()
}

/// Returns the lines of a text that are neither blank nor comments.
fn rows(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with(['%', '#']))
}

fn parse_published(row: &'static str) -> Option<PublishedResult> {
    let mut fields = row.split(',');
    let program = fields.next()?;
    let number = fields.next()?.parse().ok()?;
    let nodes = fields.next()?.parse().ok()?;
    let time = Duration::from_millis(fields.next()?.parse().ok()?);
    fields.next().is_none().then_some(PublishedResult { program, number, nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position as _;

    #[test]
    fn positions_are_numbered_as_in_their_files() {
        let problems = test_positions();
        assert_eq!(problems.len(), COUNT as usize);
        let headings = POSITIONS.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("% #"));
        let headings = headings.map(|heading| heading.split(',').next().unwrap().parse::<u32>().unwrap());
        assert!(headings.eq(problems.iter().map(|problem| problem.number)));
    }

    #[test]
    fn every_legal_move_has_a_score() {
        for TestPosition { number, entry } in test_positions() {
            assert_eq!(entry.expected.len(), entry.position.count_moves(), "#{number}");
        }
    }

    #[test]
    fn published_figures_sum_to_the_totals_of_their_source() {
        let published_results = published_results();
        let total = |program| {
            let of_program = published_results.iter().filter(|published| published.program == program);
            of_program.fold((0, 0, 0), |(count, nodes, ms), of| (count + 1, nodes + of.nodes, ms + of.time.as_millis()))
        };
        assert_eq!(total("Edax 4.5.5"), (20, 26_173_069_650, 34_425));
        assert_eq!(total("Egaroucid 7.8.0"), (20, 13_608_266_119, 36_148));
        assert!(published_results.iter().all(|published| (40..60).contains(&published.number)));
    }
}
