//! What users expect of all public types: threads may share them, errors are errors, `Debug` output
//! is short, and options are written as JSON and read back.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use morello::analysis::collection::{
    FilterCheck, GameFilter, MoveTree, NamePatternError, OpeningPattern, PositionPattern, ResultFilterError,
    SelectedGames, TooManyRows,
};
use morello::analysis::{self, Analysis, AnalysisOptions, AnalysisRow, GameReview, Statistics};
use morello::book::{Book, BookAnswers, BookEntry, BookFile, BookGraph, BookUse, BookWriter, Breadth};
use morello::game::grid::{GridMoveError, OutOfBounds};
use morello::game::{
    AnnotatedGame, AnyGame, AnyMove, AnyPosition, Cancel, Confidence, EngineOptions, EvaluationKind, Game, GameData,
    Limits, LineFormat, OpeningNames, OpeningPolicy, Player, RecordFormat, Report, Searcher,
};
use morello::input::{GameRecord, Input, InputFormat, Reader, Record, Selection};
use morello::morris::NineMensMorris;
use morello::morris::engine::database::{self, Database, Metric};
use morello::morris::formats::{moves, playok, sanmill};
use morello::othello::engine::patterns::Weights;
use morello::othello::engine::{OthelloSearcher, Solver, TrainedEvaluation};
use morello::othello::formats::{ggf, obf, pgn, result, transcript, wthor};
use morello::output::{Output, OutputFormat, Value};
use morello::perft::{self, AnyPerft, PerftCheckpoint};
use morello::players::{EnginePlayer, ExternalPlayer, RandomPlayer, Spec};
use morello::session::{SearcherPool, Session};
use morello::text::TerminalGame;
use morello::tournament::openings::{OpeningSet, OpeningSource, RandomOpenings};
use morello::tournament::{Adjudication, MatchPlan, MatchSummary, Schedule, ScoreRule};
use morello::{book, conversion, game, games, input, morris, othello, output, players, protocol, seeds, session};
use morello::{text, tournament, web};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Calls a function for each of these types, so that each must satisfy its bounds.
macro_rules! for_each {
    ($function:ident: $($type:ty),+ $(,)?) => {
        $($function::<$type>();)+
    };
}

#[test]
fn threads_share_values() {
    fn is_send_sync<T: Send + Sync>() {}
    for_each!(is_send_sync:
        // The rules and games.
        othello::Position, othello::Move, othello::Board, othello::Square, othello::SquareSet,
        morris::Position<NineMensMorris>, morris::Move<NineMensMorris>, morris::Point<NineMensMorris>,
        morris::PointSet<NineMensMorris>, morris::Board, AnyPosition, AnyMove, &'static dyn AnyGame, Game,
        Game<othello::Position>, AnnotatedGame, OpeningNames, LineFormat, RecordFormat, Box<dyn AnyPerft>,
        PerftCheckpoint,
        // Searches and their data.
        Limits, Cancel, Confidence, EngineOptions, GameData, Report, Report<othello::Position>, TrainedEvaluation,
        Weights, Database,
        // Files.
        Input, InputFormat, Selection, Record, GameRecord, Value, OutputFormat, Book, BookEntry, BookFile, BookGraph,
        BookWriter,
        // Analysis and play.
        AnalysisOptions, AnalysisRow, Analysis, GameReview, Statistics, GameFilter, FilterCheck, OpeningPattern,
        PositionPattern, MoveTree, Spec, Session, SearcherPool, MatchPlan, MatchSummary, OpeningSource, OpeningSet,
        RandomOpenings, Schedule, web::AppState,
    );
}

#[test]
fn threads_take_over_values() {
    fn is_send<T: Send>() {}
    for_each!(is_send:
        Box<dyn Searcher>, Box<dyn Player>, OthelloSearcher<8>, Solver, EnginePlayer, ExternalPlayer, RandomPlayer,
        TerminalGame, Reader, Output<'static, AnalysisRow>, conversion::Conversion, analysis::Tasks,
        analysis::GameReviewer, SelectedGames<GameRecord>,
    );
}

#[test]
fn errors_are_errors() {
    fn is_error<T: Error + Send + Sync + 'static>() {}
    for_each!(is_error:
        games::UnknownGame, games::NotAMillGame, game::ParseConfidenceError, game::ParseColorError,
        game::ParseOutcomeError, game::ParseResultError, game::IllegalMove<othello::Position>, game::ParseTimeError,
        game::ParseLevelError, game::WrongGameData, game::WeightsError, game::diagram::ParseDiagramError,
        GridMoveError, OutOfBounds, game::UnknownProtocol, game::PlayError, game::PlayerError, game::ImpossibleResult,
        game::IllegalMove, Box<dyn game::LocatedError>,
        perft::PerftCheckpointError, perft::UnknownConvention, perft::ParseReferenceError,
        othello::IllegalReason, othello::ParsePositionError, othello::ParseMoveError, othello::ParseSquareError,
        othello::InvalidBoard, othello::engine::patterns::DecodeError,
        ggf::ParseGgfError, obf::ParseObfError, pgn::ParsePgnError, result::ResultMismatch,
        transcript::ParseTranscriptError, wthor::HeaderError, wthor::NamesError, wthor::NamesErrorSource,
        wthor::NameTableError, wthor::ParseWthorError, wthor::WthorErrorKind, wthor::WriteWthorError,
        morris::IllegalReason, morris::ParsePositionError, morris::ParseMoveError, morris::UnknownPoint,
        moves::ParseTextError, morris::TooManyMen, morris::ArrangementError,
        moves::ParseMovesError, playok::ParsePlayOkError, playok::WritePlayOkError, sanmill::fen::ParseFenError,
        sanmill::fen::WriteFenError, sanmill::uci::ParseUciError,
        database::DatabaseError, database::TableError, database::ParseSectorError, database::UnplayableSector,
        database::BansUnsupported, database::BuildError, database::SolveError, database::Mismatch,
        database::VerifyError,
        input::UnknownFormat, input::RecordError, input::RecordProblem, input::UnrecognizedText, input::ReadError,
        input::ReadTextError, output::UnknownExtension, output::plot::PlotError, conversion::ConversionError,
        book::BookError, book::BookRowError, book::foreign::ForeignBookError,
        analysis::CacheError, analysis::checkpoint::AnalysisCheckpointError, analysis::TooManyFingerprints,
        analysis::TaskError, ResultFilterError, NamePatternError, TooManyRows,
        players::ParseSpecError, players::UnsupportedSpec, protocol::ServeError, session::CommandSyntaxError,
        session::InputError, session::LoadError, session::SaveError, session::EngineOptionsError,
        session::SearcherUnavailable, text::FileError, text::ParseParticipantError, text::TerminalError,
        seeds::boardwalk::LayoutError, seeds::coordinate_game::InvalidMove,
        tournament::ParseScoreRuleError, tournament::Unplayable, tournament::ReadLogError, tournament::MatchError,
        tournament::RunError, tournament::ParseSprtError, tournament::openings::TooManyPositions,
        tournament::openings::ReadOpeningsError, tournament::openings::FindOpeningsError,
        web::InvalidToken,
    );
}

/// Returns the JSON of a value, after a check that it is read back equal.
fn json<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).expect("plain values are JSON");
    assert_eq!(serde_json::from_str::<T>(&text).expect("it is read back"), *value);
    text
}

#[test]
fn options_are_json() {
    let limits = Limits { confidence: Confidence::from_percent(95), ..Limits::time(Duration::from_secs(2)) };
    assert!(json(&limits).contains(r#""time":{"secs":2,"nanos":0},"exact":false,"confidence":95"#));
    assert_eq!(serde_json::from_str::<Limits>(r#"{"depth":8}"#).expect("others are defaults"), Limits::depth(8));
    assert!(serde_json::from_str::<Confidence>("90").is_err());
    assert_eq!(json(&EvaluationKind::Simple), r#""simple""#);
    assert_eq!(json(&Metric::Capture), r#""capture""#);
    for convention in perft::Convention::ALL {
        assert_eq!(json(&convention), format!("{:?}", convention.name()));
    }
    assert_eq!(json(&OutputFormat::SafeCsv), r#""safe-csv""#);
    assert_eq!(json(&Selection::default().done), "0");
    json(&OpeningPolicy { plies: 8..=12, depth: 8, most_points: 3.0 });
    json(&BookUse { variety: Some(0.5), answers: BookAnswers::Exact, seed: 1 });
    json(&Breadth { plies: 20, error: 2.0, budget: 4.0, best_plies: 60 });
    json(&Schedule::of_match(10, 3));
    json(&Adjudication { win: Some(ScoreRule { points: 40.0, moves: 3 }), ..Adjudication::default() });
}

#[test]
fn positions_and_moves_are_texts() {
    let position: othello::Position = "f5d6c3".parse().expect("legal moves");
    assert_eq!(json(&position), format!("\"{position}\""));
    assert_eq!(json(&othello::Move::PASS), r#""pa""#);
    assert_eq!(json(&othello::Square::H8), r#""h8""#);
    let morris: morris::Position<NineMensMorris> = "d2 f4".parse().expect("legal moves");
    assert_eq!(json(&morris), r#""8,8 d2 f4 W""#);
    let m: morris::Move<NineMensMorris> = "d2-d3xf4".parse().expect("a move");
    assert_eq!(json(&m), r#""d2-d3xf4""#);
    assert_eq!(json(&m.to()), r#""d3""#);
    assert!(serde_json::from_str::<othello::Position>(r#""f5f5""#).unwrap_err().to_string().contains("occupied"));
    assert_eq!(json(&position.discs(game::Color::White)), r#""d5 d6""#);
    assert!(serde_json::from_str::<morris::PointSet<NineMensMorris>>(r#""a1 d4""#).is_err(), "the board has no d4");
    assert_eq!(json(&game::Outcome::Win(game::Color::Black)), r#""black""#);
    json(&game::DrawRules { repetition: Some(3), ..game::DrawRules::default() });
    json(&game::Tags { names: [Some("Anna".to_owned()), None], ..game::Tags::default() });
    let line = game::Line::<othello::Position> { score: game::Score::exact(2), pv: vec![othello::Square::F4.into()] };
    assert!(json(&line).ends_with(r#""pv":["f4"]}"#));
}

#[test]
fn boards_are_drawn() {
    let position: othello::SizedPosition<4> = "b1a1".parse().expect("legal moves");
    let drawn = "  a b c d\n1 O X - -\n2 - O X -\n3 - X O -\n4 - - - -\nX to move";
    assert_eq!(format!("{position:#?}"), drawn);
    assert_eq!(format!("{position:?} {:?}", position.board()), "OX---OX--XO----- X OX---OX--XO-----");
    let position: morris::Position<morris::ThreeMensMorris> = "b2 a1".parse().expect("legal moves");
    let drawn = "White: 2 men in hand; Black: 2 men in hand; White to move";
    assert!(format!("{position:#?}").contains(drawn), "{position:#?}");
    assert_eq!(format!("{position:?}"), "2,2 b2 a1 W");
}

#[test]
fn debug_output_of_large_values_is_short() {
    let shown = |value: &dyn fmt::Debug, expected: &str| {
        let text = format!("{value:?}");
        assert!(text.len() < 200 && text.contains(expected), "{text}");
    };
    let game = games::get("nine-mens-morris").expect("a game");
    let mill = games::mill("nine-mens-morris").expect("a mill game");
    shown(&Database::new(mill.ruleset().expect("no bans")), "\"nine-mens-morris\", tables: 0");
    shown(&game.formats()[0], &format!("LineFormat {{ name: {:?}", game.formats()[0].name));
    let evaluation = TrainedEvaluation::built_in();
    shown(&evaluation, "TrainedEvaluation { full: Network(");
    shown(&evaluation.full, "Network");
    shown(&evaluation.order, "PatternEvaluation { set: ShapeSet { name: ");
    shown(&Weights::zero(1000), "Weights { plies: 61, .. }");
    shown(&SearcherPool::new(game, std::sync::Arc::new(|_| Ok(EngineOptions::default()))), "game: nine-mens-morris");
}
