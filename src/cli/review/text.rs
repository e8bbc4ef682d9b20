//! The text of a review, at most 80 columns wide.

use std::fmt::Write as _;

use morello_analysis::{BadMove, GameReview, MoveGroup, MoveStatistics, ReviewedMove, Reviews, Severity};
use morello_core::game::{Color, Game, Scoring};
use morello_core::printable::in_a_line;
use morello_play::session::ScoreView;
use morello_play::text::draw::{Style, draw};

const STRING: &str = "writing to a string cannot fail";

/// The width of the text, in characters.
pub(in crate::cli) const WIDTH: usize = 80;

/// The games and groups that are listed.
const MAX_ROWS: usize = 20;

/// The rows of the graph on each side of its axis.
const GRAPH_ROWS: i32 = 4;

/// Returns the review as text, with the `count` worst moves.
pub(super) fn review(reviews: &Reviews, count: usize) -> String {
    let mut text = reviews.rules().map_or_else(String::new, |game| format!("{}\n\n", game.info().title));
    match reviews.games() {
        [(game, _)] => {
            writeln!(text, "{}\n\n{}", details(game), graph(game)).expect(STRING);
        }
        games => games_table(&mut text, games),
    }
    sides_table(&mut text, reviews);
    if let [(game, _)] = reviews.games()
        && let Some(turn) = game.turning_point()
    {
        writeln!(text, "\nThe game turned at {}.", move_text(game, turn)).expect(STRING);
    }
    let phases = reviews.by_phase();
    if reviews.games().len() > 1 || phases.len() > 1 {
        group_table(&mut text, "phase", &phases);
    }
    if reviews.games().len() > 1 {
        group_table(&mut text, "opening", &reviews.by_opening());
    }
    if reviews.worst(1).is_empty() {
        text += "\nNo mistakes.\n";
    }
    for bad in reviews.worst(count) {
        text += "\n";
        text += &mistake(bad, reviews.games().len() > 1);
    }
    text
}

/// Returns the players, the date and the result of a game.
pub(super) fn details(game: &GameReview) -> String {
    let date = game.head.tags.date.as_deref();
    let place = format!("{}, line {}", game.origin.file, game.origin.line);
    let parts = [Some(game.heading()), date.map(str::to_owned), Some(result(game)), Some(place)];
    in_a_line(&parts.into_iter().flatten().collect::<Vec<_>>().join(", ")).into_owned()
}

/// Returns the result in words: `Black won by 12`.
fn result(game: &GameReview) -> String {
    let winner = game.head.outcome().map(|outcome| outcome.winner());
    match (winner, game.head.black_score) {
        (None, _) => "unfinished".to_owned(),
        (Some(None), _) => "drawn".to_owned(),
        (Some(Some(winner)), Some(points)) if points.abs() > 1.0 => format!("{winner} won by {}", points.abs()),
        (Some(Some(winner)), _) => format!("{winner} won"),
    }
}

/// Draws the score for Black over the plies.
fn graph(game: &GameReview) -> String {
    let scores: Vec<_> = game.moves.iter().map(|m| (m.ply, m.points_for_black())).collect();
    let limit = game.score_limit();
    let plies = game.moves.last().map_or(1, |m| m.ply + 1) as usize;
    let columns = plies.min(WIDTH - 8);
    // Of several plies in a column, the last counts.
    let mut heights = vec![None; columns];
    for (ply, score) in scores {
        heights[ply as usize * columns / plies] = Some((score / limit * f64::from(GRAPH_ROWS)).round() as i32);
    }
    let mut text = "Score for Black\n".to_owned();
    for row in (-GRAPH_ROWS..=GRAPH_ROWS).rev() {
        let label = match row {
            GRAPH_ROWS => format!("{limit:+}"),
            0 => "0".to_owned(),
            row if row == -GRAPH_ROWS => format!("{:+}", -limit),
            _ => String::new(),
        };
        let cell = |height: &Option<i32>| match height {
            Some(height) if *height == row => '*',
            Some(height) if (row > 0 && *height > row) || (row < 0 && *height < row) => ':',
            _ if row == 0 => '-',
            _ => ' ',
        };
        let line: String = heights.iter().map(cell).collect();
        writeln!(text, "{}", format!("{label:>5} {line}").trim_end()).expect(STRING);
    }
    text
}

/// Adds a table of the games.
fn games_table(text: &mut String, games: &[(GameReview, [bool; 2])]) {
    writeln!(text, "{:<10} {:<18} {:<18} {:<16} {:>6} {:>6}", "date", "Black", "White", "result", "B %", "W %")
        .expect(STRING);
    let cut = |text: &str, width: usize| text.chars().take(width).collect::<String>();
    for (game, _) in games.iter().take(MAX_ROWS) {
        let tags = &game.head.tags;
        let [black, white] = tags.names.each_ref().map(|name| cut(&in_a_line(name.as_deref().unwrap_or("-")), 18));
        let [black_accuracy, white_accuracy] = Color::ALL.map(|side| percent(&game.statistics(side)));
        let date = cut(&in_a_line(tags.date.as_deref().unwrap_or("-")), 10);
        let result = cut(&result(game), 16);
        writeln!(text, "{date:<10} {black:<18} {white:<18} {result:<16} {black_accuracy:>6} {white_accuracy:>6}")
            .expect(STRING);
    }
    if games.len() > MAX_ROWS {
        writeln!(text, "and {} more games", games.len() - MAX_ROWS).expect(STRING);
    }
    text.push('\n');
}

fn percent(statistics: &MoveStatistics) -> String {
    statistics.accuracy().map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1}"))
}

/// Adds the table of those who played: the sides of a game, or the player of several.
fn sides_table(text: &mut String, reviews: &Reviews) {
    writeln!(
        text,
        "{:<24} {:>5} {:>8} {:>9} {:>9} {:>9} {:>8}",
        "", "moves", "accuracy", "mean loss", "inaccur.", "mistakes", "blunders"
    )
    .expect(STRING);
    let mut row = |name: &str, statistics: &MoveStatistics, counts: [usize; 3]| {
        let name: String = in_a_line(name).chars().take(24).collect();
        let mean = statistics.mean_loss().map_or_else(|| "-".to_owned(), |mean| format!("{mean:.2}"));
        let [inaccuracies, mistakes, blunders] = counts;
        writeln!(
            text,
            "{name:<24} {:>5} {:>8} {mean:>9} {inaccuracies:>9} {mistakes:>9} {blunders:>8}",
            statistics.moves(),
            percent(statistics),
        )
        .expect(STRING);
    };
    match reviews.games() {
        [(game, _)] => {
            for side in game.order() {
                let name = game.head.tags.names[side.index()].as_deref();
                let name = name.map_or_else(|| side.to_string(), |name| format!("{name} ({side})"));
                row(&name, &game.statistics(side), Severity::ALL.map(|severity| game.count(side, severity)));
            }
        }
        _ => row("all", &reviews.statistics(), Severity::ALL.map(|severity| reviews.count(severity))),
    }
}

/// Adds a table of groups of moves.
fn group_table(text: &mut String, what: &str, groups: &[MoveGroup]) {
    if groups.is_empty() {
        return;
    }
    writeln!(
        text,
        "\n{what:<24} {:>5} {:>6} {:>8} {:>9} {:>11}",
        "games", "moves", "accuracy", "mean loss", "lost per game"
    )
    .expect(STRING);
    for group in groups.iter().take(MAX_ROWS / 2) {
        let name: String = group.name.chars().take(24).collect();
        let [accuracy, mean] = [group.moves.accuracy, group.moves.mean_loss].map(Option::unwrap_or_default);
        let (games, moves, lost) = (group.games, group.moves.moves, group.lost_per_game);
        writeln!(text, "{name:<24} {games:>5} {moves:>6} {accuracy:>8.1} {mean:>9.2} {lost:>11.2}").expect(STRING);
    }
}

/// Returns a move with its number, side and mark: `23. White h3??`.
pub(super) fn move_text(game: &GameReview, m: &ReviewedMove) -> String {
    let played = m.played.map_or_else(|| "-".to_owned(), |played| played.to_string());
    format!("{}. {} {played}{}", game.number(m), m.mover, m.severity().map_or("", Severity::mark))
}

/// Returns the points that a move lost.
pub(in crate::cli) fn loss_text(scoring: Scoring, points: f64) -> String {
    let decimals = if scoring == Scoring::Margin { 1 } else { 2 };
    format!("{points:.decimals$}")
}

/// Returns the diagram of a mistake, with the move and the better line beside it.
fn mistake(BadMove { game, reviewed: m, times, .. }: BadMove<'_>, names_game: bool) -> String {
    let scoring = m.position.game().info().scoring;
    let mut words = vec![move_text(game, m)];
    words.extend(game.reason(m).map(|reason| format!("{},", reason.words(m.position.game()))));
    words.push("loses".to_owned());
    words.push(m.loss.map_or_else(String::new, |loss| format!("{};", loss_text(scoring, loss.points))));
    words.extend(["best".to_owned(), "was".to_owned()]);
    words.extend(m.pv.iter().map(ToString::to_string));
    words.push(format!("({})", ScoreView::new(m.score, scoring).text));
    let board = draw(&Game::new(m.position), Style::default());
    let width = board.lines().map(|line| line.chars().count()).max().unwrap_or_default() + 4;
    let mut beside = Vec::new();
    if names_game {
        beside.extend(wrapped(details(game).split(' ').map(str::to_owned), WIDTH - width));
        if times > 1 {
            beside.push(format!("played {times} times"));
        }
        beside.push(String::new());
    }
    beside.extend(wrapped(words.into_iter(), WIDTH - width));
    let rows = board.lines().count().max(beside.len());
    let mut board = board.lines();
    let lines = (0..rows).map(|at| {
        let row = board.next().unwrap_or_default();
        let words = beside.get(at).map_or("", String::as_str);
        let padding = " ".repeat(width - row.chars().count());
        format!("{row}{padding}{words}").trim_end().to_owned() + "\n"
    });
    lines.collect()
}

/// Breaks words into lines of a width.
pub(in crate::cli) fn wrapped(words: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => *line = format!("{line} {word}"),
            _ => lines.push(word),
        }
    }
    lines
}
