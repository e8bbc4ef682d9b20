//! The section of one game: heading, score graph, diagrams of the mistakes, and move list.

use std::fmt::Write as _;

use morello_core::game::{Color, Outcome, Score, Scoring, Tags};
use morello_core::sorting;
use morello_files::output::board_with_moves;
use morello_files::output::plot::PlotError;

use super::score_graph::{score_graph, signed};
use super::{STRING, abbreviate, escaped, format_measure};
use crate::{GameReview, MoveSummary, ReviewedMove, Severity};

/// Maximum number of diagrams per game. The largest losses are shown.
const MAX_DIAGRAMS: usize = 12;

/// Returns the section of a game.
pub(super) fn game_section(game: &GameReview) -> Result<String, PlotError> {
    let Some(rules) = game.moves.first().map(|m| m.position.game()) else { return Ok(String::new()) };
    let scoring = rules.info().scoring;
    let mut text = format!("<section class=\"game\">\n<h2>{}</h2>\n", escaped(&game.heading()));
    writeln!(text, "<p class=\"note\">{}</p>", escaped(&details(game, scoring, rules.layout().points.len())))
        .expect(STRING);
    let proved = game.moves.iter().any(|m| m.score.is_exact());
    let about = if proved {
        "The score for Black; the shaded parts are proved. Dots mark inaccuracies, mistakes and blunders."
    } else {
        "The score for Black, estimated. Dots mark inaccuracies, mistakes and blunders."
    };
    let graph = score_graph(game)?;
    write!(text, "<figure>\n{graph}<figcaption>{about}</figcaption>\n</figure>\n").expect(STRING);
    text += &sides(game);
    text += &diagrams(game);
    text += &move_list(game);
    Ok(text + "</section>\n")
}

/// Returns the date, the event, the result and the place of a game.
fn details(game: &GameReview, scoring: Scoring, squares: usize) -> String {
    let Tags { ratings, tournament, date, termination, .. } = &game.head.tags;
    let mut parts: Vec<String> = date.iter().chain(tournament).cloned().collect();
    for (rating, side) in ratings.iter().zip(Color::ALL) {
        parts.extend(rating.map(|rating| format!("{side} rated {rating}")));
    }
    let how = termination.map_or_else(String::new, |termination| format!(" {termination}"));
    parts.push(match game.head.result() {
        None if how.is_empty() => "unfinished".to_owned(),
        None => format!("ended{how}"),
        Some(points) => {
            let winner = Outcome::from_black_points(points).winner();
            let winner = winner.map_or_else(|| "drawn".to_owned(), |winner| format!("{winner} won"));
            let discs = |points: f64| abbreviate((squares as f64 + points) / 2.0);
            match scoring {
                Scoring::Margin if game.head.black_score.is_some() => {
                    format!("{winner} {}–{}{how}", discs(points.abs()), discs(-points.abs()))
                }
                Scoring::Margin | Scoring::Distance => format!("{winner}{how}"),
            }
        }
    });
    parts.push(if game.head.plies == 1 { "1 ply".to_owned() } else { format!("{} plies", game.head.plies) });
    parts.push(format!("{}, line {}", game.origin.file, game.origin.line));
    parts.join(" · ")
}

/// Returns a table with the losses and the numbers of mistakes of both sides.
fn sides(game: &GameReview) -> String {
    let heads: String =
        Severity::ALL.iter().map(|severity| format!("<th scope=\"col\">{}</th>", severity.plural())).collect();
    let mut text = format!(
        "<div class=\"wide\"><table>\n<tr><th scope=\"col\">side</th><th scope=\"col\">moves</th><th \
            scope=\"col\">total loss</th>\
         <th scope=\"col\">mean loss</th>{heads}</tr>\n"
    );
    for side in game.order() {
        let statistics = game.statistics(side);
        let summary = MoveSummary::from(&statistics);
        let name = game.head.tags.names[side.index()].as_deref();
        let name = name.map_or_else(|| side.to_string(), |name| format!("{name} ({side})"));
        write!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
            escaped(&name),
            summary.moves,
            abbreviate(statistics.loss()),
            format_measure(summary.mean_loss)
        )
        .expect(STRING);
        for severity in Severity::ALL {
            write!(text, "<td>{}</td>", game.count(side, severity)).expect(STRING);
        }
        text += "</tr>\n";
    }
    text += "</table></div>\n";
    let limit = |severity: Severity| format!("{} {} %", severity.name(), abbreviate(100.0 * severity.least()));
    let limits = Severity::ALL.map(limit).join(", ");
    writeln!(text, "<p class=\"note\">Least loss of the expected result: {limits} of a win.</p>").expect(STRING);
    text
}

/// Returns the diagrams of the mistakes and blunders, in the order of the game.
fn diagrams(game: &GameReview) -> String {
    let bad = |m: &&ReviewedMove| m.severity() >= Some(Severity::Mistake);
    let mut shown: Vec<_> = game.moves.iter().filter(bad).collect();
    let all = shown.len();
    if all == 0 {
        let known = game.moves.iter().any(|m| m.loss.is_some());
        return if known { "<p>No mistakes.</p>\n".to_owned() } else { String::new() };
    }
    let lost = |m: &ReviewedMove| m.loss.map_or(0.0, |loss| loss.result);
    sorting::sort_by(&mut shown, &|a, b| lost(b).total_cmp(&lost(a)));
    shown.truncate(MAX_DIAGRAMS);
    sorting::sort_by(&mut shown, &|a, b| a.ply.cmp(&b.ply));
    let mut text = "<h3>Mistakes</h3>\n".to_owned();
    let which = if all > shown.len() { format!("The {} largest of {all}. ", shown.len()) } else { String::new() };
    writeln!(text, "<p class=\"note\">{which}The cross is the move played, the ring the best move.</p>").expect(STRING);
    text += "<div class=\"boards\">\n";
    shown.into_iter().for_each(|m| text += &figure(game, m, None, None));
    text + "</div>\n"
}

/// The URLs of a position: on a board, and as an exercise.
pub(super) struct Links {
    pub board: String,
    pub exercise: String,
}

/// Returns the diagram of a mistake, under a heading, with links.
pub(super) fn figure(game: &GameReview, m: &ReviewedMove, heading: Option<&str>, links: Option<&Links>) -> String {
    let (Some(severity), Some(loss)) = (m.severity(), m.loss) else { return String::new() };
    let best = m.pv.first().copied();
    let [played, best_text] = [m.played, best].map(|m| m.map_or_else(|| "-".to_owned(), |m| m.to_string()));
    let pv: Vec<_> = m.pv.iter().map(ToString::to_string).collect();
    let hands: Vec<_> =
        Color::ALL.iter().filter_map(|&side| Some(format!("{side} {}", m.position.in_hand(side)?))).collect();
    let hands = if hands.is_empty() { String::new() } else { format!("<br>In hand: {}", hands.join(", ")) };
    let board = board_with_moves(&m.position, m.played, best);
    let anchor = |link: &str, text: &str| format!("<a href=\"{}\">{text}</a>", escaped(link));
    let exercise = links.map_or_else(String::new, |links| format!("<br>{}", anchor(&links.exercise, "practice this")));
    let board = links.map_or_else(|| board.clone(), |links| anchor(&links.board, &board));
    format!(
        "<figure>\n{board}<figcaption>{}<b class=\"{}\">{}. {} {}{}</b>{} loses {}<br>best {} ({}): \
            {}{hands}{exercise}</figcaption>\n</figure>\n",
        heading.map_or_else(String::new, |heading| format!("{}<br>", escaped(heading))),
        severity.name(),
        game.number(m),
        m.mover,
        escaped(&played),
        severity.mark(),
        game.reason(m).map_or_else(String::new, |reason| format!(" {},", escaped(&reason.words(m.position.game())))),
        abbreviate(loss.points),
        escaped(&best_text),
        escaped(&score_text(m.score)),
        escaped(&pv.join(" "))
    )
}

/// Returns the move list as a table, including forced passes.
fn move_list(game: &GameReview) -> String {
    let mut text = "<h3>Moves</h3>\n<p class=\"note\">Scores are for the side to move; ~ marks an estimate.</p>\n\
                    <div class=\"wide\"><table class=\"moves\">\n\
                    <tr><th scope=\"col\">no.</th><th scope=\"col\">side</th><th scope=\"col\">move</th><th \
                    scope=\"col\">score</th>\
                    <th scope=\"col\">best</th><th scope=\"col\">loss</th><th scope=\"col\"></th></tr>\n"
        .to_owned();
    for m in &game.moves {
        let best = m.pv.first().map_or_else(|| "-".to_owned(), ToString::to_string);
        let played = m.played.map_or_else(|| "-".to_owned(), |m| m.to_string());
        let loss = m.loss.filter(|_| m.played.is_some()).map_or_else(String::new, |loss| abbreviate(loss.points));
        let (class, mark) = m.severity().map_or(("", String::new()), |severity| {
            (severity.name(), format!("{} {}", severity.mark(), severity.name()))
        });
        writeln!(
            text,
            "<tr \
                class=\"{class}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                <td>{loss}</td><td>{mark}</td></tr>",
            game.number(m),
            m.mover,
            escaped(&played),
            escaped(&score_text(m.score)),
            escaped(&best)
        )
        .expect(STRING);
        // Forced passes have no choice and no score.
        for ply in m.ply + 1..m.next_ply {
            let side = if (ply - m.ply).is_multiple_of(2) { m.mover } else { !m.mover };
            writeln!(text, "<tr><td></td><td>{side}</td><td>pass</td><td></td><td></td><td></td><td></td></tr>")
                .expect(STRING);
        }
    }
    text + "</table></div>\n"
}

/// Formats a score with its certainty: `+2`, `~+1.5`, `>=+2`, `+1 in 23 plies`.
fn score_text(score: Score) -> String {
    let certainty = Score { thousandths: 0, plies: None, ..score }.to_string().replace("+0", "");
    let plies = score.plies.map_or_else(String::new, |plies| match plies {
        1 => " in 1 ply".to_owned(),
        _ => format!(" in {plies} plies"),
    });
    format!("{certainty}{}{plies}", signed(score.points()))
}
