//! SVG plots of match histories and tournament ratings.

use morello_core::sorting;
use morello_files::output::plot::{DrawResult, PlotArea, PlotError, svg};
use plotters::prelude::*;

use super::elo::Estimate;
use super::{MatchSummary, Sprt};

/// The size of a plot, in pixels.
const SIZE: (u32, u32) = (900, 500);

/// Maximum number of points per curve. More would not be visible.
const MAX_CURVE_POINTS: usize = 1000;

const FONT: (&str, u32) = ("sans-serif", 16);

/// The result of a match after a number of games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HistoryPoint {
    /// The number of games.
    pub games: u64,
    /// The Elo difference.
    pub elo: Estimate,
    /// The log-likelihood ratio of the SPRT; 0 without an SPRT.
    pub llr: f64,
}

/// The history of a match, as evenly spaced points.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    points: Vec<HistoryPoint>,
    /// Every `stride`-th pair adds a point.
    stride: u64,
    pairs: u64,
}

impl History {
    /// Adds the point after another pair.
    pub fn add(&mut self, point: HistoryPoint) {
        self.stride = self.stride.max(1);
        self.pairs += 1;
        if self.pairs.is_multiple_of(self.stride) {
            self.points.push(point);
        }
        if self.points.len() > MAX_CURVE_POINTS {
            self.stride *= 2;
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
    }

    /// Draws the log-likelihood ratio of the SPRT over the games, or without an SPRT the Elo
    /// difference with its 95 % confidence interval.
    ///
    /// # Errors
    /// [`PlotError`] if the plotting library fails.
    pub fn svg(&self, summary: &MatchSummary) -> Result<String, PlotError> {
        let names: Vec<_> = summary.engines.iter().map(|engine| engine.name.as_str()).collect();
        let title = format!("{}: {} against {}", summary.game, names[0], names[1]);
        draw(|area| match &summary.sprt {
            Some(sprt) => self.draw_llr(area, &title, &sprt.test),
            None => self.draw_elo(area, &title),
        })
    }

    fn draw_elo(&self, area: &PlotArea<'_>, title: &str) -> DrawResult {
        let elo = |point: &HistoryPoint| Some((point.games as f64, point.elo.value?));
        let band: Vec<_> =
            self.points.iter().filter_map(|p| Some((p.games as f64, p.elo.value?, p.elo.error?))).collect();
        // The first tenth does not affect the scale: its intervals are very wide.
        let settled: Vec<_> = band.iter().skip(band.len() / 10).collect();
        let highest = settled.iter().fold(10.0, |most: f64, &&(_, value, error)| most.max(value + error));
        let lowest = settled.iter().fold(-10.0, |least: f64, &&(_, value, error)| least.min(value - error));
        let mut chart = chart(area, title, self.games(), (lowest * 1.1, highest * 1.1))?;
        axes(&mut chart, "Elo, 95 %")?;
        let inside = |value: f64| value.clamp(lowest * 1.1, highest * 1.1);
        let upper = band.iter().map(|&(games, value, error)| (games, inside(value + error)));
        let lower = band.iter().rev().map(|&(games, value, error)| (games, inside(value - error)));
        chart.draw_series([Polygon::new(upper.chain(lower).collect::<Vec<_>>(), BLUE.mix(0.15))])?;
        let curve = self.points.iter().filter_map(elo).map(|(games, value)| (games, inside(value)));
        chart.draw_series(LineSeries::new(curve, BLUE.stroke_width(2)))?;
        chart.draw_series(LineSeries::new([(0.0, 0.0), (self.games(), 0.0)], BLACK))?;
        Ok(())
    }

    fn draw_llr(&self, area: &PlotArea<'_>, title: &str, sprt: &Sprt) -> DrawResult {
        let [lower, upper] = sprt.bounds();
        let (least, most) = self.points.iter().fold((lower, upper), |(a, b), p| (a.min(p.llr), b.max(p.llr)));
        let mut chart = chart(area, &format!("{title}, {sprt}"), self.games(), (least * 1.1, most * 1.1))?;
        axes(&mut chart, "LLR")?;
        for (bound, color) in [(lower, RED), (upper, RGBColor(0, 140, 60))] {
            chart.draw_series(LineSeries::new([(0.0, bound), (self.games(), bound)], color.stroke_width(2)))?;
        }
        let curve = std::iter::once((0.0, 0.0)).chain(self.points.iter().map(|point| (point.games as f64, point.llr)));
        chart.draw_series(LineSeries::new(curve, BLUE.stroke_width(2)))?;
        Ok(())
    }

    fn games(&self) -> f64 {
        self.points.last().map_or(1.0, |point| point.games as f64)
    }
}

/// Draws the ratings of a tournament with their 95 % confidence intervals, the best first.
///
/// # Errors
/// [`PlotError`] if the plotting library fails.
pub(super) fn ratings_svg(summary: &MatchSummary) -> Result<String, PlotError> {
    let mut engines: Vec<_> = summary
        .engines
        .iter()
        .map(|engine| (engine.name.as_str(), engine.rating.unwrap_or(0.0), engine.rating_error.unwrap_or(0.0)))
        .collect();
    sorting::sort_by(&mut engines, &|a, b| b.1.total_cmp(&a.1));
    draw(|area| {
        let most = engines.iter().fold(10.0, |most: f64, &(_, rating, error)| most.max(rating + error));
        let least = engines.iter().fold(-10.0, |least: f64, &(_, rating, error)| least.min(rating - error));
        let count = engines.len();
        let mut chart = ChartBuilder::on(area)
            .caption(format!("{}: {} games", summary.game, summary.games), ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..count as f64, least * 1.1..most * 1.1)?;
        let name = |x: &f64| {
            let number = x.floor() as usize;
            let is_middle = (x - number as f64 - 0.5).abs() < 0.01;
            engines.get(number).filter(|_| is_middle).map_or_else(String::new, |engine| engine.0.to_owned())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(2 * count + 1)
            .x_label_formatter(&name)
            .y_label_formatter(&|value| format!("{value}"))
            .y_desc("Elo, 95 %")
            .label_style(FONT)
            .light_line_style(WHITE)
            .draw()?;
        for (number, &(_, rating, error)) in engines.iter().enumerate() {
            let x = number as f64 + 0.5;
            let ends = [(x - 0.3, 0.0), (x + 0.3, rating)];
            chart.draw_series([Rectangle::new(ends, BLUE.mix(0.4).filled())])?;
            chart.draw_series(LineSeries::new([(x, rating - error), (x, rating + error)], BLACK.stroke_width(2)))?;
        }
        Ok(())
    })
}

/// Draws named curves, in percent, over the number of games.
///
/// # Errors
/// [`PlotError`] if the plotting library fails.
pub(super) fn curves_svg(title: &str, curves: &[(&str, Vec<(f64, f64)>)]) -> Result<String, PlotError> {
    let ends = curves.iter().filter_map(|(_, points)| points.last());
    let games = ends.fold(1.0, |most: f64, &(games, _)| most.max(games));
    draw(|area| {
        let mut chart = chart(area, title, games, (0.0, 100.0))?;
        axes(&mut chart, "%")?;
        for (number, (name, points)) in curves.iter().enumerate() {
            let color = Palette99::pick(number).mix(1.0);
            let stride = points.len().div_ceil(MAX_CURVE_POINTS);
            let last = points.last().filter(|_| (points.len() - 1) % stride.max(1) != 0);
            let shown = points.iter().step_by(stride.max(1)).chain(last).copied();
            let drawn = chart.draw_series(LineSeries::new(shown, color.stroke_width(2)))?;
            drawn.label(*name).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
        }
        let mut labels = chart.configure_series_labels();
        labels.background_style(WHITE.mix(0.8)).border_style(BLACK).label_font(FONT);
        labels.position(SeriesLabelPosition::UpperLeft).draw()?;
        Ok(())
    })
}

type Chart<'a> = ChartContext<
    'a,
    SVGBackend<'a>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn draw(drawing: impl FnOnce(&PlotArea<'_>) -> DrawResult) -> Result<String, PlotError> {
    svg(SIZE, |area| {
        area.fill(&WHITE)?;
        drawing(area)
    })
}

fn chart<'a>(
    area: &PlotArea<'a>,
    title: &str,
    games: f64,
    (lowest, highest): (f64, f64),
) -> Result<Chart<'a>, Box<dyn std::error::Error>> {
    let chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..games, lowest..highest);
    // The library's error may borrow the drawing area, so only its text is kept.
    chart.map_err(|error| error.to_string().into())
}

fn axes(chart: &mut Chart<'_>, what: &str) -> DrawResult {
    let mut mesh = chart.configure_mesh();
    mesh.x_desc("games").y_desc(what).label_style(FONT).light_line_style(WHITE);
    // Write no decimals, because `400.0` would be clipped at the edge.
    mesh.x_label_formatter(&|games| format!("{games:.0}")).y_label_formatter(&|value| format!("{value}"));
    Ok(mesh.draw()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_of_a_long_match_stays_small() {
        let mut history = History::default();
        for pair in 1..=100_000 {
            history.add(HistoryPoint { games: 2 * pair, elo: Estimate::default(), llr: 0.0 });
        }
        assert!((MAX_CURVE_POINTS / 2..=MAX_CURVE_POINTS).contains(&history.points.len()));
        assert!(history.points.last().unwrap().games > 199_000);
        let gaps: Vec<_> = history.points.windows(2).map(|pair| pair[1].games - pair[0].games).collect();
        assert!(gaps.iter().all(|gap| *gap == gaps[0]), "{gaps:?}");
    }
}
