//! The FFO endgame test suite: 79 positions, #1 to #79, used to compare Othello solvers.
//!
//! The positions are embedded from `data/positions/`, which documents their source and that of the
//! scores. Most programs publish results for
//! #40 to #59 (20 to 34 empty squares); [`published_results`] returns those of two programs.

use std::time::Duration;

use morello_core::game::AnnotatedPosition;
use morello_core::othello::Position;
use morello_core::othello::formats::obf;

/// The position files, in the order of the numbers.
const POSITIONS: [&str; 3] = [
    include_str!("../../../data/positions/ffo-1-39.obf"),
    include_str!("../../../data/positions/ffo-40-59.obf"),
    include_str!("../../../data/positions/ffo-60-79.obf"),
];

const PUBLISHED: &str = include_str!("../../../data/results/ffo-published.csv");

/// The number of positions; they are numbered from 1.
pub const COUNT: u32 = 79;

/// A position of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPosition {
    /// The number, from 1 to [`COUNT`].
    pub number: u32,
    /// The position, with the published score of every legal move, in discs for the side to move.
    pub entry: AnnotatedPosition<Position>,
}

/// The published nodes and time of another program for an exact solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedResult {
    /// The program, with its version.
    pub program: &'static str,
    /// The number of the position.
    pub number: u32,
    /// The nodes, as the program counts them.
    pub nodes: u64,
    /// The time, on the machine that `data/results/ffo-published.csv` names.
    pub time: Duration,
}

/// Returns the positions in the order of their numbers.
#[must_use]
pub fn test_positions() -> Vec<TestPosition> {
    let lines = POSITIONS.into_iter().flat_map(rows);
    let test_position = |(number, line)| {
        let entry = obf::parse(line).expect("a test reads every embedded position");
        TestPosition { number, entry }
    };
    (1..).zip(lines).map(test_position).collect()
}

/// Returns the published results of other programs.
#[must_use]
pub fn published_results() -> Vec<PublishedResult> {
    rows(PUBLISHED).skip(1).map(|row| parse_published(row).expect("a test reads every embedded figure")).collect()
}

/// Returns the lines of a text, without blank lines and comments.
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
    use morello_core::game::Position as _;

    use super::*;

    #[test]
    fn positions_are_numbered_as_in_their_files() {
        let positions = test_positions();
        assert_eq!(positions.len(), COUNT as usize);
        let headings = POSITIONS.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("% #"));
        let headings = headings.map(|heading| heading.split(',').next().unwrap().parse::<u32>().unwrap());
        assert!(headings.eq(positions.iter().map(|position| position.number)));
    }

    #[test]
    fn every_legal_move_has_a_score() {
        for TestPosition { number, entry } in test_positions() {
            assert_eq!(entry.expected.len(), entry.position.count_moves(), "#{number}");
        }
    }

    #[test]
    fn published_figures_sum_to_the_totals_of_their_source() {
        let results = published_results();
        let total = |program| {
            let results = results.iter().filter(|result| result.program == program);
            results.fold((0, 0, 0), |(count, nodes, ms), result| {
                (count + 1, nodes + result.nodes, ms + result.time.as_millis())
            })
        };
        assert_eq!(total("Edax 4.5.5"), (20, 26_173_069_650, 34_425));
        assert_eq!(total("Egaroucid 7.8.0"), (20, 13_608_266_119, 36_148));
        assert!(results.iter().all(|result| (40..60).contains(&result.number)));
    }
}
