//! Plots as SVG, shared by matches and analyses.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend};
use thiserror::Error;

/// The plot could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot draw the plot: {0}")]
pub struct PlotError(String);

/// The drawing area of a plot.
pub type PlotArea<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The result of drawing. The plotting library has several error types.
pub type DrawResult = Result<(), Box<dyn Error>>;

/// Draws a plot of this size in pixels.
///
/// ```
/// use morello::output::plot;
///
/// // A real plot draws on the area with the crate `plotters`.
/// let svg = plot::svg((320, 200), |_area| Ok(()))?;
/// assert!(svg.contains("width=\"320\" height=\"200\""));
/// # Ok::<(), plot::PlotError>(())
/// ```
///
/// # Errors
/// [`PlotError`] if the plotting library fails.
pub fn svg(size: (u32, u32), drawing: impl FnOnce(&PlotArea<'_>) -> DrawResult) -> Result<String, PlotError> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let present = |area: &PlotArea<'_>| Ok(area.present()?);
        drawing(&area).and_then(|()| present(&area)).map_err(|error| PlotError(error.to_string()))?;
    }
    Ok(text)
}
