//! Plays moves by the points that a user selects on the board.

use morello_core::game::{AnyMove, Position as _};
use morello_core::sorting;

use super::game::Session;
use super::interpret::{InputError, PointError, check_not_over};

impl Session {
    /// Returns the points that can be selected after these, in increasing order. The list is empty
    /// after a complete move.
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
        sorting::sort_by(&mut targets, &Ord::cmp);
        targets.dedup();
        targets
    }

    /// Plays the move with these [points](morello_core::game::MovePoints::points) and returns no points.
    /// If the move is incomplete, returns the points that can be selected next.
    ///
    /// ```
    /// use morello::games;
    /// use morello::session::Session;
    ///
    /// let mut session = Session::new(games::get("nine-mens-morris")?);
    /// session.load("0,0 a7,d7,g4 a1,b2,c3 W")?;
    /// let points = session.rules().layout().points;
    /// let named = |name: &str| points.iter().position(|point| point.name == name).expect("a point of the board");
    /// let (from, to) = (named("g4"), named("g7"));
    /// // The move closes a mill, so a man to capture must be selected as well.
    /// let captures = session.select_points(&[from, to])?;
    /// assert_eq!(captures.len(), 3);
    /// assert!(session.select_points(&[from, to, captures[0]])?.is_empty());
    /// assert_eq!(session.game().moves().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`InputError`] if no move begins with these points.
    pub fn select_points(&mut self, touched: &[usize]) -> Result<Vec<usize>, InputError> {
        check_not_over(&self.game)?;
        // A pass has no points.
        let is_complete = |m: &AnyMove| m.path().points().eq(touched.iter().copied());
        if let Some(m) = self.position().legal_moves().find(is_complete) {
            self.play(m).expect("the move is legal and the game is not over");
            return Ok(Vec::new());
        }
        let targets = self.targets(touched);
        if targets.is_empty() {
            let wrong = (1..=touched.len()).find(|&count| self.targets(&touched[..count]).is_empty());
            return Err(self.explain_illegal(&touched[..wrong.unwrap_or(0)]).into());
        }
        Ok(targets)
    }

    /// Explains why no move begins with these points. Only the last point is wrong.
    fn explain_illegal(&self, touched: &[usize]) -> PointError {
        let (layout, words, position) = (self.rules().layout(), self.rules().info().terminology, self.position());
        let (last, before) = touched.split_last().map_or((0, touched), |(&last, before)| (last, before));
        let point = match layout.points.get(last) {
            Some(point) if !touched.is_empty() => point.name.clone(),
            _ => return PointError::Unknown(last),
        };
        if !before.is_empty() {
            let targets = self.targets(before).iter().map(|&point| layout.points[point].name.clone()).collect();
            return PointError::NotNow { point, targets };
        }
        let piece = position.piece_at(last);
        if position.legal_moves().any(|m| m.path().from.is_none()) {
            match (piece, position.explain_illegal(&point)) {
                (Some(_), _) => PointError::Occupied(point),
                (None, Some(reason)) => PointError::Illegal { point, reason },
                (None, None) => PointError::NoPlacement { point, piece: words.piece },
            }
        } else if piece == Some(position.side_to_move()) {
            PointError::Blocked { point, piece: words.piece }
        } else {
            PointError::NotOwn { point, piece: words.piece, pieces: words.pieces }
        }
    }
}
