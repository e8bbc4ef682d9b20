//! Moves by the points of the board that a person touches for them.

use super::interpret::{Refused, refuse_if_over};
use super::state::Session;
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

    /// Plays the move whose [points](crate::game::Path::points) were touched, and returns none; or returns those that may be touched next, if
    /// they are not yet a whole move.
    ///
    /// # Errors
    /// [`Refused`] if no move begins so.
    pub fn touch(&mut self, touched: &[usize]) -> Result<Vec<usize>, Refused> {
        refuse_if_over(&self.game)?;
        let is_whole = |m: &AnyMove| !m.is_pass() && m.path().points().eq(touched.iter().copied());
        if let Some(m) = self.position().legal_moves().find(is_whole) {
            self.play(m).expect("the move is legal and the game goes on");
            return Ok(Vec::new());
        }
        let targets = self.targets(touched);
        if targets.is_empty() {
            let wrong = (1..=touched.len()).find(|&count| self.targets(&touched[..count]).is_empty());
            return Err(self.why_not(&touched[..wrong.unwrap_or(0)]));
        }
        Ok(targets)
    }

    /// Says why no move begins with these points, the last of which is the first that is wrong.
    fn why_not(&self, touched: &[usize]) -> Refused {
        let Some((&last, before)) = touched.split_last() else { return Refused::NoPoint(0) };
        let (layout, words) = (self.rules().layout(), self.rules().words());
        let Some(point) = layout.points.get(last).map(|point| point.name.clone()) else {
            return Refused::NoPoint(last);
        };
        let position = self.position();
        if !before.is_empty() {
            let names: Vec<_> = self.targets(before).iter().map(|&point| layout.points[point].name.clone()).collect();
            return Refused::NoTarget { point, choices: format!("choose {}", names.join(", ")) };
        }
        let (piece, side) = (position.piece_at(last), position.side_to_move());
        if position.legal_moves().any(|m| m.path().from.is_none()) {
            return match (piece, position.why_illegal(&point)) {
                (Some(_), _) => Refused::Taken(point),
                (None, Some(reason)) => Refused::Illegal { text: point, reason: reason.to_string() },
                (None, None) => Refused::NotThere(point),
            };
        }
        if piece == Some(side) {
            Refused::Stuck { piece: words.piece, point }
        } else {
            Refused::NotYours { pieces: words.pieces, point }
        }
    }
}
