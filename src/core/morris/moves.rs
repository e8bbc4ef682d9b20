//! [`Move`], and [`Moves`], the iterator over the legal moves of a position.

use std::fmt;
use std::marker::PhantomData;

use super::bans::Step;
use super::{Board, Variant};

/// Stands for no point: the man comes from the hand, or nothing is captured.
const NONE: u32 = 31;

/// A complete turn: a man placed or moved, and the man captured if it forms a mill.
///
/// Its text is `d2` if a man is placed and `d6-d5` if one is moved, followed by `xf4` for a
/// capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move<V: Variant> {
    /// Five bits each, from the lowest: to, from, captured.
    packed: u16,
    variant: PhantomData<V>,
}

impl<V: Variant> Move<V> {
    /// Creates a move that places a man.
    ///
    /// # Panics
    /// If the point is not on the board.
    #[must_use]
    pub const fn place(to: u32) -> Self {
        assert!(to < V::BOARD.len(), "the board has the point");
        Self::pack(NONE, to, NONE)
    }

    /// Creates a move from one point to another.
    ///
    /// # Panics
    /// If a point is not on the board.
    #[must_use]
    pub const fn step(from: u32, to: u32) -> Self {
        assert!(from < V::BOARD.len() && to < V::BOARD.len(), "the board has both points");
        Self::pack(from, to, NONE)
    }

    /// Returns the move with a capture added.
    ///
    /// # Panics
    /// If the point is not on the board.
    #[must_use]
    pub const fn capturing(self, captured: u32) -> Self {
        assert!(captured < V::BOARD.len(), "the board has the point");
        Self::pack(self.packed as u32 >> 5 & 31, self.to(), captured)
    }

    #[inline]
    const fn pack(from: u32, to: u32, captured: u32) -> Self {
        Self { packed: packed(from, to, captured), variant: PhantomData }
    }

    /// Reads the text of a move, in any case; `None` if it is none. The move may be illegal.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        packed_from_text(V::BOARD, text).map(|packed| Self { packed, variant: PhantomData })
    }

    /// Unpacks a move; points beyond the board become the last one.
    pub(super) fn from_number(number: u16) -> Self {
        let (to, from, captured) = (u32::from(number) & 31, u32::from(number) >> 5 & 31, u32::from(number) >> 10);
        let last = V::BOARD.len() - 1;
        let point = |point: u32| if point == NONE { NONE } else { point.min(last) };
        Self::pack(point(from), to.min(last), point(captured))
    }

    /// Returns the point that the man leaves; `None` if it is placed from the hand.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Option<u32> {
        point(self.packed as u32 >> 5 & 31)
    }

    /// Returns the point that the man goes to.
    #[inline]
    #[must_use]
    pub const fn to(self) -> u32 {
        self.packed as u32 & 31
    }

    /// Returns the point of the captured man, if any.
    #[inline]
    #[must_use]
    pub const fn captured(self) -> Option<u32> {
        point(self.packed as u32 >> 10)
    }

    /// Returns the points of the move in order: from, to, captured.
    pub fn path(self) -> impl Iterator<Item = u32> {
        [self.from(), Some(self.to()), self.captured()].into_iter().flatten()
    }

    /// Returns the image of the move under the `k`-th symmetry of the board.
    pub(super) fn transform(self, k: usize) -> Self {
        let image = |number| V::BOARD.symmetries().point(k, number);
        let packed = u32::from(self.packed);
        Self::pack(image(packed >> 5 & 31), image(packed & 31), image(packed >> 10))
    }
}

#[inline]
const fn packed(from: u32, to: u32, captured: u32) -> u16 {
    (to | from << 5 | captured << 10) as u16
}

fn packed_from_text(board: &Board, text: &str) -> Option<u16> {
    let (step, captured) = text.split_once(['x', 'X']).map_or((text, None), |(step, name)| (step, Some(name)));
    let (from, to) = step.split_once('-').map_or((None, step), |(from, to)| (Some(from), to));
    let point = |name: Option<&str>| name.map_or(Some(NONE), |name| board.point(name));
    Some(packed(point(from)?, board.point(to)?, point(captured)?))
}

const fn point(number: u32) -> Option<u32> {
    if number == NONE { None } else { Some(number) }
}

impl<V: Variant> From<Move<V>> for u16 {
    fn from(m: Move<V>) -> Self {
        m.packed
    }
}

impl<V: Variant> fmt::Display for Move<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, V::BOARD, self.from(), self.to(), self.captured())
    }
}

fn write(f: &mut fmt::Formatter<'_>, board: &Board, from: Option<u32>, to: u32, captured: Option<u32>) -> fmt::Result {
    if let Some(from) = from {
        f.write_str(board.name(from))?;
        f.write_str("-")?;
    }
    f.write_str(board.name(to))?;
    if let Some(captured) = captured {
        f.write_str("x")?;
        f.write_str(board.name(captured))?;
    }
    Ok(())
}

impl<V: Variant> fmt::Debug for Move<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A lazy iterator over the legal moves of a position: man by man, moves that close a mill first.
#[derive(Debug, Clone)]
pub struct Moves<V: Variant> {
    own: u32,
    empty: u32,
    /// The men that a mill may capture. If there are none, a mill is an ordinary move.
    victims: u32,
    flies: bool,
    banned: Option<Step>,
    /// The empty points where one more man completes a mill, if that captures.
    closers: u32,
    /// Whether the placements are still to come.
    places: bool,
    /// The men whose moves are still to come.
    movers: u32,
    /// The point of the current man, or [`NONE`] for the hand.
    from: u32,
    /// Its remaining targets without a capture.
    quiet: u32,
    /// Its remaining targets that capture.
    closing: u32,
    /// The current target that captures, and the captures that remain there.
    to: u32,
    captures: u32,
    variant: PhantomData<V>,
}

/// The parts of a position that its moves depend on.
pub(super) struct MoveContext {
    pub own: u32,
    pub empty: u32,
    pub victims: u32,
    pub flies: bool,
    pub banned: Option<Step>,
    pub places: bool,
    pub movers: u32,
}

impl<V: Variant> Moves<V> {
    #[inline]
    pub(super) fn new(context: MoveContext) -> Self {
        let MoveContext { own, empty, victims, flies, banned, places, movers } = context;
        let closers = if victims != 0 { V::BOARD.closing_points(own) & empty } else { 0 };
        Self {
            own,
            empty,
            victims,
            flies,
            banned,
            closers,
            places,
            movers,
            from: NONE,
            quiet: 0,
            closing: 0,
            to: 0,
            captures: 0,
            variant: PhantomData,
        }
    }

    /// Sets the targets of the current man; `rest` is the other men of its side.
    #[inline]
    fn set_mover(&mut self, targets: u32, rest: u32) {
        (self.closing, self.quiet) = (0, targets);
        let mut closers = self.closers & targets;
        while closers != 0 {
            let to = pop(&mut closers);
            // The man no longer counts on the point it leaves.
            let closing = u32::from(V::BOARD.is_mill(rest, to)) << to;
            self.closing |= closing;
            self.quiet ^= closing;
        }
    }
}

#[inline]
fn pop(points: &mut u32) -> u32 {
    let point = points.trailing_zeros();
    *points &= *points - 1;
    point
}

impl<V: Variant> Iterator for Moves<V> {
    type Item = Move<V>;

    #[inline]
    fn next(&mut self) -> Option<Move<V>> {
        loop {
            if self.captures != 0 {
                return Some(Move::pack(self.from, self.to, pop(&mut self.captures)));
            }
            if self.closing != 0 {
                self.to = pop(&mut self.closing);
                self.captures = self.victims;
            } else if self.quiet != 0 {
                return Some(Move::pack(self.from, pop(&mut self.quiet), NONE));
            } else if self.places {
                self.places = false;
                self.from = NONE;
                self.set_mover(self.empty, self.own);
            } else if self.movers != 0 {
                self.from = pop(&mut self.movers);
                let mut targets = self.empty & if self.flies { !0 } else { V::BOARD.neighbors(self.from) };
                if let Some(ban) = self.banned
                    && u32::from(ban.from) == self.from
                {
                    targets &= !(1 << ban.to);
                }
                self.set_mover(targets, self.own & !(1 << self.from));
            } else {
                return None;
            }
        }
    }
}
