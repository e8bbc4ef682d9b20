//! Formats an [`AnalysisSummary`] as an HTML report: a self-contained file with plots that follow
//! the browser's color scheme.

mod game_section;
mod review_page;
mod score_graph;

use std::fmt::Write as _;

use morello_core::game::Wdl;
use morello_core::printable::in_markup as escaped;
use morello_core::provenance::Provenance;
use morello_core::sorting;
use morello_files::output::plot::{PlotError, svg};
use plotters::prelude::*;

pub use review_page::review_report;

use super::statistics::{AnalysisSummary, Bin, EmptiesSummary};
use super::{GameReview, MoveSummary, PhaseSummary, PlaySummary, PlayerSummary, TournamentSummary};

/// The size of a plot, in pixels.
const SIZE: (u32, u32) = (720, 260);

/// Maximum number of players and tournaments shown.
const MAX_ROWS: usize = 100;

const STRING: &str = "writing to a string cannot fail";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2126;--soft:#5d6770;--line:#d5dadf;--bar:#2f6fb0;--ground:#fff;\
--inaccuracy:#8a6500;--mistake:#a84d00;--blunder:#b71c1c}\
@media screen and (prefers-color-scheme:dark){\
:root{--ink:#e4e8ec;--soft:#9aa5af;--line:#39424a;--bar:#6aa7e3;--ground:#14181c;\
--inaccuracy:#e8c25a;--mistake:#f29b57;--blunder:#ff7f76}}\
body{margin:2rem auto;max-width:60rem;padding:0 1rem;font:16px/1.5 \
system-ui,sans-serif;color:var(--ink);background:var(--ground)}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.5rem}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .8rem .2rem 0;text-align:right;border-bottom:1px solid var(--line)}\
th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:600}\
.wide{overflow-x:auto}figure{margin:1rem 0}svg{width:100%;height:auto}\
figcaption,p.note{color:var(--soft)}svg rect{fill:var(--bar)}svg text{fill:var(--soft);font:12px system-ui,sans-serif}\
svg line,svg polyline{stroke:var(--line)}\
h3{font-size:1rem;margin:1.5rem 0 .3rem}\
@media screen and (max-width:40rem){svg.plot text{font-size:17px}th,td{padding-right:.45rem}.wide{font-size:.9rem}}\
svg polygon{fill:var(--bar)}svg polyline[stroke-width=\"2\"]{stroke:var(--bar)}\
b.mistake{color:var(--mistake)}b.blunder{color:var(--blunder)}\
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:1rem}.boards \
figure{margin:0;break-inside:avoid}\
svg.board{max-width:18rem}svg.board text{font-size:18px}\
table.moves td{white-space:nowrap}table.moves td:nth-child(2),table.moves td:nth-child(3),table.moves \
td:nth-child(5),table.moves td:last-child,\
table.moves th:nth-child(2),table.moves th:nth-child(3),table.moves th:nth-child(5){text-align:left}\
tr.inaccuracy td:nth-child(n+6){color:var(--inaccuracy)}tr.mistake td:nth-child(n+6){color:var(--mistake)}\
tr.blunder td:nth-child(n+6){color:var(--blunder);font-weight:600}\
.game{break-before:page}.game:first-of-type{break-before:auto}tr,figure{break-inside:avoid}\
@media print{body{margin:0;max-width:none;font-size:11pt}}";

/// Returns the report as HTML. `title` names what was analyzed. Each game gets its own section.
///
/// ```
/// use morello::analysis::{PlayStatistics, Statistics, html_report};
///
/// let summary = Statistics::default().summary("othello", None, &PlayStatistics::default());
/// let html = html_report(&summary, &[], "Cup of Rome")?;
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("Cup of Rome"));
/// # Ok::<(), morello::output::plot::PlotError>(())
/// ```
///
/// # Errors
/// [`PlotError`] if the plotting library fails.
pub fn html_report(summary: &AnalysisSummary, games: &[GameReview], title: &str) -> Result<String, PlotError> {
    let mut page = head(title, "analysis");
    page += &overview_table(summary);
    for game in games {
        page += &game_section::game_section(game)?;
    }
    page += &score_section(summary)?;
    page += &error_section(summary)?;
    page += &cost_sections(summary)?;
    if let Some(play) = &summary.play {
        // The section of a single game shows its moves.
        if games.len() != 1 {
            page += &loss_sections(play)?;
        }
        page += &player_tables(play);
    }
    page += &footer(&summary.provenance);
    Ok(page + "</body>\n</html>\n")
}

/// Returns the beginning of a report; `kind` says what it reports.
fn head(title: &str, kind: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}: {kind}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        title = escaped(title)
    )
}

/// Returns the footer: what made the report.
fn footer(provenance: &Provenance) -> String {
    if provenance.is_empty() {
        return String::new();
    }
    let settings = provenance.settings.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>();
    let settings = if settings.is_empty() { String::new() } else { format!("<br>{}", escaped(&settings.join(", "))) };
    format!("<footer><p class=\"note\">Made by {}{settings}</p></footer>\n", escaped(&provenance.to_string()))
}

fn score_section(summary: &AnalysisSummary) -> Result<String, PlotError> {
    let Some(scores) = &summary.scores else { return Ok(String::new()) };
    let about = format!(
        "Scores in points for the side to move: mean {}, standard deviation {}, median {}, from {} to {}.",
        scores.mean, scores.standard_deviation, scores.median, scores.min, scores.max
    );
    Ok(section("Scores", &about, &bars(&of_bins(&scores.histogram, ""), "points", "positions")?))
}

/// Returns the section on the differences from the expected scores.
fn error_section(summary: &AnalysisSummary) -> Result<String, PlotError> {
    let errors = bars_by_empties(summary, |at| at.mean_absolute_error);
    if errors.is_empty() {
        return Ok(String::new());
    }
    if errors.iter().all(|bar| bar.value == 0.0) {
        return Ok("<h2>Error by empties</h2>\n<p>Every score is the expected one.</p>\n".to_owned());
    }
    let about = "The mean absolute difference between the computed and the expected score, by empty squares.";
    Ok(section("Error by empties", about, &bars(&errors, "empty squares", "points")?))
}

/// Returns the sections on times and nodes.
fn cost_sections(summary: &AnalysisSummary) -> Result<String, PlotError> {
    let mut text = String::new();
    if let Some(timing) = &summary.timing {
        let about = format!(
            "Time per position: median {} ms, 95 % quantile {} ms, maximum {} ms.",
            timing.p50_ms, timing.p95_ms, timing.max_ms
        );
        text += &section("Time", &about, &bars(&of_bins(&timing.histogram, " ms"), "milliseconds", "positions")?);
    }
    if summary.positions > 0 {
        let mean = summary.nodes as f64 / summary.positions as f64;
        let about = format!("{} nodes in total, {mean:.0} per position.", summary.nodes);
        text += &section("Nodes", &about, &bars(&of_bins(&summary.nodes_histogram, " nodes"), "nodes", "positions")?);
    }
    let nodes = bars_by_empties(summary, |at| Some(at.mean_nodes));
    if nodes.len() > 1 {
        let about = "The mean number of nodes per position, by empty squares.";
        text += &section("Nodes by empties", about, &bars(&nodes, "empty squares", "nodes")?);
    }
    Ok(text)
}

/// Returns the sections on accuracy and losses by ply.
fn loss_sections(play: &PlaySummary) -> Result<String, PlotError> {
    let mut text = String::new();
    let accuracies = bars_by_ply(play, |moves| moves.accuracy);
    if !accuracies.is_empty() {
        let moves = play.moves;
        let about = format!(
            "{} games, {} moves: mean loss {} points, accuracy {} %; {} % lost nothing.",
            play.games,
            moves.moves,
            format_measure(moves.mean_loss),
            format_measure(moves.accuracy),
            format_measure(moves.agreement)
        );
        text += &section("Accuracy by ply", &about, &bars(&accuracies, "plies played", "% accurate")?);
    }
    let losses = bars_by_ply(play, |moves| moves.mean_loss);
    if losses.iter().any(|bar| bar.value > 0.0) {
        let about = "The mean loss of a move, by the plies played before it.";
        text += &section("Loss by ply", about, &bars(&losses, "plies played", "points")?);
    }
    Ok(text)
}

fn player_tables(play: &PlaySummary) -> String {
    let player = |player: &PlayerSummary| {
        let Wdl { wins, draws, losses } = player.results;
        (player.name.clone(), player.moves, vec![player.games, wins, draws, losses])
    };
    let tournament = |of: &TournamentSummary| (of.name.clone(), of.moves, vec![of.games]);
    let players = play.by_player.iter().map(player).collect();
    ranking_table("Players", &["games", "won", "drawn", "lost"], players)
        + &ranking_table("Tournaments", &["games"], play.by_tournament.iter().map(tournament).collect())
}

/// Returns the table of counts.
fn overview_table(summary: &AnalysisSummary) -> String {
    let mut rows = vec![("game", summary.game.to_owned()), ("positions", summary.positions.to_string())];
    if summary.bad_lines > 0 {
        rows.push(("bad lines", summary.bad_lines.to_string()));
    }
    rows.extend(summary.counts());
    if let Some(timing) = &summary.timing {
        rows.push(("elapsed", format!("{} s, {} nodes/s", timing.elapsed_s, timing.nodes_per_second)));
    }
    if let Some(agreement) = summary.agreement {
        if agreement.named_moves > 0 {
            rows.push(("expected move", format!("{} of {}", agreement.moves, agreement.named_moves)));
        }
        rows.push(("expected score", format!("{} of {}", agreement.scores, agreement.expected)));
        rows.push(("exact disagreements", agreement.exact_disagreements.to_string()));
    }
    let rows: String = rows
        .iter()
        .map(|(name, value)| format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", escaped(value)))
        .collect();
    format!("<table>\n{rows}</table>\n")
}

/// Returns a table of players or tournaments, most moves first.
fn ranking_table(title: &str, counts: &[&str], mut rows: Vec<(String, MoveSummary, Vec<u64>)>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    sorting::sort_by(&mut rows, &|a, b| b.1.moves.cmp(&a.1.moves).then(a.0.cmp(&b.0)));
    let all = rows.len();
    rows.truncate(MAX_ROWS);
    let heads = counts.iter().chain(&["moves", "mean loss", "accuracy %", "best moves %"]);
    let heads: String = heads.map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let mut text = format!("<h2>{title}</h2>\n");
    if all > rows.len() {
        writeln!(text, "<p class=\"note\">The {} of {all} with the most moves.</p>", rows.len()).expect(STRING);
    }
    write!(text, "<div class=\"wide\"><table>\n<tr><th scope=\"col\">name</th>{heads}</tr>\n").expect(STRING);
    for (name, moves, counts) in rows {
        let measures =
            [format_measure(moves.mean_loss), format_measure(moves.accuracy), format_measure(moves.agreement)];
        let cells: String = counts
            .into_iter()
            .chain([moves.moves])
            .map(|count| count.to_string())
            .chain(measures)
            .map(|cell| format!("<td>{cell}</td>"))
            .collect();
        writeln!(text, "<tr><td>{}</td>{cells}</tr>", escaped(&name)).expect(STRING);
    }
    text + "</table></div>\n"
}

fn section(title: &str, about: &str, plot: &str) -> String {
    format!("<h2>{title}</h2>\n<figure>\n{plot}<figcaption>{}</figcaption>\n</figure>\n", escaped(about))
}

/// One bar of a plot.
struct Bar {
    label: String,
    /// The end of the range, if the bar stands for a range that starts at `label`. Labels are then
    /// placed at the edges of the bars.
    end: Option<String>,
    value: f64,
    about: String,
}

impl Bar {
    fn at(place: u32, value: f64, about: String) -> Self {
        Self { label: place.to_string(), end: None, value, about }
    }
}

fn of_bins(bins: &[Bin], unit: &str) -> Vec<Bar> {
    let bar = |bin: &Bin| {
        let about = format!("{} to {}{unit}", bin.from, bin.to);
        Bar { label: abbreviate(bin.from), end: Some(abbreviate(bin.to)), value: bin.count as f64, about }
    };
    bins.iter().map(bar).collect()
}

fn bars_by_empties(summary: &AnalysisSummary, value: fn(&EmptiesSummary) -> Option<f64>) -> Vec<Bar> {
    let bar = |at: &EmptiesSummary| Some(Bar::at(at.empties, value(at)?, format!("of {} positions", at.positions)));
    summary.by_empties.iter().filter_map(bar).collect()
}

fn bars_by_ply(play: &PlaySummary, value: fn(&MoveSummary) -> Option<f64>) -> Vec<Bar> {
    let bar = |at: &PhaseSummary| Some(Bar::at(at.at, value(&at.moves)?, format!("of {} moves", at.moves.moves)));
    play.by_ply.iter().filter_map(bar).collect()
}

/// Draws a bar chart. Each bar has a tooltip with its numbers.
fn bars(bars: &[Bar], across: &str, up: &str) -> Result<String, PlotError> {
    // Labels are at the edges of bars that stand for ranges, otherwise below their centers.
    let left = if bars.iter().any(|bar| bar.end.is_some()) { 0.0 } else { -0.5 };
    let labels = bars.iter().map(|bar| &bar.label).chain(bars.last().and_then(|bar| bar.end.as_ref()));
    let labels: Vec<_> = labels.map(String::as_str).collect();
    let label = |x: &f64| {
        let label = labels.get(x.round().max(0.0) as usize).filter(|_| (x - x.round()).abs() < 0.01);
        label.copied().unwrap_or_default().to_owned()
    };
    let most = bars.iter().fold(0.0, |most: f64, bar| most.max(bar.value));
    let plot = svg(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(40)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(
                left..left + bars.len().max(1) as f64,
                0.0..if most > 0.0 { most * 1.05 } else { 1.0 },
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK)
            .x_labels(16)
            .y_labels(6)
            .x_label_formatter(&label)
            .y_label_formatter(&|value| abbreviate(*value))
            .x_desc(across)
            .y_desc(up)
            .draw()?;
        let bar = |(place, bar): (usize, &Bar)| {
            let x = left + place as f64;
            Rectangle::new([(x + 0.1, 0.0), (x + 0.9, bar.value)], BLUE.filled())
        };
        chart.draw_series(bars.iter().enumerate().map(bar))?;
        Ok(())
    })?;
    // The only rectangles are the bars.
    let titles = bars.iter().map(|bar| format!("{}: {} ({})", escaped(&bar.label), bar.value, escaped(&bar.about)));
    Ok(inline(&plot, &format!("{up} by {across}"), "rect", titles))
}

/// Returns a plot as inline SVG, and adds tooltips to its elements of one kind, since the plotting
/// library does not support tooltips.
fn inline(plot: &str, label: &str, element: &str, titles: impl Iterator<Item = String>) -> String {
    let start = format!("<{element} ");
    let mut parts = plot.split(&start);
    // Inline SVG needs no namespace.
    let head = parts.next().unwrap_or_default().replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    let head = head.replacen("<svg ", &format!("<svg class=\"plot\" role=\"img\" aria-label=\"{label}\" "), 1);
    let with_title = |(part, title): (&str, String)| {
        start.clone() + &part.replacen("/>", &format!("><title>{title}</title></{element}>"), 1)
    };
    head + &parts.zip(titles).map(with_title).collect::<String>()
}

/// Abbreviates a number, for example 12,500 to `12.5k`.
fn abbreviate(number: f64) -> String {
    let (scaled, unit) = match number.abs() {
        size if size >= 1e9 => (number / 1e9, "G"),
        size if size >= 1e6 => (number / 1e6, "M"),
        size if size >= 1e4 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let digits = match scaled.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{scaled:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{}{unit}", if text == "-0" { "0" } else { text })
}

fn format_measure(measure: Option<f64>) -> String {
    measure.map_or_else(|| "-".to_owned(), |measure| measure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviates_numbers() {
        let texts = [0.0, -0.0001, 0.125, 3.0, 1500.0, 12_500.0, 2e6, 3.25e9].map(abbreviate);
        assert_eq!(texts, ["0", "0", "0.125", "3", "1500", "12.5k", "2M", "3.25G"]);
    }

    #[test]
    fn draws_every_bar_inside_the_plot_with_its_value() {
        let some: Vec<_> = (0..60).map(|at| Bar::at(at, f64::from(at * at), "<x>".to_owned())).collect();
        let text = bars(&some, "a", "b").unwrap();
        assert_eq!(text.matches("<rect ").count(), 60);
        assert!(text.contains("<title>59: 3481 (&lt;x&gt;)</title>") && !text.contains("<x>"));
        let heights =
            text.split(" height=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse::<u32>().unwrap());
        assert!(heights.clone().all(|height| height <= SIZE.1) && heights.skip(1).is_sorted());
        assert!(bars(&[], "a", "b").unwrap().ends_with("</svg>\n"));
    }
}
