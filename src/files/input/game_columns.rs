//! Columns with game metadata: the output fields, and how they are read back.

use morello_core::game::label::normalized_date;
use morello_core::game::{
    AnnotatedGame, AnnotatedPosition, AnyGame, Color, GameResult, ImpossibleResult, Note, Outcome, Position as _,
    Scoring, Tags, Termination, TheoreticalResult, UnreadKind, disc_result,
};

use serde::Serialize;

use crate::output::{Field, Float, Value};

/// Another name of the column `tournament`.
const EVENT: &str = "event";

/// Other names of the columns `black_rating` and `white_rating`.
const ELO: [&str; 2] = ["black_elo", "white_elo"];

/// Returns the fields for the players, the tournament, the date and the kind of ending.
///
/// ```
/// use morello::game::Tags;
/// use morello::input::tag_fields;
/// use morello::output::{Output, OutputFormat};
///
/// let tags = Tags { date: Some("2003-12-15".to_owned()), ..Tags::default() };
/// let mut csv = Vec::new();
/// let mut output = Output::new(OutputFormat::Csv, tag_fields(), &mut csv)?;
/// output.write(&tags)?;
/// output.finish()?;
/// assert!(csv.ends_with(b"\n,,,,,2003,2003-12-15,\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn tag_fields() -> Vec<Field<Tags>> {
    vec![
        Field::<Tags>::text("black", |tags| tags.names[0].as_deref().into()).about("Black's name"),
        Field::<Tags>::text("white", |tags| tags.names[1].as_deref().into()).about("White's name"),
        Field::<Tags>::float("black_rating", |tags| tags.ratings[0].into()).about("Black's rating before the game"),
        Field::<Tags>::float("white_rating", |tags| tags.ratings[1].into()).about("White's rating before the game"),
        Field::<Tags>::text("tournament", |tags| tags.tournament.as_deref().into()).about("The tournament"),
        Field::<Tags>::integer("year", |tags| tags.year().into()).about("The year of the date"),
        Field::<Tags>::text("date", |tags| tags.date.as_deref().into()).about("The date, as far as it is known"),
        Field::<Tags>::text("ending", |tags| tags.termination.map(Termination::name).into()).about(
            "The reason for an early end: resignation, timeout, illegal_move, crash, adjudication, agreement or other",
        ),
    ]
}

/// Returns the fields for the result: the winner, and the discs in games that count discs.
///
/// ```
/// use morello::games;
/// use morello::input::result_fields;
///
/// let names = |game: &str| Ok::<Vec<_>, Box<dyn std::error::Error>>(
///     result_fields(games::get(game)?).iter().map(|field| field.name().to_owned()).collect(),
/// );
/// assert_eq!(names("othello")?, ["black_discs", "result", "theoretical_black_discs", "theoretical_empties"]);
/// assert_eq!(names("nine-mens-morris")?, ["result"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn result_fields(game: &dyn AnyGame) -> Vec<Field<AnnotatedGame>> {
    let squares = game.layout().points.len();
    let discs = move |points: f64| -> Float {
        let discs = (squares as f64 + points) / 2.0;
        if discs.fract() == 0.0 { (discs as i32).into() } else { discs.into() }
    };
    type Named = Field<AnnotatedGame>;
    let winner = Named::text(RESULT, |game| {
        let points = game.tags.points_or(game.game.points(Color::Black));
        points.map(|points| Outcome::from_black_points(points).name()).into()
    })
    .about("The result: black, white or draw");
    match game.info().scoring {
        Scoring::Margin => vec![
            Named::capturing("black_discs", move |game| Float::from(game.black_score().map(discs))).about(
                "Black's discs at the end; empty squares count for the winner. Null if only the winner is known",
            ),
            winner,
            Named::capturing("theoretical_black_discs", move |game| {
                Float::from(game.tags.theoretical.map(|result| discs(result.points.into())))
            })
            .about("Black's discs after perfect play by both sides from a late position of the game"),
            Named::integer("theoretical_empties", |game| game.tags.theoretical.map(|result| result.empties).into())
                .about("The number of empty squares of that position"),
        ],
        Scoring::Distance => vec![winner],
    }
}

/// Returns the fields for the move notes: the evaluations, depths and times as JSON lists.
///
/// ```
/// use morello::input::note_fields;
///
/// let names: Vec<_> = note_fields().iter().map(|field| field.name().to_owned()).collect();
/// assert_eq!(names, ["scores", "depths", "seconds"]);
/// ```
#[must_use]
pub fn note_fields() -> Vec<Field<AnnotatedGame>> {
    fn list<T: Serialize>(notes: &[Note], value: fn(&Note) -> Option<T>) -> Value {
        let values: Vec<_> = notes.iter().map(value).collect();
        if values.iter().all(Option::is_none) {
            return Value::Null;
        }
        serde_json::to_string(&values).map_or(Value::Null, Value::Json)
    }
    vec![
        Field::capturing(SCORES, |game: &AnnotatedGame| list(&game.notes, |note| note.eval))
            .about("The evaluations of the moves in points for the side that moved, a list with null for none"),
        Field::capturing(DEPTHS, |game: &AnnotatedGame| list(&game.notes, |note| note.depth))
            .about("The depths of the searches behind them in plies, a list with null for none"),
        Field::capturing(SECONDS, |game: &AnnotatedGame| list(&game.notes, |note| note.seconds))
            .about("The times of the moves in seconds, a list with null for none"),
    ]
}

/// Returns whether a column contains game metadata. Such a column becomes part of the game and is
/// not copied to the output.
///
/// The name is compared ignoring case.
///
/// ```
/// use morello::games;
/// use morello::input::is_game_column;
///
/// let othello = games::get("othello")?;
/// assert_eq!(["White", "event", "id"].map(|name| is_game_column(othello, name)), [true, true, false]);
/// # Ok::<(), morello::games::UnknownGame>(())
/// ```
#[must_use]
pub fn is_game_column(game: &dyn AnyGame, column: &str) -> bool {
    let is = |name: &str| name.eq_ignore_ascii_case(column);
    [EVENT].into_iter().chain(ELO).any(is)
        || tag_fields().iter().any(|field| is(field.name()))
        || result_fields(game).iter().any(|field| is(field.name()))
        // The opening name follows from the moves.
        || is("opening") && game.opening_names().is_some()
}

/// Returns whether a column contains notes on the moves of a game.
#[must_use]
pub fn is_note_column(column: &str) -> bool {
    [SCORES, DEPTHS, SECONDS].iter().any(|name| name.eq_ignore_ascii_case(column))
}

/// Returns whether a game has players, a tournament, a date or a recorded result.
#[must_use]
pub fn is_tagged(tags: &Tags) -> bool {
    let has_origin = tags.tournament.is_some() || tags.date.is_some();
    has_origin || tags.names.iter().any(Option::is_some) || tags.result.is_some()
}

/// Returns whether a column contains the move scores of a position.
#[must_use]
pub fn is_score_column(column: &str) -> bool {
    column.eq_ignore_ascii_case(SCORES)
}

/// The column with the move scores of a position, or with the scores of the moves after the opening
/// of a game.
pub(super) const SCORES: &str = "scores";

/// The columns with the depths and the times of the moves of a game, like [`SCORES`].
const DEPTHS: &str = "depths";
const SECONDS: &str = "seconds";

/// The column with the winner; in other tables, with the discs.
pub(super) const RESULT: &str = "result";

/// The columns of a match log: the name of the game, the position before the moves if it is not the
/// usual start, the opening moves, and the other moves.
pub(super) const RULES: &str = "rules";
pub(super) const START: &str = "start";
pub(super) const OPENING_MOVES: &str = "opening_moves";
pub(super) const MOVES: &str = "moves";
const END_REASON: &str = "end_reason";
const SCORE: &str = "score";

/// A result that is impossible on the board of its game, and the name of its column.
pub(super) type ColumnError = (&'static str, ImpossibleResult);

/// Adds metadata from columns to a game, unless its text already has it. `column` returns the value
/// of a column as text. Returns the columns whose text was left out.
///
/// # Errors
/// If a result is impossible, even if the text of the game has another result.
pub(super) fn add(
    game: &mut AnnotatedGame,
    column: impl Fn(&str) -> Option<String>,
) -> Result<Vec<(&'static str, UnreadKind)>, ColumnError> {
    let mut left_out = Vec::new();
    let value = |name: &str| column(name).filter(|text| !text.trim().is_empty());
    let rules = game.game.position().game();
    let tags = &mut game.tags;
    for (name, of) in tags.names.iter_mut().zip(["black", "white"]) {
        *name = name.take().or_else(|| value(of));
    }
    let mut number = |name: &'static str| {
        let text = value(name)?;
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        if number.is_none() && text.contains(char::is_alphanumeric) {
            left_out.push((name, UnreadKind::words(text.trim())));
        }
        number
    };
    for ((rating, of), elo) in tags.ratings.iter_mut().zip(["black_rating", "white_rating"]).zip(ELO) {
        *rating = rating.or_else(|| number(of)).or_else(|| number(elo));
    }
    tags.tournament = tags.tournament.take().or_else(|| value("tournament")).or_else(|| value(EVENT));
    let date = value("date").or_else(|| value("year"));
    tags.date = tags.date.take().or_else(|| date.as_deref().map(normalized_date));
    let squares = rules.layout().points.len() as u32;
    let mut points = |name: &'static str| match number(name) {
        Some(discs) if !(0.0..=f64::from(squares)).contains(&discs) => {
            Err((name, ImpossibleResult { text: discs.to_string(), squares }))
        }
        discs => Ok(discs.map(|discs| 2.0 * discs - f64::from(squares))),
    };
    let recorded = value(RESULT);
    let winner = recorded.as_deref().and_then(|text| read_winner(rules, text));
    let ending = value("ending").or_else(|| value(END_REASON)).and_then(|text| Termination::read(&text));
    let mut is_certain = winner.is_some() || game.game.end().is_some() || value(END_REASON).is_some();
    let result = match rules.info().scoring {
        Scoring::Margin => {
            let discs = recorded.as_deref().map_or(Ok(None), |text| stated_points(text, squares))?;
            // A result that contradicts the board is a mistake, or of another game.
            let board = game.game.points(Color::Black).filter(|_| ending.is_none()).map(f64::from);
            let of_board = discs.filter(|discs| board.is_none_or(|board| board == *discs));
            is_certain = if discs.is_some() { of_board.is_some() } else { is_certain };
            // The score in a log; in other tables, the score is a search score.
            let score = || value(END_REASON).and_then(|_| value(SCORE)?.trim().parse().ok());
            points("black_discs")?.or(of_board).or_else(score)
        }
        Scoring::Distance => None,
    };
    let result = result.map(|points| GameResult { points });
    if let Some(GameResult { points }) = result.filter(|result| !result.is_possible(rules)) {
        return Err((SCORE, ImpossibleResult { text: points.to_string(), squares }));
    }
    if let (Some(winner), Some(result), None) = (winner, result, ending) {
        is_certain &= Outcome::from_black_points(result.points) == winner;
    }
    tags.termination = tags.termination.or(ending);
    tags.result = tags.result.or(result);
    if tags.result.is_none()
        && let Some(winner) = winner
        && game.game.end().map(|end| end.outcome.name()) != Some(winner.name())
    {
        tags.result = Some(GameResult::of_winner(rules, winner.winner()));
        if rules.info().scoring == Scoring::Margin {
            tags.termination.get_or_insert(Termination::Other);
        }
    }
    if game.notes.is_empty() {
        let list = |name: &str| serde_json::from_str::<Vec<Option<f64>>>(&value(name)?).ok();
        let opening = value(OPENING_MOVES).map_or(0, |moves| moves.split_whitespace().count());
        game.notes = notes(game.game.moves().len(), opening, [list(SCORES), list(DEPTHS), list(SECONDS)]);
    }
    if rules.info().scoring == Scoring::Margin {
        let empties = value("theoretical_empties").and_then(|text| text.trim().parse().ok());
        let theoretical = empties.zip(points("theoretical_black_discs")?);
        let theoretical = theoretical.map(|(empties, points)| TheoreticalResult { empties, points: points as i32 });
        tags.theoretical = tags.theoretical.or(theoretical);
    }
    let is_unknown = |text: &String| text.trim().chars().all(|c| "*?-".contains(c));
    let uncertain = recorded.filter(|text| !is_certain && !is_unknown(text));
    left_out.extend(uncertain.map(|text| (RESULT, UnreadKind::Score(text))));
    Ok(left_out)
}

/// Reads the points for Black in the column with the result; `None` if the text may mean something
/// else, such as the winner.
fn stated_points(text: &str, squares: u32) -> Result<Option<f64>, ColumnError> {
    // `+1` and `-1.0` may state who won.
    if text.trim().parse::<f64>().is_ok_and(|points| (0.1..=1.0).contains(&points.abs())) {
        return Ok(None);
    }
    disc_result(text, squares).transpose().map_err(|error| (RESULT, error))
}

/// Reads the winner of a game. For games with a margin, programs disagree on the winner in `1-0`.
fn read_winner(rules: &dyn AnyGame, text: &str) -> Option<Outcome> {
    let pgn = || match rules.info().scoring {
        Scoring::Margin => None,
        Scoring::Distance => GameResult::from_pgn(text.trim()).ok().flatten(),
    };
    text.trim().parse().ok().or_else(|| Some(Outcome::from_black_points(pgn()?.points)))
}

/// Returns the notes of `plies` moves from lists of evaluations, depths and times. The lists have
/// one entry per move, or, in a log, one per move after the opening. Logs may omit the last
/// entries.
fn notes(plies: usize, opening: usize, lists: [Option<Vec<Option<f64>>>; 3]) -> Vec<Note> {
    if lists.iter().all(Option::is_none) {
        return Vec::new();
    }
    let value = |list: &Option<Vec<Option<f64>>>, ply: usize| {
        let list = list.as_ref()?;
        let at = if list.len() == plies { ply } else { ply.checked_sub(opening)? };
        list.get(at).copied().flatten()
    };
    let note = |ply| {
        let [eval, depth, seconds] = lists.each_ref().map(|list| value(list, ply));
        Note { eval, depth: depth.map(|depth| depth as u32), seconds }
    };
    (0..plies).map(note).collect()
}

/// Adds the seconds that the moves took. If the list is too short to include passes, passes get no
/// seconds.
pub(super) fn add_seconds(game: &mut AnnotatedGame, seconds: &[Option<f64>]) {
    let moves = game.game.moves();
    if seconds.iter().all(Option::is_none) {
        return;
    }
    game.notes.resize(moves.len(), Note::default());
    let lists_passes = seconds.len() >= moves.len();
    let listed = moves.iter().zip(&mut game.notes).filter(|(m, _)| lists_passes || !m.is_pass());
    listed.zip(seconds).for_each(|((_, note), seconds)| note.seconds = *seconds);
}

/// Adds move scores from a column in OBF style: `d3:+2; c4:-1;`. If one of them is invalid, all are
/// ignored.
pub(super) fn add_scores(entry: &mut AnnotatedPosition, text: &str) {
    let game = entry.position.game();
    let most = GameResult::most_points(game);
    let score = |text: &str| {
        let score: i32 = text.trim().parse().ok()?;
        (score.unsigned_abs() <= most).then_some(score)
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
    use morello_core::game::{AnyMove, Game, Playable, any_game};
    use morello_core::morris::{self, NineMensMorris};
    use morello_core::othello;

    use super::*;

    fn with<P: Playable>(columns: &[(&str, &str)]) -> AnnotatedGame {
        let mut game = AnnotatedGame::from(Game::new(any_game::<P>().start()));
        try_add(&mut game, columns).unwrap();
        game
    }

    fn try_add(
        game: &mut AnnotatedGame,
        columns: &[(&str, &str)],
    ) -> Result<Vec<(&'static str, UnreadKind)>, ColumnError> {
        add(game, |name| columns.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned()))
    }

    #[test]
    fn impossible_results_are_errors() {
        for (column, text) in [
            ("result", "50-24"),
            ("result", "+70"),
            ("black_discs", "65"),
            ("theoretical_black_discs", "-1"),
            ("score", "65"),
            ("score", "NaN"),
        ] {
            let mut game = AnnotatedGame::from(Game::new(any_game::<othello::Position>().start()));
            let error = try_add(&mut game, &[(column, text), ("end_reason", "timeout")]).unwrap_err();
            assert_eq!(error, (column, ImpossibleResult { text: text.to_owned(), squares: 64 }));
        }
    }

    #[test]
    fn results_that_are_not_certain_are_left_out() {
        let left_out = |moves: &str, columns: &[(&str, &str)]| {
            let game = any_game::<othello::Position>();
            let mut game = AnnotatedGame::from(game.parse_game(moves).unwrap());
            let left_out = try_add(&mut game, columns).unwrap();
            let texts: Vec<_> = left_out.iter().map(|(_, kind)| kind.to_string()).collect();
            texts.join(" ").split('`').nth(1).map(str::to_owned)
        };
        for text in ["33", "foo", "+1", "-1", "-1.0", "+0.5", "2-0", "0:45", "1-0", "B+4"] {
            assert_eq!(left_out("f5d6", &[("result", text)]).as_deref(), Some(text));
        }
        for text in ["40-24", "+12", "draw", "black", "*", "?", ""] {
            assert_eq!(left_out("f5d6", &[("result", text)]), None);
        }
        // All white discs are lost.
        let finished = "e6f4e3f6g5d6e7f5c5";
        assert_eq!(left_out(finished, &[("result", "-16")]).as_deref(), Some("-16"));
        assert_eq!(left_out(finished, &[("result", "-16"), ("ending", "timeout")]), None);
        assert_eq!(left_out(finished, &[("result", "13-0")]), None);
        assert_eq!(left_out(finished, &[("result", "1-0")]), None);
        assert_eq!(left_out("f5", &[("result", "white"), ("black_discs", "40")]).as_deref(), Some("white"));
        assert_eq!(left_out("f5", &[("result", "white"), ("black_discs", "20")]), None);
        for column in ["black_discs", "white_rating", "black_elo"] {
            assert_eq!(left_out("f5", &[(column, "many")]).as_deref(), Some("many"), "{column}");
            assert_eq!(left_out("f5", &[(column, "-")]), None, "{column}");
        }
    }

    #[test]
    fn fills_game_details_from_columns() {
        let columns = [
            ("black", "one"),
            ("white", " "),
            ("year", "1977"),
            ("white_rating", "1803.5"),
            ("black_discs", "34"),
            ("theoretical_black_discs", "41"),
            ("theoretical_empties", "24"),
        ];
        let tags = with::<othello::Position>(&columns).tags;
        assert_eq!(tags.ratings, [None, Some(1803.5)]);
        assert_eq!((tags.names, tags.date.as_deref()), ([Some("one".to_owned()), None], Some("1977")));
        assert_eq!(tags.result.map(|result| result.points), Some(4.0));
        assert_eq!(tags.theoretical, Some(TheoreticalResult { empties: 24, points: 18 }));
        let resigned = with::<othello::Position>(&[("black_discs", "40"), ("ending", "resignation")]).tags;
        assert_eq!(resigned.result, Some(GameResult { points: 16.0 }));
        assert_eq!(resigned.termination, Some(Termination::Resignation));
        let unknown = with::<othello::Position>(&[("ending", "timeout")]).tags;
        assert_eq!((unknown.result, unknown.termination), (None, Some(Termination::Timeout)));
        let disc_result = |text| with::<othello::Position>(&[("result", text)]).tags.result.map(|result| result.points);
        assert_eq!(["40-24", " 20:44", "30 - 30", "33-0"].map(disc_result), [16.0, -24.0, 0.0, 64.0].map(Some));
        assert_eq!(
            ["+12", "-2.0", "0-1", "1-0", "1/2-1/2"].map(disc_result),
            [Some(12.0), Some(-2.0), None, None, None]
        );
        assert_eq!(["*", "", "-"].map(disc_result), [None; 3]);
        for (text, points) in [("black", 64.0), ("White", -64.0), ("draw", 0.0)] {
            let game = with::<othello::Position>(&[("result", text)]);
            assert_eq!(game.tags.result, Some(GameResult { points }), "{text}");
            assert_eq!((game.tags.termination, game.black_score()), (Some(Termination::Other), None));
        }
        let forfeited = with::<othello::Position>(&[("result", "black"), ("end_reason", "timeout"), ("score", "12")]);
        assert_eq!((forfeited.tags.result, forfeited.black_score()), (Some(GameResult { points: 12.0 }), Some(12.0)));
        let event = with::<othello::Position>(&[("event", "Open"), ("white_elo", "1700")]).tags;
        assert_eq!((event.tournament.as_deref(), event.ratings), (Some("Open"), [None, Some(1700.0)]));
        let pgn = |text| {
            with::<morris::Position<NineMensMorris>>(&[("result", text)]).tags.result.map(|result| result.points)
        };
        assert_eq!(["1-0", "0-1", "1/2-1/2", "*"].map(pgn), [Some(-1.0), Some(1.0), Some(0.0), None]);
        let mills = with::<morris::Position<NineMensMorris>>(&[("result", "White"), ("black_discs", "3")]).tags;
        assert_eq!((mills.result.map(|result| result.points), mills.theoretical), (Some(-1.0), None));
    }

    #[test]
    fn reads_expected_scores_from_a_column() {
        let scores = |text: &str| {
            let mut entry = AnnotatedPosition::from(any_game::<othello::SizedPosition<4>>().start());
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
        add(&mut game, |_| Some("c".to_owned())).unwrap();
        assert_eq!(game.tags.names, ["a", "b"].map(|name| Some(name.to_owned())));
        assert_eq!(game.tags.tournament.as_deref(), Some("c"));
    }
}
