//! The columns that tell of a game: the fields of the tables that are written of games, and how they are read again.

use crate::game::{
    AnnotatedGame, AnnotatedPosition, AnyGame, Color, GameResult, Position as _, Scoring, Tags, Termination,
    TheoreticalResult,
};
use crate::output::{Field, Float};

/// How a column tells what ended a game.
const ENDINGS: [(Termination, &str); 3] = [
    (Termination::Resignation, "resignation"),
    (Termination::Timeout, "timeout"),
    (Termination::Agreement, "agreement"),
];

/// Returns the fields that tell who played a game, where, when and what ended it.
#[must_use]
pub fn tag_fields() -> Vec<Field<Tags>> {
    let ending = |tags: &Tags| {
        let told = tags.result?.termination?;
        ENDINGS.iter().find(|(ending, _)| *ending == told).map(|&(_, name)| name)
    };
    vec![
        Field::<Tags>::text("black", |tags| tags.names[0].as_deref().into()).about("Black's name"),
        Field::<Tags>::text("white", |tags| tags.names[1].as_deref().into()).about("White's name"),
        Field::<Tags>::text("tournament", |tags| tags.tournament.as_deref().into()).about("The tournament"),
        Field::<Tags>::integer("year", |tags| year(tags).into()).about("The year of the date"),
        Field::<Tags>::text("date", |tags| tags.date.as_deref().into()).about("The day, as far as it is known"),
        Field::<Tags>::text("ending", move |tags| ending(tags).into())
            .about("What ended the game before its time: resignation, timeout or agreement"),
    ]
}

/// Returns the fields that tell how a game ended: the discs where they are counted, else the winner.
#[must_use]
pub fn result_fields(game: &dyn AnyGame) -> Vec<Field<AnnotatedGame>> {
    let squares = game.layout().points.len();
    let discs = move |points: f64| -> Float {
        let discs = (squares as f64 + points) / 2.0;
        if discs.fract() == 0.0 { (discs as i32).into() } else { discs.into() }
    };
    type Named = Field<AnnotatedGame>;
    match game.scoring() {
        Scoring::Margin => vec![
            Named::float("black_discs", move |game| points(game).map(discs).into())
                .about("Black's discs at the end, the empty squares given to the winner"),
            Named::float("theoretical_black_discs", move |game| {
                game.tags.theoretical.map(|told| discs(told.points.into())).into()
            })
            .about("Black's discs if both sides had played their best from some point of the game on"),
            Named::integer("theoretical_empties", |game| game.tags.theoretical.map(|told| told.empties).into())
                .about("The empty squares from which on both sides would have played their best"),
        ],
        Scoring::Distance => {
            let winner = |points: f64| match points {
                points if points > 0.0 => "black",
                points if points < 0.0 => "white",
                _ => "draw",
            };
            vec![
                Named::text("result", move |game| points(game).map(winner).into())
                    .about("Who won: black, white, or draw"),
            ]
        }
    }
}

fn year(tags: &Tags) -> Option<u32> {
    tags.date.as_deref()?.get(..4)?.parse().ok()
}

/// Returns the points by which Black won: as the file tells, else on the board.
fn points(game: &AnnotatedGame) -> Option<f64> {
    game.tags.points_or(game.game.points(Color::Black))
}

/// Returns whether a column tells of a game as a whole, so that what stands there is known of the game.
#[must_use]
pub fn is_game_column(game: &dyn AnyGame, column: &str) -> bool {
    let is = |name: &str| name.eq_ignore_ascii_case(column);
    tag_fields().iter().any(|field| is(field.name())) || result_fields(game).iter().any(|field| is(field.name()))
}

/// Returns whether a column tells the scores of the moves of a position.
#[must_use]
pub fn is_score_column(column: &str) -> bool {
    column.eq_ignore_ascii_case(SCORES)
}

/// The column that tells the scores of the moves of a position.
pub(super) const SCORES: &str = "scores";

/// Adds to a game what its columns tell and its text does not; `column` returns what stands in one, as text.
pub(super) fn add(game: &mut AnnotatedGame, column: impl Fn(&str) -> Option<String>) {
    let told = |name: &str| column(name).filter(|text| !text.trim().is_empty());
    let rules = game.game.position().game();
    let tags = &mut game.tags;
    for (name, of) in tags.names.iter_mut().zip(["black", "white"]) {
        *name = name.take().or_else(|| told(of));
    }
    tags.tournament = tags.tournament.take().or_else(|| told("tournament"));
    tags.date = tags.date.take().or_else(|| told("date")).or_else(|| told("year"));
    let points = |name: &str| -> Option<f64> {
        let discs: f64 = told(name)?.trim().parse().ok()?;
        let squares = rules.layout().points.len() as f64;
        (0.0..=squares).contains(&discs).then_some(2.0 * discs - squares)
    };
    let result = || match rules.scoring() {
        Scoring::Margin => points("black_discs"),
        Scoring::Distance => match told("result")?.trim().to_ascii_lowercase().as_str() {
            "black" => Some(1.0),
            "white" => Some(-1.0),
            "draw" => Some(0.0),
            text => Some(GameResult::from_pgn(text)??.points),
        },
    };
    let ending = told("ending");
    let ending =
        ENDINGS.iter().find(|(_, name)| ending.as_deref().is_some_and(|text| text.trim().eq_ignore_ascii_case(name)));
    tags.result = tags.result.or_else(|| result().map(|points| GameResult { points, termination: None }));
    if let Some(verdict) = &mut tags.result {
        verdict.termination = verdict.termination.or(ending.map(|&(ending, _)| ending));
    }
    let theoretical = || {
        let empties = told("theoretical_empties")?.trim().parse().ok()?;
        Some(TheoreticalResult { empties, points: points("theoretical_black_discs")? as i32 })
    };
    if rules.scoring() == Scoring::Margin {
        tags.theoretical = tags.theoretical.or_else(theoretical);
    }
}

/// Adds to a position the scores of its moves that stand beside it as OBF has them, `d3:+2; c4:-1;`, unless one of them is wrong.
pub(super) fn add_scores(entry: &mut AnnotatedPosition, text: &str) {
    let game = entry.position.game();
    let most = match game.scoring() {
        Scoring::Margin => game.layout().points.len() as u64,
        Scoring::Distance => 1,
    };
    let score = |text: &str| {
        let score: i32 = text.trim().parse().ok()?;
        (u64::from(score.unsigned_abs()) <= most).then_some(score)
    };
    let field = |field: &str| match field.split_once(':') {
        Some((m, points)) => Some((Some(entry.position.parse_move(m.trim()).ok()?), score(points)?)),
        None => Some((None, score(field)?)),
    };
    let Some(fields) = text.trim().strip_suffix(';').filter(|_| entry.expected.is_empty()) else { return };
    if let Some(expected) = fields.split(';').map(field).collect() {
        entry.expected = expected;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyMove, Game, Playable, any_game};
    use crate::morris::{self, NineMensMorris};
    use crate::othello;

    fn with<P: Playable>(columns: &[(&str, &str)]) -> AnnotatedGame {
        let mut game = AnnotatedGame::from(Game::new(any_game::<P>().start()));
        add(&mut game, |name| columns.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned()));
        game
    }

    #[test]
    fn fills_game_details_from_columns() {
        let columns = [
            ("black", "one"),
            ("white", " "),
            ("year", "1977"),
            ("black_discs", "34"),
            ("theoretical_black_discs", "41"),
            ("theoretical_empties", "24"),
        ];
        let tags = with::<othello::Position>(&columns).tags;
        assert_eq!((tags.names, tags.date.as_deref()), ([Some("one".to_owned()), None], Some("1977")));
        assert_eq!(tags.result.map(|result| result.points), Some(4.0));
        assert_eq!(tags.theoretical, Some(TheoreticalResult { empties: 24, points: 18 }));
        assert_eq!(with::<othello::Position<4>>(&[("black_discs", "17")]).tags.result, None);
        let resigned = with::<othello::Position>(&[("black_discs", "40"), ("ending", "resignation")]).tags.result;
        assert_eq!(resigned, Some(GameResult { points: 16.0, termination: Some(Termination::Resignation) }));
        let pgn =
            |text| with::<morris::Position<NineMensMorris>>(&[("result", text)]).tags.result.map(|told| told.points);
        assert_eq!(["1-0", "0-1", "1/2-1/2", "*"].map(pgn), [Some(-1.0), Some(1.0), Some(0.0), None]);
        let mills = with::<morris::Position<NineMensMorris>>(&[("result", "White"), ("black_discs", "3")]).tags;
        assert_eq!((mills.result.map(|result| result.points), mills.theoretical), (Some(-1.0), None));
    }

    #[test]
    fn reads_expected_scores_from_a_column() {
        let scores = |text: &str| {
            let mut entry = AnnotatedPosition::from(any_game::<othello::Position<4>>().start());
            add_scores(&mut entry, text);
            let text = |(m, score): &(Option<AnyMove>, i32)| {
                format!("{}{score:+}", m.map_or(String::new(), |m| m.to_string()))
            };
            entry.expected.iter().map(text).collect::<Vec<_>>().join(" ")
        };
        assert_eq!((scores("b1:-8; a2:+3;"), scores("+12;")), ("b1-8 a2+3".to_owned(), "+12".to_owned()));
        for text in ["", "12", ";", "d4:+1;", "b1:+17;", "b1:+1; c;"] {
            assert_eq!(scores(text), "", "{text}");
        }
    }

    #[test]
    fn columns_do_not_override_the_text() {
        let mut game = AnnotatedGame::with_names(Game::new(any_game::<othello::Position>().start()), ["a", "b"]);
        add(&mut game, |_| Some("c".to_owned()));
        assert_eq!(game.tags.names, ["a", "b"].map(|name| Some(name.to_owned())));
        assert_eq!(game.tags.tournament.as_deref(), Some("c"));
    }
}
