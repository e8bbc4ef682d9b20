//! Plots as SVG: what those of matches and of analyses have in common.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend};
use thiserror::Error;

/// A plot that could not be drawn.
#[derive(Debug, Error)]
#[error("cannot draw the plot: {0}")]
pub struct PlotError(String);

/// What is drawn on.
pub type PlotArea<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Whether something was drawn; the library has an error of its own for each way to fail.
pub type DrawResult = Result<(), Box<dyn Error>>;

/// Draws a plot of a size in pixels.
///
/// # Errors
/// [`PlotError`] if the library that draws fails.
pub fn svg(size: (u32, u32), drawing: impl FnOnce(&PlotArea<'_>) -> DrawResult) -> Result<String, PlotError> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let present = |area: &PlotArea<'_>| Ok(area.present()?);
        drawing(&area).and_then(|()| present(&area)).map_err(|error| PlotError(error.to_string()))?;
    }
    Ok(text)
}
