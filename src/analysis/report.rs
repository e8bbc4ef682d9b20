//! The [`Summary`] as a page for a browser: one file that needs no other, its plots drawn as SVG, in the colors that the reader prefers.

use std::fmt::Write as _;

use super::statistics::{Bin, BoundOutcomes, Outcomes, Signs, Summary};
use super::{AtPly, Moves};

/// The size of a plot, in units of its own.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
/// The room around the bars: left, right, above and below them.
const MARGINS: [f64; 4] = [64.0, 8.0, 12.0, 48.0];

/// The players and tournaments that a page shows, at most.
const MOST_ROWS: usize = 100;

const STRING: &str = "a string takes all that is written to it";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2126;--soft:#5d6770;--line:#d5dadf;--bar:#2f6fb0;--ground:#fff}\
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#9aa5af;--line:#39424a;--bar:#6aa7e3;--ground:#14181c}}\
body{margin:2rem auto;max-width:60rem;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.5rem}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .8rem .2rem 0;text-align:right;border-bottom:1px solid var(--line)}\
th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:600}\
.wide{overflow-x:auto}figure{margin:1rem 0}svg{width:100%;height:auto}\
figcaption,p.note{color:var(--soft)}svg rect{fill:var(--bar)}svg text{fill:var(--soft);font:12px system-ui,sans-serif}\
svg line{stroke:var(--line)}";

/// Returns the page; `title` says what was analyzed.
#[must_use]
pub fn html(summary: &Summary, title: &str) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}: analysis</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        title = escaped(title)
    );
    page += &facts(summary);
    if let Some(scores) = &summary.scores {
        let about = format!(
            "Scores in points for the side to move: mean {}, standard deviation {}, median {}, from {} to {}.",
            scores.mean, scores.standard_deviation, scores.median, scores.min, scores.max
        );
        page += &section("Scores", &about, &bars(&of_bins(&scores.histogram, ""), "points", "positions"));
    }
    let errors: Vec<_> = summary
        .by_empties
        .iter()
        .filter_map(|at| Some(Bar::at(at.empties, at.mean_absolute_error?, format!("of {} positions", at.positions))))
        .collect();
    if !errors.is_empty() {
        let about = "The mean absolute difference between the score found and the one expected, by the empty squares.";
        page += &section("Error by empties", about, &bars(&errors, "empty squares", "points"));
    }
    if let Some(timing) = &summary.timing {
        let about = format!(
            "Half of the positions took at most {} ms, 95 % at most {} ms, the longest {} ms.",
            timing.p50_ms, timing.p95_ms, timing.max_ms
        );
        page += &section("Time", &about, &bars(&of_bins(&timing.histogram, " ms"), "milliseconds", "positions"));
    }
    if summary.positions > 0 {
        let about =
            format!("{} nodes in all, {:.0} a position.", summary.nodes, mean(summary.nodes, summary.positions));
        page += &section("Nodes", &about, &bars(&of_bins(&summary.nodes_histogram, " nodes"), "nodes", "positions"));
    }
    let nodes: Vec<_> = summary
        .by_empties
        .iter()
        .map(|at| Bar::at(at.empties, at.mean_nodes, format!("of {} positions", at.positions)))
        .collect();
    if nodes.len() > 1 {
        let about = "The nodes of a position in the mean, by the empty squares.";
        page += &section("Nodes by empties", about, &bars(&nodes, "empty squares", "nodes"));
    }
    if let Some(play) = &summary.play {
        let moves = play.moves;
        let about = format!(
            "{} games, {} moves: they lost {} points each in the mean; {} % lost less than half a point, {} % nothing.",
            play.games,
            moves.moves,
            told(moves.mean_loss),
            told(moves.accuracy),
            told(moves.agreement)
        );
        page += &section("Accuracy by ply", &about, &bars(&shares(&play.by_ply), "plies played", "% accurate"));
        let about = "What a move lost in the mean, by the plies played before it.";
        page += &section("Loss by ply", about, &bars(&losses(&play.by_ply), "plies played", "points"));
        let players: Vec<_> = play
            .by_player
            .iter()
            .map(|player| {
                let results = [player.games, player.wins, player.draws, player.losses].map(|count| count.to_string());
                (player.name.as_str(), player.moves, results.to_vec())
            })
            .collect();
        page += &people("Players", &["games", "won", "drawn", "lost"], players);
        let tournaments: Vec<_> = play
            .by_tournament
            .iter()
            .map(|tournament| (tournament.name.as_str(), tournament.moves, vec![tournament.games.to_string()]))
            .collect();
        page += &people("Tournaments", &["games"], tournaments);
    }
    page + "</body>\n</html>\n"
}

/// Returns the table of what is counted.
fn facts(summary: &Summary) -> String {
    let mut rows = vec![("game", summary.game.to_owned()), ("positions", summary.positions.to_string())];
    if summary.bad_lines > 0 {
        rows.push(("bad lines", summary.bad_lines.to_string()));
    }
    if summary.exact > 0 {
        let Outcomes { wins, draws, losses } = summary.exact_outcomes;
        rows.push(("exact", format!("{}: {wins} won, {draws} drawn, {losses} lost", summary.exact)));
    }
    if summary.bounds > 0 {
        let BoundOutcomes { wins, losses, open } = summary.bound_outcomes;
        rows.push(("bounds", format!("{}: {wins} won, {losses} lost, {open} open", summary.bounds)));
    }
    if summary.heuristic > 0 {
        let Signs { positive, zero, negative } = summary.heuristic_signs;
        rows.push(("heuristic", format!("{}: {positive} ahead, {zero} even, {negative} behind", summary.heuristic)));
    }
    if let Some(depths) = summary.depths {
        rows.push(("depth", format!("min {}, median {}, max {}", depths.min, depths.median, depths.max)));
    }
    rows.push(("nodes", summary.nodes.to_string()));
    if let Some(timing) = &summary.timing {
        rows.push(("elapsed", format!("{} s, {} nodes/s", timing.elapsed_s, timing.nodes_per_second)));
    }
    if let Some(agreement) = summary.agreement {
        let share = |part| format!("{part} of {}", agreement.expected);
        rows.push(("expected move", share(agreement.moves)));
        rows.push(("expected score", share(agreement.scores)));
        rows.push(("exact disagreements", agreement.exact_disagreements.to_string()));
    }
    let rows: String = rows
        .iter()
        .map(|(name, value)| format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", escaped(value)))
        .collect();
    format!("<table>\n{rows}</table>\n")
}

/// Returns a table of players or tournaments, those with most moves first.
fn people(title: &str, counts: &[&str], mut rows: Vec<(&str, Moves, Vec<String>)>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    rows.sort_by(|a, b| b.1.moves.cmp(&a.1.moves).then(a.0.cmp(b.0)));
    let all = rows.len();
    rows.truncate(MOST_ROWS);
    let heads = counts.iter().chain(&["moves", "mean loss", "accuracy %", "agreement %"]);
    let heads: String = heads.map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let mut text = format!("<h2>{title}</h2>\n");
    if all > rows.len() {
        writeln!(text, "<p class=\"note\">The {} of {all} with most moves.</p>", rows.len()).expect(STRING);
    }
    write!(text, "<div class=\"wide\"><table>\n<tr><th scope=\"col\">name</th>{heads}</tr>\n").expect(STRING);
    for (name, moves, counts) in rows {
        let measures = [told(moves.mean_loss), told(moves.accuracy), told(moves.agreement)];
        let cells: String = counts
            .into_iter()
            .chain([moves.moves.to_string()])
            .chain(measures)
            .map(|cell| format!("<td>{cell}</td>"))
            .collect();
        writeln!(text, "<tr><td>{}</td>{cells}</tr>", escaped(name)).expect(STRING);
    }
    text + "</table></div>\n"
}

fn section(title: &str, about: &str, plot: &str) -> String {
    format!("<h2>{title}</h2>\n<figure>\n{plot}<figcaption>{}</figcaption>\n</figure>\n", escaped(about))
}

/// One bar of a plot.
struct Bar {
    label: String,
    /// The number at which it ends, if it stands for all from that of its label on; the labels are at the edges of the bars then.
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
        Bar { label: short(bin.from), end: Some(short(bin.to)), value: bin.count as f64, about }
    };
    bins.iter().map(bar).collect()
}

fn shares(by_ply: &[AtPly]) -> Vec<Bar> {
    let bar = |at: &AtPly| Some(Bar::at(at.at, at.moves.accuracy?, format!("of {} moves", at.moves.moves)));
    by_ply.iter().filter_map(bar).collect()
}

fn losses(by_ply: &[AtPly]) -> Vec<Bar> {
    let bar = |at: &AtPly| Some(Bar::at(at.at, at.moves.mean_loss?, format!("of {} moves", at.moves.moves)));
    by_ply.iter().filter_map(bar).collect()
}

/// Draws bars side by side from a line at zero, with round numbers at the side and as many labels below as there is room for.
fn bars(bars: &[Bar], across: &str, up: &str) -> String {
    let [left, right, above, below] = MARGINS;
    let (width, height) = (WIDTH - left - right, HEIGHT - above - below);
    let most = bars.iter().fold(0.0, |most: f64, bar| most.max(bar.value));
    let step = round_step(most / 4.0);
    let top = (most / step).ceil().max(1.0) * step;
    let y = |value: f64| above + height * (1.0 - value / top);
    let mut text = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{up} by {across}\">\n");
    let mut mark = 0.0;
    while mark <= top * 1.0001 {
        writeln!(
            text,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - right,
            left - 6.0,
            y(mark) + 4.0,
            short(mark),
            y = y(mark),
        )
        .expect(STRING);
        mark += step;
    }
    let slot = width / bars.len().max(1) as f64;
    // A label takes some forty units.
    let every = (44.0 / slot).ceil().max(1.0) as usize;
    for (number, bar) in bars.iter().enumerate() {
        let x = left + number as f64 * slot;
        writeln!(
            text,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}: {} ({})</title></rect>",
            x + slot * 0.1,
            y(bar.value),
            slot * 0.8,
            above + height - y(bar.value),
            escaped(&bar.label),
            bar.value,
            escaped(&bar.about),
        )
        .expect(STRING);
        let mut label = |x: f64, label: &str| {
            let y = HEIGHT - below + 18.0;
            writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>", escaped(label))
                .expect(STRING);
        };
        if number % every == 0 {
            label(if bar.end.is_some() { x } else { x + slot / 2.0 }, &bar.label);
        }
        if let Some(end) = bar.end.as_ref().filter(|_| number + 1 == bars.len() && bars.len().is_multiple_of(every)) {
            label(x + slot, end);
        }
    }
    let (middle, bottom) = (left + width / 2.0, HEIGHT - 8.0);
    write!(
        text,
        "<text x=\"{middle}\" y=\"{bottom}\" text-anchor=\"middle\">{across}</text>\
         <text x=\"14\" y=\"{0:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0:.1})\">{up}</text>\n</svg>\n",
        above + height / 2.0
    )
    .expect(STRING);
    text
}

/// Returns the least of 1, 2 and 5 times a power of ten that is not less than this.
fn round_step(least: f64) -> f64 {
    if least <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|&step| step >= least).unwrap_or(10.0 * power)
}

/// Writes a number in a few characters: `12.5k` for 12,500.
fn short(number: f64) -> String {
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

fn mean(sum: u64, count: u64) -> f64 {
    sum as f64 / count as f64
}

fn told(measure: Option<f64>) -> String {
    measure.map_or_else(|| "-".to_owned(), |measure| measure.to_string())
}

/// Writes a text so that a browser shows it as it is.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, -0.0001, 0.125, 3.0, 1500.0, 12_500.0, 2e6, 3.25e9].map(short);
        assert_eq!(texts, ["0", "0", "0.125", "3", "1500", "12.5k", "2M", "3.25G"]);
        assert_eq!([0.0, 0.3, 1.0, 21.0, 70.0].map(round_step), [1.0, 0.5, 1.0, 50.0, 100.0]);
    }

    #[test]
    fn every_bar_is_within_the_plot_and_has_its_number() {
        let some: Vec<_> = (0..60).map(|at| Bar::at(at, f64::from(at * at), "<x>".to_owned())).collect();
        let text = bars(&some, "a", "b");
        assert_eq!(text.matches("<rect ").count(), 60);
        assert!(text.contains("<title>59: 3481 (&lt;x&gt;)</title>") && !text.contains("<x>"));
        for height in text.split("height=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok()) {
            assert!((0.0..=HEIGHT).contains(&height));
        }
        assert!(bars(&[], "a", "b").ends_with("</svg>\n"));
    }
}
