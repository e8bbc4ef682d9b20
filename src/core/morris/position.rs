//! [`Position`]: the men on the board and in hand, and its [`game::Position`] implementation.

use thiserror::Error;

use super::bans::{BanRecord, Step};
use super::moves::MoveContext;
use super::{Board, Move, Moves, Point, PointSet, Variant, point};
use crate::game::{self, Color, CountLeaves, Element as _, GameError, GameInfo, GameRules, Packed, Scoring, bits};

/// A position of the mill game `V`.
///
/// The text contains the men that White and Black have in hand, White's points, Black's points (`-`
/// for none) and the side to move.
///
/// ```
/// use morello::game::Position;
/// use morello::morris::{self, NineMensMorris};
///
/// let position: morris::Position<NineMensMorris> = "7,8 a4,b4 g7 B".parse()?;
/// let next = position.play(position.parse_move("c4")?)?;
/// assert_eq!(next.to_string(), "7,7 a4,b4 c4,g7 W");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position<V: Variant> {
    own: u32,
    other: u32,
    own_hand: u8,
    other_hand: u8,
    side: Color,
    bans: V::Bans,
}

/// A side has more men than the game allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{color} has {found} men in hand and on the board; the game allows {men}")]
pub struct TooManyMen {
    /// The side.
    pub color: Color,
    /// Its men in hand and on the board.
    pub found: u32,
    /// The number of men per side at the start.
    pub men: u8,
}

/// The men do not form a position of the game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ArrangementError {
    /// A side has more men, in hand and on the board, than the game allows.
    #[error(transparent)]
    TooManyMen(TooManyMen),
    /// Both sides have a man on these points, given by their names.
    #[error("both sides have a man on {0}")]
    Overlap(String),
    /// A man is on a point that is not on the board.
    #[error("a man is not on a point of the board")]
    OffBoard,
}

/// The contents of a position of any variant, for code that is compiled once for all variants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrangement {
    /// The points of each side's men, indexed by [`Color::index`].
    pub men: [u32; 2],
    pub hands: [u8; 2],
    pub side: Color,
    /// The bans of each side.
    pub bans: [Option<Step>; 2],
}

impl Arrangement {
    /// Returns the points without a man.
    pub fn empty(&self, board: &Board) -> u32 {
        board.points() & !(self.men[0] | self.men[1])
    }

    /// Checks the sides' men on the board and in hand.
    fn check(&self, board: &Board, men: u8) -> Result<(), ArrangementError> {
        if (self.men[0] | self.men[1]) & !board.points() != 0 {
            return Err(ArrangementError::OffBoard);
        }
        let both = self.men[0] & self.men[1];
        if both != 0 {
            let names = bits(both.into()).map(|point| board.name(point));
            return Err(ArrangementError::Overlap(names.collect::<Vec<_>>().join(" ")));
        }
        for color in Color::ALL {
            let found = u32::from(self.hands[color.index()]) + self.men[color.index()].count_ones();
            if found > u32::from(men) {
                return Err(ArrangementError::TooManyMen(TooManyMen { color, found, men }));
            }
        }
        Ok(())
    }
}

impl<V: Variant> Position<V> {
    /// Creates a position without bans. Each side may have lost any number of men.
    ///
    /// `hands` and `men` are indexed by [`Color::index`]: Black first.
    ///
    /// ```
    /// use morello::game::Color;
    /// use morello::morris::{NineMensMorris, PointSet, Position};
    ///
    /// let black = PointSet::from(["d2".parse()?, "f4".parse()?]);
    /// let position = Position::<NineMensMorris>::new([7, 9], [black, PointSet::EMPTY], Color::White)?;
    /// assert_eq!(position.to_string(), "9,7 - d2,f4 W");
    /// let error = Position::<NineMensMorris>::new([8, 9], [black, PointSet::EMPTY], Color::White).unwrap_err();
    /// assert_eq!(error.to_string(), "Black has 10 men in hand and on the board; the game allows 9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ArrangementError`] if this is not a position of the game.
    pub fn new(hands: [u8; 2], men: [PointSet<V>; 2], side: Color) -> Result<Self, ArrangementError> {
        Self::checked(Arrangement { men: men.map(point::men), hands, side, bans: [None; 2] })
    }

    /// Creates a position from its contents.
    pub(super) fn checked(arrangement: Arrangement) -> Result<Self, ArrangementError> {
        arrangement.check(V::BOARD, V::RULES.men)?;
        Ok(Self::of(arrangement))
    }

    /// Creates a position from its contents, without checking them.
    pub(super) fn of(Arrangement { men, hands, side, bans }: Arrangement) -> Self {
        let (own, other) = (side.index(), side.opponent().index());
        Self {
            own: men[own],
            other: men[other],
            own_hand: hands[own],
            other_hand: hands[other],
            side,
            bans: V::Bans::new(bans[own], bans[other]),
        }
    }

    /// Returns the contents of the position.
    pub(super) fn arrangement(&self) -> Arrangement {
        let in_order = self.side == Color::Black;
        let (own, other) = (self.bans.own(), self.bans.other());
        Arrangement {
            men: if in_order { [self.own, self.other] } else { [self.other, self.own] },
            hands: if in_order { [self.own_hand, self.other_hand] } else { [self.other_hand, self.own_hand] },
            side: self.side,
            bans: if in_order { [own, other] } else { [other, own] },
        }
    }

    /// Returns the points with a man of the side to move.
    #[inline]
    pub(crate) const fn own(&self) -> u32 {
        self.own
    }

    /// Returns the points with a man of the opponent.
    #[inline]
    pub(crate) const fn other(&self) -> u32 {
        self.other
    }

    /// Returns the number of men that the side to move has in hand.
    #[inline]
    pub(crate) const fn own_hand(&self) -> u8 {
        self.own_hand
    }

    /// Returns the number of men that the opponent has in hand.
    #[inline]
    pub(crate) const fn other_hand(&self) -> u8 {
        self.other_hand
    }

    /// Returns the points without a man.
    #[inline]
    pub(crate) const fn empty(&self) -> u32 {
        V::BOARD.points() & !(self.own | self.other)
    }

    /// Returns the points with a man of a side.
    #[must_use]
    pub fn men(&self, color: Color) -> PointSet<V> {
        point::points(if color == self.side { self.own } else { self.other })
    }

    /// Returns the points without a man.
    #[must_use]
    pub fn empties(&self) -> PointSet<V> {
        point::points(self.empty())
    }

    /// Returns the number of men that a side has in hand.
    #[must_use]
    pub fn hand(&self, color: Color) -> u8 {
        if color == self.side { self.own_hand } else { self.other_hand }
    }

    /// Returns the step, from the first point to the second, that a side may not make on its next
    /// turn.
    #[must_use]
    pub fn ban(&self, color: Color) -> Option<[Point<V>; 2]> {
        let ban = if color == self.side { self.bans.own() } else { self.bans.other() };
        ban.map(|Step { from, to }| [from, to].map(|point| Point::of(point.into())))
    }

    /// Returns whether a side with these men on the board and in hand may fly.
    #[inline]
    pub(crate) const fn flies(men: u32, hand: u8) -> bool {
        V::RULES.flies(men, hand)
    }

    /// Returns the men that a mill of the side to move may capture.
    #[inline(always)]
    pub(super) fn victims(&self) -> u32 {
        V::RULES.victims(V::BOARD, self.other)
    }

    /// Returns a key that is the same for all symmetric images of the position, and the symmetry
    /// that maps the position to the image with that key.
    ///
    /// With bans, images may have different keys if a symmetry maps the men to themselves but not
    /// the bans.
    #[inline]
    pub(super) fn symmetric_key(&self) -> (u64, usize) {
        let (k, own, other) = V::BOARD.symmetries().least(self.own, self.other);
        let bans = if V::Bans::HAS_BANS { self.transform_bans(k) } else { self.bans };
        (GameRules::key(&Self { own, other, bans, ..*self }), k)
    }

    fn transform_bans(&self, k: usize) -> V::Bans {
        let symmetries = V::BOARD.symmetries();
        let image = |ban: Step| Step {
            from: symmetries.point(k, u32::from(ban.from)) as u8,
            to: symmetries.point(k, u32::from(ban.to)) as u8,
        };
        V::Bans::new(self.bans.own().map(image), self.bans.other().map(image))
    }

    /// Returns the parts of the position that determine the moves. If the game is not `ongoing`, no
    /// man may be placed or moved.
    #[inline(always)]
    fn move_context(&self, ongoing: bool) -> MoveContext {
        let moves = ongoing && V::RULES.moves(self.own_hand);
        MoveContext {
            own: self.own,
            empty: self.empty(),
            victims: self.victims(),
            flies: Self::flies(self.own, self.own_hand),
            banned: self.bans.own(),
            places: ongoing && self.own_hand > 0,
            movers: if moves { self.own } else { 0 },
        }
    }

    const fn total(men: u32, hand: u8) -> u32 {
        men.count_ones() + hand as u32
    }

    /// Returns the score for the side to move if the game is over because of a mill or too few men;
    /// otherwise `None`.
    #[inline(always)]
    fn decided_score(&self) -> Option<i32> {
        let lost = |men, other, hand| {
            if V::RULES.captures() { Self::total(men, hand) < 3 } else { V::BOARD.in_mills(other) != 0 }
        };
        // During play only the side to move can have lost; in a position that was set up, the
        // opponent can have lost too.
        if lost(self.own, self.other, self.own_hand) {
            Some(-1)
        } else if lost(self.other, self.own, self.other_hand) {
            Some(1)
        } else {
            None
        }
    }
}

impl<V: Variant> Default for Position<V> {
    /// Returns the starting position: all men are in hand, and White moves.
    fn default() -> Self {
        Self::new([V::RULES.men; 2], [PointSet::EMPTY; 2], Color::White)
            .expect("each side has the number of men of the game")
    }
}

impl<V: Variant> game::Position for Position<V> {
    type Move = Move<V>;
    type Moves = Moves<V>;

    fn side_to_move(&self) -> Color {
        self.side
    }

    #[inline]
    fn legal_moves(&self) -> Moves<V> {
        Moves::new(self.move_context(self.decided_score().is_none()))
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move<V>) {
        let (from, to) = (m.from().map(Point::bit), m.to().bit());
        let mut ban = None;
        let (mut own, mut other) = (self.own, self.other);
        let mut own_hand = self.own_hand;
        if let Some(from) = from {
            own &= !(1 << from);
            if V::Bans::HAS_BANS && V::BOARD.is_mill(self.own, from) && V::BOARD.is_mill(own, to) {
                ban = Some(Step { from: to as u8, to: from as u8 });
            }
        } else {
            own_hand = own_hand.saturating_sub(1);
        }
        own |= 1 << to;
        if let Some(captured) = m.captured() {
            other &= !(1 << captured.bit());
        }
        let empty = V::BOARD.points() & !(own | other);
        let kept = match self.bans.other() {
            Some(ban) if V::RULES.is_effective_ban(V::BOARD, ban, other, self.other_hand, empty) => Some(ban),
            _ => None,
        };
        *self = Self {
            own: other,
            other: own,
            own_hand: self.other_hand,
            other_hand: own_hand,
            side: !self.side,
            bans: V::Bans::new(kept, ban),
        };
    }

    fn final_score(&self) -> i32 {
        self.decided_score().unwrap_or(if V::RULES.blocked.draws(self.empty()) { 0 } else { -1 })
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        if self.decided_score().is_some() {
            return 0;
        }
        let context = self.move_context(true);
        let closers =
            if context.victims.count_ones() > 1 { V::BOARD.closing_points(self.own) & context.empty } else { 0 };
        context.count::<V>(closers, V::RULES.moves(self.own_hand)) as usize
    }

    fn find_move(&self, text: &str) -> Option<Move<V>> {
        Move::from_text(text).filter(|&m| self.is_legal(m))
    }

    fn explain_illegal(&self, text: &str) -> Option<GameError> {
        self.explain_text(text).map(GameError::new)
    }

    fn is_irreversible(&self, m: Move<V>) -> bool {
        m.from().is_none() || m.captured().is_some()
    }

    /// Twenty plies in the Morabaraba games, once a side is down to three cows in hand and on the
    /// board. The clock of the game record restarts with every shot. Only a shot reduces a side to
    /// three cows, so the clock starts when the rule begins to apply. (If a side has three cows in
    /// the starting position, the clock starts there.) Placing a cow also resets the clock.
    fn no_progress_limit(&self) -> Option<u32> {
        let three = Self::total(self.own, self.own_hand) == 3 || Self::total(self.other, self.other_hand) == 3;
        V::RULES.three_men_limit.filter(|_| three)
    }
}

impl<V: Variant> GameRules for Position<V> {
    const INFO: GameInfo = GameInfo {
        name: V::NAME,
        title: V::TITLE,
        about: V::ABOUT,
        terminology: V::WORDS,
        scoring: Scoring::Distance,
        cyclic: true,
        symmetries: V::BOARD.symmetries().len(),
        exact_solver: false,
        // Games that are won by a mill are short enough to search without pruning by the
        // evaluation.
        selective: V::RULES.captures(),
        known_perft: V::PERFT,
    };

    /// Returns a hash. Without bans, different positions have different keys: the state fits in 57
    /// bits (24 points and a 4-bit hand per side, and the side to move), and the mixing is a
    /// bijection.
    #[inline]
    fn key(&self) -> u64 {
        let men = u64::from(self.own) | u64::from(self.other) << 24;
        let hands = u64::from(self.own_hand) << 48 | u64::from(self.other_hand) << 52;
        let mut key = men | hands | (self.side as u64) << 56;
        if V::Bans::HAS_BANS {
            let number =
                |ban: Option<Step>| ban.map_or(0, |ban| u64::from(ban.from) << 5 | u64::from(ban.to) | 1 << 10);
            let bans = number(self.bans.own()) | number(self.bans.other()) << 11;
            key ^= bans.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        // The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
        key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        key ^ key >> 31
    }

    fn transform(&self, k: usize) -> Self {
        let symmetries = V::BOARD.symmetries();
        Self {
            own: symmetries.set(k, self.own),
            other: symmetries.set(k, self.other),
            bans: self.transform_bans(k),
            ..*self
        }
    }

    fn transform_move(m: Move<V>, k: usize) -> Move<V> {
        m.transform(k)
    }

    fn pack(&self) -> Packed {
        let men = u64::from(self.own) | u64::from(self.other) << 32;
        let hands = u64::from(self.own_hand) | u64::from(self.other_hand) << 8 | (self.side as u64) << 16;
        let ban = |ban: Option<Step>| ban.map_or(0, |ban| 1 | u64::from(ban.from) << 8 | u64::from(ban.to) << 16);
        [men, hands, ban(self.bans.own()) | ban(self.bans.other()) << 32]
    }

    fn unpack([men, hands, bans]: Packed) -> Self {
        // Points beyond the board would be out of range in the board's tables.
        let points = |men: u64| men as u32 & V::BOARD.points();
        let point = |number: u64| (number as u8).min(V::BOARD.len() as u8 - 1);
        let ban = |ban: u64| (ban & 1 != 0).then(|| Step { from: point(ban >> 8), to: point(ban >> 16) });
        Self {
            own: points(men),
            other: points(men >> 32),
            own_hand: hands as u8,
            other_hand: (hands >> 8) as u8,
            side: if hands >> 16 & 1 == Color::Black as u64 { Color::Black } else { Color::White },
            bans: V::Bans::new(ban(bans), ban(bans >> 32)),
        }
    }

    fn try_unpack(packed: Packed) -> Option<Self> {
        let position = Self::unpack(packed);
        let arrangement = position.arrangement();
        let Arrangement { men, hands, bans, .. } = arrangement;
        let empty = arrangement.empty(V::BOARD);
        let is_effective = |side: usize, ban| V::RULES.is_effective_ban(V::BOARD, ban, men[side], hands[side], empty);
        let are_effective =
            Color::ALL.map(Color::index).iter().all(|&side| bans[side].is_none_or(|ban| is_effective(side, ban)));
        let is_valid = are_effective && arrangement.check(V::BOARD, V::RULES.men).is_ok();
        (is_valid && position.pack() == packed).then_some(position)
    }

    fn unpack_move(number: u16) -> Move<V> {
        Move::from_number(number)
    }
}

impl<V: Variant> CountLeaves for Position<V> {}
