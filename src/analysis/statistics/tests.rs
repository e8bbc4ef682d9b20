use morello_core::game::{Confidence, Line, Report, any_game};
use morello_core::othello;

use super::super::{Expectation, RowError, RowOrigin};
use super::*;

fn row(thousandths: i32, certainty: Certainty, expectation: Option<Expectation>) -> AnalysisRow {
    let score = Score { thousandths, certainty, plies: None };
    let time_ms = Some(if expectation.is_some() { 2.0 } else { 4000.0 });
    let report = Report {
        lines: vec![Line { score, pv: Vec::new() }],
        bounds: score.bounds(),
        depth: 8,
        confidence: Confidence::FULL,
        nodes: 10,
        time: Duration::ZERO,
        note: None,
        source: morello_core::game::ReportSource::Search,
    };
    let position = any_game::<othello::Position>().start();
    AnalysisRow {
        origin: RowOrigin::default().into(),
        game_context: None,
        loss: None,
        plies_lost: None,
        result: Ok(Analysis { position, report, time_ms, expectation }),
    }
}

fn bad_row() -> AnalysisRow {
    let error = RowError { text: String::new(), line: 1, column: 1, problem: "bad".into() };
    AnalysisRow { result: Err(error), ..row(0, Certainty::Exact, None) }
}

#[test]
fn quantiles_are_exact() {
    let counts: BTreeMap<i32, u64> = [(-2, 1), (0, 2), (7, 1)].into();
    let quantiles = [0.0, 0.25, 0.26, 0.5, 0.75, 0.76, 1.0].map(|share| quantile(&counts, 4, share));
    assert_eq!(quantiles, [-2, -2, 0, 0, 0, 7, 7]);
}

#[test]
fn histogram_covers_all_scores_with_round_bins() {
    let scores: BTreeMap<i32, u64> = [(-64_000, 1), (-500, 2), (0, 3), (63_999, 4), (64_000, 5)].into();
    let bins = histogram(&scores);
    assert!(bins.len() <= 12);
    assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 15);
    assert!(bins.windows(2).all(|pair| pair[0].to == pair[1].from));
    assert_eq!((bins[0].from, bins[0].to, bins[0].count), (-80.0, -60.0, 1));
    // Whole scores of Othello end at 64 discs.
    let bins = histogram(&[(-62_000, 1), (3000, 2), (64_000, 3)].into());
    assert_eq!((bins.len(), bins[0].from, bins[7].to, bins[7].count), (8, -64.0, 64.0, 3));
    assert_eq!(histogram(&[(38_000, 4)].into()), [Bin { from: 38.0, to: 39.0, count: 4 }]);
    assert!(histogram(&BTreeMap::new()).is_empty());
}

#[test]
fn counts_results_and_agreement() {
    let mut statistics = Statistics::default();
    let expected = |score, move_agrees, score_agrees, contradicted| {
        Some(Expectation { score, move_agrees, score_agrees, contradicted })
    };
    statistics.add(&row(2_000, Certainty::Exact, expected(2, Some(true), true, false)));
    statistics.add(&row(-4_000, Certainty::Exact, expected(-2, None, false, true)));
    statistics.add(&row(0, Certainty::Exact, None));
    statistics.add(&row(1_500, Certainty::Heuristic, expected(2, Some(false), false, false)));
    statistics.add(&bad_row());
    assert_eq!((statistics.rows(), statistics.failures()), (5, 2));
    let summary = statistics.summary("othello", Some(Duration::from_secs(2)), &PlayStatistics::default());
    assert_eq!((summary.positions, summary.bad_lines, summary.exact, summary.heuristic), (4, 1, 3, 1));
    assert_eq!(summary.exact_outcomes, Wdl { wins: 1, draws: 1, losses: 1 });
    assert_eq!(summary.heuristic_signs, ScoreSigns { positive: 1, zero: 0, negative: 0 });
    let scores = summary.scores.unwrap();
    assert_eq!((scores.mean, scores.median, scores.min, scores.max), (-0.125, 0.0, -4.0, 2.0));
    let agreement = summary.agreement.unwrap();
    assert_eq!((agreement.expected, agreement.scores), (3, 1));
    assert_eq!((agreement.named_moves, agreement.moves), (2, 1));
    assert_eq!((agreement.mean_absolute_error, agreement.exact_disagreements), (Some(0.833), 1));
    let timing = summary.timing.unwrap();
    assert_eq!((timing.nodes_per_second, timing.p50_ms, timing.p95_ms, timing.max_ms), (20, 2.0, 4000.0, 4000.0));
}

#[test]
fn counts_bounds_separately() {
    let mut statistics = Statistics::default();
    let expected =
        |score, score_agrees| Some(Expectation { score, move_agrees: None, score_agrees, contradicted: !score_agrees });
    statistics.add(&row(2_000, Certainty::AtLeast, expected(38, true)));
    statistics.add(&row(-2_000, Certainty::AtMost, expected(4, false)));
    statistics.add(&row(0, Certainty::AtMost, None));
    statistics.add(&row(0, Certainty::Exact, expected(0, true)));
    let summary = statistics.summary("othello", None, &PlayStatistics::default());
    assert_eq!((summary.positions, summary.exact, summary.bounds, summary.heuristic), (4, 1, 3, 0));
    assert_eq!(summary.bound_outcomes, BoundOutcomes { wins: 1, losses: 1, open: 1 });
    let agreement = summary.agreement.unwrap();
    assert_eq!((agreement.expected, agreement.scores, agreement.exact_disagreements), (3, 2, 1));
    assert_eq!((agreement.mean_absolute_error, statistics.failures()), (Some(0.0), 1));
    assert_eq!(summary.scores.clone().map(|scores| (scores.min, scores.max)), Some((0.0, 0.0)));
    assert!(summary.to_string().contains("\nexpected   score 2 of 3, mean absolute error 0; 1 exact disagreement\n"));
    assert!(summary.to_string().contains("\nbounds     3: 1 won, 1 lost, 1 open\n"), "{summary}");
}

#[test]
fn summarizes_an_empty_run() {
    let summary = Statistics::default().summary("othello", None, &PlayStatistics::default());
    assert_eq!((summary.positions, summary.scores.is_none(), &summary.timing), (0, true, &None));
    assert!(summary.to_string().contains("positions  0"));
}
