//! The output fields of an [`AnalysisRow`].

use morello_core::game::{
    AnyGame, Color, Confidence, Limits, OpeningNames, Position as _, Score, Scoring, write_scores,
};
use morello_files::input::{Column, is_game_column, is_tagged};
use morello_files::output::{Field, FieldType, Float, Text, Value};

use super::row::Analysis;
use super::{AnalysisRow, GameContext, GameHeader};

/// The width of a principal variation in a table, in characters.
const PV_WIDTH: usize = 23;

/// The width of an input column or a name in a table, in characters.
const TEXT_WIDTH: usize = 16;

/// The width of the scores of several moves in a table, in characters.
const MOVES_WIDTH: usize = 40;

/// The width of a date in a table, in characters: the year, the month and the day.
const DATE_WIDTH: usize = 10;

/// The width to which a name, an input column or a variation may be shortened on a terminal, in
/// characters.
const SHORT_WIDTH: usize = 8;

type RowField = Field<AnalysisRow>;

/// The properties of the inputs that determine the fields of the rows and the columns of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct RowInputs<'a> {
    /// The length of the longest name of an input, in characters.
    pub file_width: usize,
    /// Whether there are several inputs.
    pub has_several_files: bool,
    /// The other columns of the inputs.
    pub columns: &'a [Column],
    /// Whether the inputs seem to contain games.
    pub of_games: bool,
    /// Whether the inputs seem to contain games with players, a date or other metadata.
    pub of_tagged_games: bool,
    /// Whether the inputs seem to have expected scores to compare with.
    pub has_scores: bool,
    /// Whether the search errors are known, as with the built-in evaluation.
    pub has_score_errors: bool,
    /// Whether many rows may come from an opening book, so that tables show the source.
    pub has_book: bool,
}

impl AnalysisRow {
    /// Returns the fields of the rows of a game: `plies` only if the distance to a win counts,
    /// `lower` and `upper` only if the game has an exact solver, `empties` only if the game counts
    /// empty squares.
    ///
    /// Fields that are usually empty under these limits are hidden in tables. Tables also omit
    /// fields that the inputs seem to leave empty, such as the fields about games. Parquet files
    /// have such fields only if a row has a value.
    ///
    /// An input column with the same name as a field gets the prefix `input_`, except `date`,
    /// `event` and `result`, which fill the field of the same name.
    ///
    /// ```
    /// use morello::analysis::{self, AnalysisOptions, AnalysisRow, RowInputs};
    /// use morello::game::Limits;
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    /// use morello::output::{Output, OutputFormat};
    ///
    /// let game = games::get("othello-4x4")?;
    /// let options = AnalysisOptions::new(Limits::exact());
    /// let reader = Reader::of(game, Input::Text("-----OX--XO----- X".to_owned()))?;
    /// let rows = analysis::rows(reader, &options)?;
    /// let mut csv = Vec::new();
    /// let fields = AnalysisRow::fields(game, &options.limits, &RowInputs::default());
    /// let mut output = Output::new(OutputFormat::Csv, fields, &mut csv)?;
    /// rows.iter().try_for_each(|row| output.write(row))?;
    /// output.finish()?;
    /// assert!(String::from_utf8(csv)?.contains("-----OX--XO----- X,"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fields(game: &dyn AnyGame, limits: &Limits, inputs: &RowInputs<'_>) -> Vec<Field<Self>> {
        let &RowInputs { file_width, has_several_files, columns, of_games, .. } = inputs;
        let mut fields = vec![
            RowField::text("file", |row| (&*row.origin.file).into())
                .width(file_width)
                .shortens_to(SHORT_WIDTH)
                // The name of the only input is of little use.
                .rank(if has_several_files { 2 } else { 12 })
                .about("The input"),
            RowField::integer("line", |row| row.origin.line.into()).about("The number of the line or record, from 1"),
            RowField::text("position", |row| row.position().into())
                .not_in_table()
                .about("The position in the game's own notation; for a bad line its text"),
            RowField::text("side", |row| row.map_analysis(|a| a.position.side_to_move().name().into()))
                .width("black".len())
                .in_table_if(of_games)
                .rank(10)
                .about("The side to move: black or white"),
        ];
        if game.start().empty_count().is_some() {
            fields.push(
                RowField::integer("empties", |row| row.empty_count().into())
                    .in_table_if(of_games)
                    .rank(9)
                    .about("The number of empty squares"),
            );
        }
        fields.extend(game_fields(game, inputs));
        fields.extend(result_fields(game, limits, inputs));
        fields.extend(expectation_fields(inputs.has_scores));
        fields.push(
            RowField::text("error", |row| row.result.as_ref().err().map(ToString::to_string).into())
                .about("The error in the line and its position"),
        );
        fields.extend(game.opening_names().map(opening_field));
        // A `selfplay` log has long columns about the match.
        let is_of_log =
            ["opening_moves", "engines"].iter().all(|name| columns.iter().any(|column| column.name == *name));
        let extra_field = |name: String, place: usize| {
            // The game fields already show its metadata.
            let rank = if is_game_column(game, &name) { 11 } else { 3 };
            RowField::of_type(name, columns[place].kind, move |row| column_value(row, place))
                .excerpt(TEXT_WIDTH)
                .shortens_to(SHORT_WIDTH)
                .rank(rank)
                .only_if(!columns[place].holds_other_keys)
                .in_table_if(!is_of_log)
                .about("A column of the input")
        };
        // After the line number, since these columns often identify the row.
        let names = columns.iter().map(|column| &*column.name).enumerate();
        let copied: Vec<_> = names.filter(|(_, name)| !FILLED_BY_COLUMNS.contains(name)).collect();
        RowField::add_passthrough(&mut fields, 2, &copied, extra_field);
        fields
    }

    /// Returns the remarks on the result and the record.
    fn note(&self) -> Option<String> {
        let remark = self.map_analysis(|analysis| analysis.report.note.map(ToString::to_string));
        let notes: Vec<_> = remark.into_iter().chain(self.origin.note.clone()).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Returns a kind of data that the row has but the first records of the inputs did not have, so
    /// that the table has no column for it.
    #[must_use]
    pub fn without_column(&self, inputs: &RowInputs<'_>) -> Option<&'static str> {
        let game = self.game_context.as_ref();
        let tags = game.map(|context| &context.game.tags);
        let has_other_keys = |(column, value): (&Column, &Value)| column.holds_other_keys && *value != Value::Null;
        if game.is_some() && !inputs.of_games {
            Some("a game")
        } else if tags.is_some_and(is_tagged) && !inputs.of_tagged_games {
            Some("players, a date, an event or a result")
        } else if self.map_analysis(|a| a.expectation.is_some()) && !inputs.has_scores {
            Some("a score to compare with")
        } else if inputs.columns.iter().zip(&*self.origin.extra).any(has_other_keys) {
            Some("further keys")
        } else {
            None
        }
    }

    fn map_game<T: Default>(&self, value: impl FnOnce(&GameContext) -> T) -> T {
        self.game_context.as_ref().map_or_else(T::default, value)
    }

    /// Returns a value of the analysis; null for a bad line.
    fn map_analysis<T: Default>(&self, value: impl FnOnce(&Analysis) -> T) -> T {
        self.result.as_ref().map_or_else(|_| T::default(), value)
    }
}

/// Returns the field for the opening of the position.
fn opening_field(names: &'static OpeningNames) -> RowField {
    let set_up = |row: &AnalysisRow| names.get(&row.result.as_ref().ok()?.position).map(|opening| opening.name);
    let name = move |row: &AnalysisRow| match &row.game_context {
        Some(context) => context.opening,
        None => set_up(row),
    };
    RowField::capturing("opening", move |row| Text::from(name(row)))
        .not_in_table()
        .about("The name of the opening: the last one that the game reached, up to symmetry and transposition")
}

/// Fields that take the value of the input column of the same name if the game has no value.
const FILLED_BY_COLUMNS: [&str; 3] = ["date", "event", "result"];

/// Returns the value of an input column.
fn column_value(row: &AnalysisRow, place: usize) -> Value {
    row.origin.extra.get(place).cloned().unwrap_or_default()
}

/// Returns the fields for the game of the position and the move played.
fn game_fields(game: &dyn AnyGame, inputs: &RowInputs<'_>) -> Vec<RowField> {
    let &RowInputs { columns, of_games, of_tagged_games, .. } = inputs;
    let tag = |name: &'static str, value: fn(&GameHeader) -> Option<String>| {
        let place = columns.iter().position(|column| column.name == name);
        // Dates in a column keep their type unless the inputs contain games.
        let is_date = |place: usize| !of_games && columns[place].kind == FieldType::Date;
        let kind = if place.is_some_and(is_date) { FieldType::Date } else { FieldType::Text };
        let of_column = move |row: &AnalysisRow| match column_value(row, place?) {
            Value::Null => None,
            value => Some(value.to_string()),
        };
        let of_row = move |row: &AnalysisRow| {
            let of_game = row.game_context.as_ref().and_then(|context| value(&context.game));
            of_game.or_else(|| of_column(row)).map_or(Value::Null, Value::Text)
        };
        RowField::of_type(name, kind, of_row).only_if(of_tagged_games || place.is_some())
    };
    let mut fields = vec![
        RowField::integer("game", |row| row.map_game(|g| g.game.number.into()))
            .only_if(of_games)
            .rank(1)
            .about("The number of the game in its input, from 1"),
        tag("date", |game| game.tags.date.clone())
            .excerpt(DATE_WIDTH)
            .rank(13)
            .about("The date of the game, as far as it is known"),
        tag("event", |game| game.tags.tournament.clone())
            .excerpt(TEXT_WIDTH)
            .shortens_to(SHORT_WIDTH)
            .rank(14)
            .about("The tournament, match or place of the game"),
        tag("result", |game| Some(game.outcome()?.name().to_owned()))
            .rank(12)
            .about("The winner of the game: black, white or draw"),
        RowField::float("black_points", |row| row.map_game(|g| g.game.black_score.into()))
            .only_if(of_games)
            .not_in_table()
            .about("The points by which Black won the game, according to the file or else on the board"),
        RowField::integer("ply", |row| row.map_game(|g| g.ply.into()))
            .only_if(of_games)
            .about("The plies played before the position"),
    ];
    fields.extend(player_fields(of_tagged_games));
    fields.extend([
        RowField::text("played", |row| row.map_game(|g| g.played.map(|m| m.to_string()).into()))
            .width(move_width(game))
            .only_if(of_games)
            .about("The move played in the game"),
        RowField::float("loss", |row| row.loss.map(|loss| loss.points).into())
            .width(6)
            .only_if(of_games)
            .about("The loss of that move compared with the best move, in points"),
    ]);
    fields
}

/// Returns the fields for the players.
fn player_fields(of_tagged_games: bool) -> [RowField; 4] {
    let name_of = |name, about, of: fn(Color) -> Color| {
        RowField::capturing(name, move |row| {
            row.map_game(|g| Text::from(g.game.tags.names[of(g.mover).index()].as_deref()))
        })
        .excerpt(TEXT_WIDTH)
        .shortens_to(SHORT_WIDTH)
        .only_if(of_tagged_games)
        .about(about)
    };
    let rating_of = |name, about, of: fn(Color) -> Color| {
        RowField::capturing(name, move |row| row.map_game(|g| Float::from(g.game.tags.ratings[of(g.mover).index()])))
            .only_if(of_tagged_games)
            .not_in_table()
            .about(about)
    };
    [
        name_of("player", "The name of the side to move", |mover| mover).rank(4),
        name_of("opponent", "The name of the other side", Color::opponent).rank(15),
        rating_of("rating", "The rating of the side to move before the game", |mover| mover),
        rating_of("opponent_rating", "The rating of the other side before the game", Color::opponent),
    ]
}

/// Returns the width of a move in a table, in characters.
fn move_width(game: &dyn AnyGame) -> usize {
    match game.info().scoring {
        Scoring::Margin => "pass".len(),
        Scoring::Distance => "a7-a4xa1".len(),
    }
}

/// Returns the fields for the result of the search.
fn result_fields(game: &dyn AnyGame, limits: &Limits, inputs: &RowInputs<'_>) -> Vec<RowField> {
    let distance = game.info().scoring == Scoring::Distance;
    let mut fields = vec![
        RowField::text("best_move", |row| row.map_analysis(|a| a.report.best_move().map(|m| m.to_string()).into()))
            .width(move_width(game))
            .about("The best move found"),
        RowField::float("score", |row| row.map_analysis(Analysis::score_value))
            .width(7)
            .about("The score in points for the side to move"),
        RowField::boolean("exact", |row| row.map_analysis(|a| a.score().is_exact().into()))
            .rank(1)
            .about("Whether the score is proved"),
        RowField::text("source", |row| row.map_analysis(|a| a.report.source.name().into()))
            .width("search".len())
            .in_table_if(distance || inputs.has_book)
            .rank(7)
            .about("Where the result comes from: search, book or table"),
        RowField::text("outcome", |row| row.map_analysis(|a| a.outcome().into()))
            .in_table_if(distance || limits.window.is_some())
            .rank(6)
            .about("The proved result for the side to move: win, draw or loss"),
    ];
    if game.score_error(1, 1, Confidence::FULL).is_some() {
        let has_score_errors = inputs.has_score_errors;
        let error = move |analysis: &Analysis| score_error(analysis).filter(|_| has_score_errors);
        fields.push(
            RowField::capturing("score_error", move |row| row.map_analysis(|a| Float::from(error(a)))).not_in_table().about(
                "The error in points that 95 % of such scores do not exceed: 0 if exact, measured with the built-in \
                evaluation",
            ),
        );
    }
    fields.extend(distance_fields(inputs.of_games).into_iter().filter(|_| distance));
    fields.extend(bound_fields(limits).into_iter().filter(|_| game.info().exact_solver));
    fields.extend(search_fields(game, limits.lines > 1));
    fields.push(
        RowField::text("note", |row| row.note().into())
            .in_table_if(distance)
            .rank(8)
            .about("Remarks on the result, and the parts of the text of the record that were left out"),
    );
    fields
}

/// Returns the fields for the plies to the end of the game.
fn distance_fields(of_games: bool) -> [RowField; 2] {
    [
        RowField::integer("plies", |row| row.map_analysis(|a| a.score().plies.into()))
            .rank(2)
            .about("The plies to the end of the game, if a win or loss is proved"),
        RowField::integer("plies_lost", |row| row.plies_lost.into())
            .only_if(of_games)
            .not_in_table()
            .about("The plies by which the move played delays a proved win or hastens a proved loss"),
    ]
}

fn bound_fields(limits: &Limits) -> [RowField; 2] {
    let cut_short = limits.window.is_some() || limits.exact && (limits.nodes.is_some() || limits.time.is_some());
    [
        RowField::integer("lower", |row| row.map_analysis(|a| a.report.bounds.lower.into()))
            .in_table_if(cut_short)
            .rank(2)
            .about("The proved lower bound of the score"),
        RowField::integer("upper", |row| row.map_analysis(|a| a.report.bounds.upper.into()))
            .in_table_if(cut_short)
            .rank(2)
            .about("The proved upper bound of the score"),
    ]
}

/// Returns the fields for the effort of the search and the lines that it found.
fn search_fields(game: &dyn AnyGame, several: bool) -> [RowField; 6] {
    [
        RowField::integer("depth", |row| row.map_analysis(|a| a.report.depth.into()))
            .rank(7)
            .about("The last completed search depth, in plies"),
        RowField::integer("confidence", |row| row.map_analysis(|a| a.report.confidence.percent().into()))
            .in_table_if(game.info().selective)
            .rank(10)
            .about("The confidence of the selective search, in percent"),
        RowField::integer("nodes", |row| row.map_analysis(|a| a.report.nodes.into()))
            .width(11)
            .rank(8)
            .about("The nodes visited"),
        RowField::float("time_ms", |row| row.map_analysis(|a| a.time_ms.into()))
            .width(9)
            .rank(9)
            .about("The time of the search in milliseconds"),
        RowField::text("pv", |row| row.map_analysis(Analysis::pv_value))
            .excerpt(PV_WIDTH)
            .shortens_to(SHORT_WIDTH)
            .rank(2)
            .about("The principal variation: the best play found for both sides"),
        RowField::capturing("moves", move |row| {
            row.map_analysis(|a| Text::from(several.then(|| write_scores(a.report.scores()))))
        })
        .excerpt(MOVES_WIDTH)
        .shortens_to(TEXT_WIDTH)
        .in_table_if(several)
        .rank(1)
        .about("The scores of several moves: `d2:-14; b8:>=-16; c4:~-18.5;`, the last two a bound and an estimate"),
    ]
}

/// Returns the error that 95 % of such scores do not exceed, limited by the proved bounds.
fn score_error(analysis: &Analysis) -> Option<f64> {
    let report = &analysis.report;
    if analysis.score().is_exact() {
        return Some(0.0);
    }
    if report.depth == 0 {
        return None;
    }
    let empties = analysis.position.empty_count()?;
    let error = analysis.position.game().score_error(empties, report.depth, report.confidence)?;
    let distance =
        |bound: Option<i32>| bound.map_or(f64::INFINITY, |b| (f64::from(b) - analysis.score().points()).abs());
    let possible = distance(report.bounds.lower).max(distance(report.bounds.upper));
    Some((error.min(possible) * 10.0).round() / 10.0)
}

/// Returns the fields for the comparison with the input.
fn expectation_fields(has_scores: bool) -> [RowField; 3] {
    [
        RowField::float("expected_score", |row| row.map_analysis(|a| a.expectation.map(|e| e.score).into()))
            .only_if(has_scores)
            .rank(5)
            .about("The highest score expected by the input"),
        RowField::boolean("agrees", |row| row.map_analysis(|a| a.agrees().into()))
            .only_if(has_scores)
            .rank(5)
            .about("Whether the best move is an expected one and no proved result contradicts the input"),
        RowField::boolean("score_agrees", |row| row.map_analysis(|a| a.score_agrees().into()))
            .only_if(has_scores)
            .rank(11)
            .about("Whether the score is the expected one, or a bound compatible with it"),
    ]
}

impl Analysis {
    fn score_value(&self) -> Float {
        let score = self.score();
        let proved = score.is_exact() || score.is_bound();
        if proved && score.thousandths % Score::POINT == 0 {
            (score.thousandths / Score::POINT).into()
        } else {
            score.points().into()
        }
    }

    fn pv_value(&self) -> Text {
        let moves: Vec<_> = self.report.best().pv.iter().map(ToString::to_string).collect();
        moves.join(" ").into()
    }
}

#[cfg(test)]
mod tests {
    use morello_core::game::{Certainty, Tags};
    use morello_files::output::{Output, OutputFormat};

    use super::super::RowOrigin;
    use super::super::tests::{nine, othello4, row};
    use super::*;

    fn csv(game: &dyn AnyGame, columns: &[&str], rows: &[AnalysisRow]) -> String {
        let mut text = Vec::new();
        let columns: Vec<_> = columns.iter().map(|&name| name.into()).collect();
        let inputs = RowInputs { columns: &columns, ..RowInputs::default() };
        let fields = AnalysisRow::fields(game, &Limits::exact(), &inputs);
        let mut output = Output::new(OutputFormat::Csv, fields, &mut text).unwrap();
        rows.iter().for_each(|row| output.write(row).unwrap());
        output.finish().unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn writes_plies_bounds_and_empties_only_where_they_apply() {
        let heuristic = Score { thousandths: 125, certainty: Certainty::Heuristic, plies: None };
        let scores = [Score { plies: Some(8), ..Score::exact(-1) }, Score::exact(0), heuristic];
        let head = "file,line,position,side,game,date,event,result,black_points,ply,player,opponent,rating,opponent_rating,played,loss,\
                    best_move,score,exact,source,outcome,plies,plies_lost,depth,confidence,nodes,time_ms,pv,moves,note,expected_score,agrees,score_agrees,error";
        let text = ["-1,true,search,loss,8,,", "0,true,search,draw,,,", "0.125,false,search,,,,"]
            .map(|row| format!("f,3,\"9,9 - - W\",white,,,,,,,,,,,,,a7,{row}9,100,7,,a7 d7,,,,,,\n"));
        assert_eq!(csv(nine(), &[], &scores.map(|score| row(nine(), score))), format!("{head}\n{}", text.concat()));
        let head = head.replace("plies,plies_lost", "lower,upper").replace("side,", "side,empties,");
        let text = ["0,true,search,draw,0,0,", "2,false,search,win,2,,"]
            .map(|row| format!("f,3,-----OX--XO----- X,black,12,,,,,,,,,,,,,b1,{row}9,100,7,,b1 a1,,,,,,\n"));
        let scores = [Score::exact(0), Score::of(2, Certainty::AtLeast)];
        let rows = scores.map(|score| row(othello4(), score));
        assert_eq!(csv(othello4(), &[], &rows), format!("{head}\n{}", text.concat()));
    }

    #[test]
    fn every_field_is_described() {
        for game in [othello4(), nine()] {
            let inputs = RowInputs { columns: &["id".into()], ..RowInputs::default() };
            let fields = AnalysisRow::fields(game, &Limits::exact(), &inputs);
            assert!(fields.iter().all(|field| !field.description().is_empty()));
        }
    }

    /// A row of a game in which White is to move, and the values of the columns `date`, `result`
    /// and `rating`.
    fn game_row(tags: Tags, extra: [&str; 3]) -> AnalysisRow {
        let black_score = tags.result.map(|result| result.points);
        let game = GameHeader { number: 2, tags, plies: 5, black_points: None, black_score, opening: None };
        let context = GameContext {
            game: game.into(),
            ply: 1,
            mover: Color::White,
            played: None,
            next_ply: 2,
            final_points: None,
            opening: None,
            is_selected: true,
        };
        let value = |text: &str| if text.is_empty() { Value::Null } else { Value::Text(text.to_owned()) };
        let origin = RowOrigin { extra: extra.map(value).into(), ..RowOrigin::default() };
        AnalysisRow { game_context: Some(context), origin: origin.into(), ..row(othello4(), Score::exact(0)) }
    }

    #[test]
    fn a_wide_table_cuts_no_fixed_text() {
        for game in [othello4(), nine()] {
            let inputs = RowInputs { of_games: true, of_tagged_games: true, ..RowInputs::default() };
            let moves = game.random_game(1, 200).moves().to_vec();
            let longest = moves.into_iter().max_by_key(|m| m.to_string().len());
            let mut context = game_row(Tags::default(), [""; 3]).game_context.unwrap();
            context.played = longest;
            let row = AnalysisRow { game_context: Some(context), ..row(game, Score::exact(0)) };
            let fields = AnalysisRow::fields(game, &Limits::exact(), &inputs);
            let mut text = Vec::new();
            let mut output = Output::fitted(OutputFormat::Table, fields, Some(300), &mut text).unwrap();
            output.write(&row).unwrap();
            output.finish().unwrap();
            let text = String::from_utf8(text).unwrap();
            let side = row.result.as_ref().unwrap().position.side_to_move().name();
            assert!(!text.contains('…') && text.contains(side), "{text}");
            assert!(text.contains(&longest.unwrap().to_string()), "{text}");
        }
    }

    #[test]
    fn a_row_names_the_players_and_the_game() {
        let names = ["Anna", "Bob"].map(|name| Some(name.to_owned()));
        let tags =
            Tags { names, ratings: [Some(1800.5), None], tournament: Some("Open".to_owned()), ..Tags::default() };
        let columns = ["date", "result", "rating"];
        let text = csv(othello4(), &columns, &[game_row(tags, ["2001-02-03", "resigned", "x"])]);
        let (names, values) = text.trim_end().split_once('\n').unwrap();
        // The game has no date and no result, so its columns fill these fields; a column of another
        // meaning gets a prefix.
        assert!(
            names.starts_with("file,line,input_rating,position,side,empties,game,date,event,result,black_points,ply,")
        );
        assert!(values.contains(",2,2001-02-03,Open,resigned,,1,Bob,Anna,,1800.5,,,b1,"), "{values}");
        let result = Some(morello_core::game::GameResult { points: -3.0 });
        let tags = Tags { date: Some("1999".to_owned()), result, ..Tags::default() };
        let text = csv(othello4(), &columns, &[game_row(tags, ["2001", "", ""])]);
        assert!(text.contains(",2,1999,,white,-3.0,1,,,,,,,b1,"), "{text}");
    }
}
