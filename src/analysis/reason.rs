//! [`Reason`]: why a move was bad.

use std::cmp::Ordering;

use morello_core::game::{AnyGame, AnyMove, AnyPosition, Layout, Position as _};

use super::{GameReview, ReviewedMove};

/// Why a move was bad, as far as the boards before and after it show.
///
/// The move is compared with the best move: what the opponent can do after each, and what the mover
/// can do after the best reply. Numbers are point numbers of the [layout](Layout).
///
/// ```
/// use morello::analysis::{GameReviewer, Reason};
/// use morello::game::{EngineOptions, Limits};
/// use morello::games;
///
/// let othello = games::get("othello-6x6")?;
/// let mut searcher = othello.searcher(&EngineOptions::new(1 << 20))?;
/// let mut reviewer = GameReviewer::new(othello.random_game(1, 32), &Limits::depth(4));
/// while let Some((game, limits)) = reviewer.next_search() {
///     drop(reviewer.add(searcher.best(&game, &limits)));
/// }
/// let review = reviewer.finish().1.expect("the game has moves");
/// let reasons = review.moves.iter().filter_map(|m| review.reason(m));
/// let words: Vec<_> = reasons.map(|reason| reason.words(othello)).collect();
/// assert!(words.iter().any(|words| words.starts_with("gives the corner ")), "{words:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The best move takes this corner.
    MissesCorner(usize),
    /// The opponent can take this corner, but not after the best move.
    GivesCorner(usize),
    /// After the reply, the mover can no longer take this corner.
    LosesCorner(usize),
    /// After the reply, the mover must pass.
    MustPass,
    /// After the reply, every move gives away a corner.
    NoSafeMove,
    /// The best move closes a mill with a piece at this point.
    MissesMill(usize),
    /// The opponent closes a mill with a piece at this point.
    AllowsMill(usize),
    /// The move takes a piece at this point out of a mill.
    OpensMill(usize),
    /// A win became a draw.
    WinToDraw,
    /// A win became a loss.
    WinToLoss,
    /// A draw became a loss.
    DrawToLoss,
}

/// What happens after a move.
struct Branch {
    played: AnyMove,
    /// The position after the move.
    after: AnyPosition,
    /// The reply.
    reply: Option<AnyMove>,
    /// The position after the reply.
    later: Option<AnyPosition>,
}

impl Branch {
    /// Plays a move and the reply to it, if it is known.
    fn new(position: &AnyPosition, played: AnyMove, reply: Option<AnyMove>) -> Option<Self> {
        let after = position.play(played).ok()?;
        let reply = reply.filter(|&reply| after.is_legal(reply));
        Some(Self { played, after, reply, later: reply.map(|reply| after.after(reply)) })
    }

    /// Returns whether the reply captures a piece; `None` if the reply is unknown.
    fn loses_piece(&self) -> Option<bool> {
        let is_over = self.after.is_over().then_some(false);
        self.reply.map(|reply| reply.path().captured.is_some()).or(is_over)
    }
}

impl Reason {
    /// Returns why a move was bad. `next` is the next position of the game, with its analysis.
    fn of(m: &ReviewedMove, next: &ReviewedMove) -> Option<Self> {
        let (played, best) = (m.played?, *m.pv.first()?);
        m.severity()?;
        let layout = m.position.game().layout();
        let reply = next.pv.first().copied().filter(|_| m.next_ply == next.ply && next.mover != m.mover);
        let bad = Branch::new(&m.position, played, reply)?;
        let good = Branch::new(&m.position, best, m.pv.get(1).copied())?;
        let of_board = if layout.lines.is_empty() {
            Self::of_squares(&layout, &m.position, &bad, &good)
        } else {
            Self::of_mills(&layout, &m.position, &bad, &good)
        };
        of_board.or_else(|| Self::of_result(m, next))
    }

    fn of_squares(layout: &Layout, position: &AnyPosition, bad: &Branch, good: &Branch) -> Option<Self> {
        let corners = corners(layout);
        let is_corner = |m: AnyMove| m.path().to.filter(|to| corners.contains(to));
        if let (Some(corner), None) = (is_corner(good.played), is_corner(bad.played)) {
            return Some(Self::MissesCorner(corner));
        }
        let given = open_corners(&bad.after, &corners);
        let others = open_corners(&good.after, &corners);
        if let Some(&corner) = given.iter().find(|corner| !others.contains(corner)) {
            return Some(Self::GivesCorner(corner));
        }
        let (bad, good) = (bad.later.as_ref()?, good.later.as_ref()?);
        let is_kept = |corner: &usize| open_corners(good, &corners).contains(corner);
        let is_lost = |corner: &usize| bad.piece_at(*corner).is_none() && !open_corners(bad, &corners).contains(corner);
        let mut own = open_corners(position, &corners).into_iter();
        if let Some(corner) = own.find(|corner| is_kept(corner) && is_lost(corner)) {
            return Some(Self::LosesCorner(corner));
        }
        if bad.forced_pass().is_some() && good.forced_pass().is_none() {
            return Some(Self::MustPass);
        }
        let is_stuck = |position: &AnyPosition| {
            !position.legal_moves().any(|m| open_corners(&position.after(m), &corners).is_empty())
        };
        (!bad.is_over() && is_stuck(bad) && !is_stuck(good)).then_some(Self::NoSafeMove)
    }

    fn of_mills(layout: &Layout, position: &AnyPosition, bad: &Branch, good: &Branch) -> Option<Self> {
        let captures = |m: AnyMove| m.path().captured.is_some();
        if captures(good.played) && !captures(bad.played) {
            return good.played.path().to.map(Self::MissesMill);
        }
        if bad.loses_piece() == Some(true) && good.loses_piece() == Some(false) {
            return bad.reply?.path().to.map(Self::AllowsMill);
        }
        let side = Some(position.side_to_move());
        let is_in_mill =
            |point: usize| layout.mills_of(point).any(|mill| mill.iter().all(|&at| position.piece_at(at) == side));
        let opens = |m: AnyMove| m.path().from.filter(|&from| is_in_mill(from) && !captures(m));
        opens(bad.played).filter(|_| opens(good.played).is_none()).map(Self::OpensMill)
    }

    /// Returns the reason that follows from the proved results before and after a move, if any.
    fn of_result(m: &ReviewedMove, next: &ReviewedMove) -> Option<Self> {
        if !m.score.is_exact() || !next.score.is_exact() {
            return None;
        }
        let sign = |points: f64| points.partial_cmp(&0.0);
        let after = if next.mover == m.mover { next.score.points() } else { -next.score.points() };
        match (sign(m.score.points())?, sign(after)?) {
            (Ordering::Greater, Ordering::Equal) => Some(Self::WinToDraw),
            (Ordering::Greater, Ordering::Less) => Some(Self::WinToLoss),
            (Ordering::Equal, Ordering::Less) => Some(Self::DrawToLoss),
            _ => None,
        }
    }

    /// Returns an identifier, such as `gives_corner`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MissesCorner(_) => "misses_corner",
            Self::GivesCorner(_) => "gives_corner",
            Self::LosesCorner(_) => "loses_corner",
            Self::MustPass => "must_pass",
            Self::NoSafeMove => "no_safe_move",
            Self::MissesMill(_) => "misses_mill",
            Self::AllowsMill(_) => "allows_mill",
            Self::OpensMill(_) => "opens_mill",
            Self::WinToDraw => "win_to_draw",
            Self::WinToLoss => "win_to_loss",
            Self::DrawToLoss => "draw_to_loss",
        }
    }

    /// Returns the point that the reason names, if any.
    #[must_use]
    pub fn point(self) -> Option<usize> {
        match self {
            Self::MissesCorner(point) | Self::GivesCorner(point) | Self::LosesCorner(point) => Some(point),
            Self::MissesMill(point) | Self::AllowsMill(point) | Self::OpensMill(point) => Some(point),
            Self::MustPass | Self::NoSafeMove | Self::WinToDraw | Self::WinToLoss | Self::DrawToLoss => None,
        }
    }

    /// Returns the reason as words that follow the name of the move, such as
    /// `gives the corner a8 away`.
    #[must_use]
    pub fn words(self, game: &dyn AnyGame) -> String {
        let layout = game.layout();
        let name = |point: usize| layout.points.get(point).map_or("", |point| &point.name);
        match self {
            Self::MissesCorner(point) => format!("misses the corner {}", name(point)),
            Self::GivesCorner(point) => format!("gives the corner {} away", name(point)),
            Self::LosesCorner(point) => format!("loses access to the corner {}", name(point)),
            Self::MustPass => "leads to a pass".to_owned(),
            Self::NoSafeMove => "runs out of safe moves".to_owned(),
            Self::MissesMill(point) => format!("misses a mill at {}", name(point)),
            Self::AllowsMill(point) => format!("allows a mill at {}", name(point)),
            Self::OpensMill(point) => format!("opens the mill at {}", name(point)),
            Self::WinToDraw => "turns a win into a draw".to_owned(),
            Self::WinToLoss => "turns a win into a loss".to_owned(),
            Self::DrawToLoss => "turns a draw into a loss".to_owned(),
        }
    }
}

impl GameReview {
    /// Returns why a move of the game was bad; `None` if it was not bad, or if the boards do not
    /// show the reason.
    #[must_use]
    pub fn reason(&self, m: &ReviewedMove) -> Option<Reason> {
        Reason::of(m, self.moves.iter().find(|next| next.ply == m.next_ply)?)
    }
}

/// Returns the corners of a square board.
pub(super) fn corners(layout: &Layout) -> Vec<usize> {
    let (bottom, right) = (layout.rows - 1, layout.columns - 1);
    let places = [(0, 0), (0, right), (bottom, 0), (bottom, right)];
    places.into_iter().filter_map(|(row, column)| layout.point_at(row, column)).collect()
}

/// Returns the corners that the side to move can take.
fn open_corners(position: &AnyPosition, corners: &[usize]) -> Vec<usize> {
    position.legal_moves().filter_map(|m| m.path().to).filter(|to| corners.contains(to)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use morello_core::game::{EngineOptions, Limits};
    use morello_core::games;

    use super::super::GameReviewer;
    use super::*;

    /// Reviews random games, and calls `check` with each reason and the moves before and after.
    fn reasons(name: &str, count: u64, mut check: impl FnMut(Reason, &ReviewedMove, &ReviewedMove)) {
        let game = games::get(name).unwrap();
        let mut searcher = game.searcher(&EngineOptions::new(1 << 20)).unwrap();
        for seed in 0..count {
            let mut reviewer = GameReviewer::new(game.random_game(seed, 80), &Limits::depth(3));
            while let Some((game, limits)) = reviewer.next_search() {
                drop(reviewer.add(searcher.best(&game, &limits)));
            }
            let review = reviewer.finish().1.unwrap();
            for pair in review.moves.windows(2) {
                if let Some(reason) = review.reason(&pair[0]) {
                    assert!(pair[0].severity().is_some());
                    check(reason, &pair[0], &pair[1]);
                }
            }
        }
    }

    /// Returns whether a side has a move to a point in its position or after a pass.
    fn can_play(position: &AnyPosition, point: usize) -> bool {
        position.legal_moves().any(|m| m.path().to == Some(point))
    }

    #[test]
    fn reasons_of_othello_are_on_the_board() {
        let mut seen = BTreeSet::new();
        reasons("othello-6x6", 40, |reason, m, next| {
            seen.insert(reason.name());
            let layout = m.position.game().layout();
            let (after, best) = (m.position.after(m.played.unwrap()), m.position.after(m.pv[0]));
            let corner = reason.point().map(|point| &layout.points[point]);
            assert!(corner.is_none_or(|at| [0, 5].contains(&at.row) && [0, 5].contains(&at.column)), "{reason:?}");
            match reason {
                Reason::MissesCorner(at) => assert!(m.pv[0].path().to == Some(at) && m.played != Some(m.pv[0])),
                Reason::GivesCorner(at) => assert!(can_play(&after, at) && !can_play(&best, at)),
                Reason::LosesCorner(at) => {
                    let later = after.after(next.pv[0]);
                    assert!(can_play(&m.position, at) && !can_play(&later, at) && later.piece_at(at).is_none());
                }
                Reason::MustPass => assert!(after.after(next.pv[0]).forced_pass().is_some()),
                Reason::NoSafeMove => {
                    let later = after.after(next.pv[0]);
                    assert!(later.legal_moves().all(|m| {
                        let after = later.after(m);
                        layout.points.iter().enumerate().any(|(at, point)| {
                            [0, 5].contains(&point.row) && [0, 5].contains(&point.column) && can_play(&after, at)
                        })
                    }));
                }
                reason => assert!(m.score.is_exact() && next.score.is_exact(), "{reason:?}"),
            }
        });
        let expected = ["gives_corner", "loses_corner", "misses_corner", "must_pass", "no_safe_move", "win_to_loss"];
        assert!(expected.iter().all(|name| seen.contains(name)), "{seen:?}");
    }

    #[test]
    fn reasons_of_mills_are_on_the_board() {
        let mut seen = BTreeSet::new();
        reasons("nine-mens-morris", 12, |reason, m, next| {
            seen.insert(reason.name());
            let played = m.played.unwrap();
            let count =
                |position: &AnyPosition, side| (0..24).filter(|&at| position.piece_at(at) == Some(side)).count();
            let loses = |position: &AnyPosition, m: AnyMove| {
                let side = !position.side_to_move();
                count(position, side) > count(&position.after(m), side)
            };
            match reason {
                Reason::MissesMill(_) => assert!(loses(&m.position, m.pv[0]) && !loses(&m.position, played)),
                Reason::AllowsMill(_) => assert!(loses(&m.position.after(played), next.pv[0])),
                Reason::OpensMill(at) => {
                    let own = |point: usize| m.position.piece_at(point) == Some(m.mover);
                    let layout = m.position.game().layout();
                    assert!(layout.mills_of(at).any(|mill| mill.iter().all(|&point| own(point))));
                    assert!(m.position.after(played).piece_at(at).is_none());
                }
                reason => assert!(m.score.is_exact() && next.score.is_exact(), "{reason:?}"),
            }
        });
        let expected = ["allows_mill", "misses_mill", "opens_mill"];
        assert!(expected.iter().all(|name| seen.contains(name)), "{seen:?}");
    }
}
