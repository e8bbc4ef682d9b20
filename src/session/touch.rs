//! Moves by the points of the board that a person touches for them.

use super::game::Session;
use super::interpret::{InputError, check_not_over};
use crate::game::{AnyMove, Position as _};

impl Session {
    /// Returns the points that may be touched next, after these, each once and from the lowest number on; none after a whole move.
    #[must_use]
    pub fn targets(&self, touched: &[usize]) -> Vec<usize> {
        if self.is_over() {
            return Vec::new();
        }
        let next = |m: AnyMove| {
            let mut points = m.path().points();
            touched.iter().all(|&point| points.next() == Some(point)).then(|| points.next()).flatten()
        };
        let mut targets: Vec<_> = self.position().legal_moves().filter_map(next).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Plays the move whose [points](crate::game::MovePoints::points) were touched, and returns none; or returns those that may be touched next, if
    /// they are not yet a whole move.
    ///
    /// # Errors
    /// [`InputError`] if no move begins so.
    pub fn select_points(&mut self, touched: &[usize]) -> Result<Vec<usize>, InputError> {
        check_not_over(&self.game)?;
        let is_whole = |m: &AnyMove| !m.is_pass() && m.path().points().eq(touched.iter().copied());
        if let Some(m) = self.position().legal_moves().find(is_whole) {
            self.play(m).expect("the move is legal and the game goes on");
            return Ok(Vec::new());
        }
        let targets = self.targets(touched);
        if targets.is_empty() {
            let wrong = (1..=touched.len()).find(|&count| self.targets(&touched[..count]).is_empty());
            return Err(self.explain_illegal(&touched[..wrong.unwrap_or(0)]));
        }
        Ok(targets)
    }

    /// Says why no move begins with these points, the last of which is the first that is wrong.
    fn explain_illegal(&self, touched: &[usize]) -> InputError {
        let (layout, words, position) = (self.rules().layout(), self.rules().terminology(), self.position());
        let (last, before) = touched.split_last().map_or((0, touched), |(&last, before)| (last, before));
        let point = match layout.points.get(last) {
            Some(point) if !touched.is_empty() => &point.name,
            _ => return InputError::Point(format!("the board has no point {last}")),
        };
        if !before.is_empty() {
            let names: Vec<_> = self.targets(before).iter().map(|&point| layout.points[point].name.clone()).collect();
            return InputError::Point(format!("{point} cannot be chosen now; choose {}", names.join(", ")));
        }
        let piece = position.piece_at(last);
        InputError::Point(if position.legal_moves().any(|m| m.path().from.is_none()) {
            match (piece, position.why_illegal(point)) {
                (Some(_), _) => format!("{point} is taken"),
                (None, Some(reason)) => format!("`{point}`: {reason}"),
                (None, None) => format!("nothing can be placed on {point}"),
            }
        } else if piece == Some(position.side_to_move()) {
            format!("the {} on {point} cannot move", words.piece)
        } else {
            format!("choose one of your {}: none is on {point}", words.pieces)
        })
    }
}
