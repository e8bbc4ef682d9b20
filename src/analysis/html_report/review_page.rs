//! The report of a review: how well each player played, the worst moves, and where they occurred.

use std::fmt::Write as _;

use morello_core::provenance;
use morello_files::output::plot::PlotError;

use super::game_section::{Links, figure, game_section};
use super::{Bar, STRING, bars, escaped, footer, format_measure, head, section};
use crate::{BadMove, GameReview, MoveGroup, MoveSummary, ReviewedMove, Reviews, Severity};

/// The maximum number of worst moves shown.
const WORST: usize = 10;

/// The maximum number of openings, and of players, shown.
const MAX_GROUPS: usize = 20;

/// The maximum number of games shown one by one.
const MAX_GAMES: usize = 100;

/// The URL of `morello serve`.
const PAGE: &str = "http://127.0.0.1:8080/";

/// Returns the report of a review: a self-contained page with the accuracy, the worst moves, the
/// phases, the openings, the trend, and each game. `title` says whose games they are.
///
/// ```
/// use morello::analysis::{Reviews, review_report};
///
/// let html = review_report(&Reviews::default(), "Anna")?;
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<h1>Anna</h1>"));
/// # Ok::<(), morello::output::plot::PlotError>(())
/// ```
///
/// # Errors
/// [`PlotError`] if the plotting library fails.
pub fn review_report(reviews: &Reviews, title: &str) -> Result<String, PlotError> {
    let mut page = head(title, "review");
    page += &overview(reviews);
    page += &worst(reviews);
    page += &groups("Accuracy by phase", "phase", &reviews.by_phase());
    page += &trend(reviews)?;
    page += &groups("Openings that cost most", "opening", &reviews.by_opening());
    let players = reviews.by_player();
    if players.len() > 1 {
        page += &groups("Players", "player", &players);
    }
    page += &games(reviews)?;
    page += &footer(&provenance::of_process());
    Ok(page + "</body>\n</html>\n")
}

/// Returns the accuracy and the numbers of mistakes.
fn overview(reviews: &Reviews) -> String {
    let moves = MoveSummary::from(&reviews.statistics());
    let rules = reviews.rules().map_or_else(String::new, |game| game.info().title.to_owned());
    let count = |severity: Severity| {
        format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", severity.plural(), reviews.count(severity))
    };
    let rows: String = [
        ("game", escaped(&rules)),
        ("games", reviews.games().len().to_string()),
        ("moves", moves.moves.to_string()),
        ("accuracy", format!("{} %", format_measure(moves.accuracy))),
        ("best moves", format!("{} %", format_measure(moves.agreement))),
        ("mean loss", format_measure(moves.mean_loss)),
    ]
    .iter()
    .map(|(name, value)| format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>\n"))
    .chain(Severity::ALL.map(count))
    .collect();
    format!("<table>\n{rows}</table>\n")
}

/// Returns the diagrams of the worst moves.
fn worst(reviews: &Reviews) -> String {
    let worst = reviews.worst(WORST);
    if worst.is_empty() {
        return "<p>No mistakes.</p>\n".to_owned();
    }
    let mut text = "<h2>Worst moves</h2>\n<p class=\"note\">The cross is the move played, the ring the best move. The \
                    links open the position in <code>morello serve</code>.</p>\n<div class=\"boards\">\n"
        .to_owned();
    for BadMove { game, reviewed, times } in worst {
        let date = game.head.tags.date.as_deref().map_or_else(String::new, |date| format!(", {date}"));
        let often = if times == 1 { String::new() } else { format!(", {times} times") };
        text += &figure(game, reviewed, Some(&format!("{}{date}{often}", game.heading())), Some(&links(reviewed)));
    }
    text + "</div>\n"
}

/// Returns the URLs of a position with its best line, and of the exercise, in `morello serve`.
fn links(m: &ReviewedMove) -> Links {
    let position = format!("#game={}&start={}", in_query(m.position.game().name()), in_query(&m.position.to_string()));
    let moves: Vec<_> = m.pv.iter().map(ToString::to_string).collect();
    Links {
        board: format!("{PAGE}{position}&moves={}&ply=0", in_query(&moves.join("."))),
        exercise: format!("{PAGE}{position}&exercise=1"),
    }
}

/// Escapes a value for the query of a URL.
fn in_query(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'*' => char::from(byte).to_string(),
        b' ' => "+".to_owned(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// Returns a table of move groups.
fn groups(title: &str, what: &str, groups: &[MoveGroup]) -> String {
    if groups.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "<h2>{title}</h2>\n<div class=\"wide\"><table>\n<tr><th scope=\"col\">{what}</th><th scope=\"col\">games</th>\
         <th scope=\"col\">moves</th><th scope=\"col\">accuracy %</th><th scope=\"col\">mean loss</th>\
         <th scope=\"col\">lost per game</th></tr>\n"
    );
    for group in groups.iter().take(MAX_GROUPS) {
        writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}</td></tr>",
            escaped(&group.name),
            group.games,
            group.moves.moves,
            format_measure(group.moves.accuracy),
            format_measure(group.moves.mean_loss),
            group.lost_per_game
        )
        .expect(STRING);
    }
    text += "</table></div>\n";
    text + "<p class=\"note\">Lost per game: the expected result that the moves lost, where 1 is a win.</p>\n"
}

/// Returns the plot of the accuracy of each game, by date.
fn trend(reviews: &Reviews) -> Result<String, PlotError> {
    let trend = reviews.trend();
    if trend.len() < 2 {
        return Ok(String::new());
    }
    let bar = |(number, &(at, accuracy)): (usize, &(usize, f64))| {
        let game: &GameReview = &reviews.games()[at].0;
        let date = game.head.tags.date.as_deref().unwrap_or("no date");
        Bar::at(number as u32 + 1, accuracy, format!("{}, {date}", game.heading()))
    };
    let plot: Vec<_> = trend.iter().enumerate().map(bar).collect();
    Ok(section("Trend", "The accuracy of each game, by date.", &bars(&plot, "games", "% accuracy")?))
}

/// Returns the games, one by one.
fn games(reviews: &Reviews) -> Result<String, PlotError> {
    let mut text = String::new();
    for (game, _) in reviews.games().iter().take(MAX_GAMES) {
        text += &game_section(game)?;
    }
    let more = reviews.games().len().saturating_sub(MAX_GAMES);
    if more > 0 {
        writeln!(text, "<p class=\"note\">{more} more games are not shown one by one.</p>").expect(STRING);
    }
    Ok(text)
}
