//! [`AnyPosition`] and [`AnyMove`]: type-erased positions and moves.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::{AnyGame, any_game};
use crate::game::{Color, EndDescription, GameError, MovePoints, Packed, Playable, Position};

erased! {
    /// The rules of a game on packed positions and numbered moves, for [`AnyPosition`].
    #[expect(missing_docs, reason = "each is a method of Position, GameRules or BoardDisplay")]
    pub trait PackedRules for <P: Playable> P;

    fn side_to_move(position: Packed) -> Color = P::unpack(position).side_to_move();
    fn legal_moves(position: Packed) -> Vec<AnyMove> = {
        let legal = P::unpack(position).legal_moves();
        let mut moves = Vec::with_capacity(legal.size_hint().0);
        for m in legal {
            moves.push(AnyMove::new::<P>(m));
        }
        moves
    };
    fn after(position: Packed, m: u16) -> Packed = P::unpack(position).after(P::unpack_move(m)).pack();
    fn final_score(position: Packed) -> i32 = P::unpack(position).final_score();
    fn count_moves(position: Packed) -> usize = P::unpack(position).count_moves();
    fn is_over(position: Packed) -> bool = P::unpack(position).is_over();
    fn is_position(position: Packed) -> bool = P::try_unpack(position).is_some();
    fn is_pass(m: u16) -> bool = P::is_pass(P::unpack_move(m));
    fn is_legal(position: Packed, m: u16) -> bool = {
        let typed = P::unpack_move(m);
        // Several numbers may unpack to the same move.
        typed.into() == m && P::unpack(position).is_legal(typed)
    };
    fn is_irreversible(position: Packed, m: u16) -> bool = P::unpack(position).is_irreversible(P::unpack_move(m));
    fn no_progress_limit(position: Packed) -> Option<u32> = P::unpack(position).no_progress_limit();
    fn find_move(position: Packed, text: &str) -> Option<AnyMove> =
        P::unpack(position).find_move(text).map(AnyMove::new::<P>);
    fn write_position(position: Packed, f: &mut fmt::Formatter<'_>) -> fmt::Result =
        fmt::Display::fmt(&P::unpack(position), f);
    fn write_move(m: u16, f: &mut fmt::Formatter<'_>) -> fmt::Result = fmt::Display::fmt(&P::unpack_move(m), f);
    fn key(position: Packed) -> u64 = P::unpack(position).key();
    fn transform(position: Packed, k: usize) -> Packed = P::unpack(position).transform(k).pack();
    fn transform_move(m: u16, k: usize) -> u16 = P::transform_move(P::unpack_move(m), k).into();
    fn canonical(position: Packed) -> Packed = P::unpack(position).canonical().pack();
    fn piece_at(position: Packed, point: usize) -> Option<Color> = P::unpack(position).piece_at(point);
    fn in_hand(position: Packed, color: Color) -> Option<u32> = P::unpack(position).in_hand(color);
    fn empty_count(position: Packed) -> Option<u32> = P::unpack(position).empty_count();
    fn path(m: u16) -> MovePoints = P::move_points(P::unpack_move(m));
    fn explain_illegal(position: Packed, text: &str) -> Option<GameError> =
        P::unpack(position).explain_illegal(text);
    fn why_over(position: Packed) -> Option<EndDescription> = P::unpack(position).describe_end();
}

/// A type-erased position of any game.
///
/// Positions of different games are never equal. The order may differ from that of the concrete
/// type.
///
/// ```
/// use morello::game::{AnyPosition, Color, Position as _};
/// use morello::{games, othello};
///
/// let position = games::get("othello")?.start();
/// assert_eq!((position.side_to_move(), position.count_moves()), (Color::Black, 4));
/// let after = position.after(position.parse_move("f5")?);
/// assert_eq!((after.side_to_move(), after.empty_count()), (Color::White, Some(59)));
/// // With its type, rules and search are faster.
/// assert_eq!(position.typed::<othello::Position>(), Some(othello::Position::default()));
/// assert_eq!(AnyPosition::new(othello::Position::default()), position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnyPosition {
    game: &'static dyn AnyGame,
    packed: Packed,
}

impl AnyPosition {
    /// Erases the type of a position.
    #[must_use]
    pub fn new<P: Playable>(position: P) -> Self {
        Self { game: any_game::<P>(), packed: position.pack() }
    }

    /// Restores the type of the position; `None` if it belongs to another game.
    #[must_use]
    pub fn typed<P: Playable>(&self) -> Option<P> {
        (self.game.name() == P::INFO.name).then(|| P::unpack(self.packed))
    }

    /// Restores the type of the position, which must be the game's own.
    ///
    /// # Panics
    /// If the position belongs to another game.
    pub(crate) fn known<P: Playable>(&self) -> P {
        self.game.assert_is(const { &P::INFO });
        self.unpack()
    }

    /// Restores the type of the position, without a check.
    pub(super) fn unpack<P: Playable>(self) -> P {
        P::unpack(self.packed)
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Returns whether this is the starting position of the game.
    #[must_use]
    pub fn is_start(&self) -> bool {
        *self == self.game.start()
    }

    /// Returns a hash of the position. Equal positions have equal keys.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.game.key(self.packed)
    }

    /// Returns the image of the position under the `k`-th symmetry of the board, where `k` is below
    /// [`GameInfo::symmetries`](crate::game::GameInfo::symmetries). The 0-th symmetry is the
    /// identity.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let position = games::get("nine-mens-morris")?.parse_position("8,9 a7 - B")?;
    /// let symmetries = position.game().info().symmetries;
    /// let images: Vec<_> = (0..symmetries).map(|k| position.transform(k)).collect();
    /// assert_eq!((images.len(), images[0]), (16, position));
    /// assert!(images.iter().all(|image| image.canonical() == position.canonical()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn transform(&self, k: usize) -> Self {
        Self { packed: self.game.transform(self.packed, k), ..*self }
    }

    /// Returns the canonical image of the position under the board's symmetries. All images of a
    /// position have the same canonical image.
    #[must_use]
    pub fn canonical(&self) -> Self {
        Self { packed: self.game.canonical(self.packed), ..*self }
    }

    /// Returns the color of the piece on a point of the [board](AnyGame::layout); `None` if the
    /// point is empty or out of range.
    ///
    /// ```
    /// use morello::game::Color;
    /// use morello::games;
    ///
    /// let position = games::get("nine-mens-morris")?.parse_position("8,9 d6 - B")?;
    /// let point = position.game().layout().point_named("d6").expect("the board has d6");
    /// assert_eq!(position.piece_at(point), Some(Color::White));
    /// assert_eq!(position.in_hand(Color::White), Some(8));
    /// assert_eq!(position.piece_at(99), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn piece_at(&self, point: usize) -> Option<Color> {
        self.game.piece_at(self.packed, point)
    }

    /// Returns how many pieces a side has in hand; `None` in games without pieces in hand.
    #[must_use]
    pub fn in_hand(&self, color: Color) -> Option<u32> {
        self.game.in_hand(self.packed, color)
    }

    /// Returns the number of empty squares, in games that end when the board is full.
    #[must_use]
    pub fn empty_count(&self) -> Option<u32> {
        self.game.empty_count(self.packed)
    }

    /// Describes why the game is over in this position; `None` if it is not over or the game has no
    /// description for it.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let position = games::get("nine-mens-morris")?.parse_position("0,0 a7,d7,g7 a1,b2 B")?;
    /// let end = position.why_over().expect("the game is over");
    /// assert_eq!((end.name, end.text.as_str()), ("too_few", "Black has fewer than three men"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn why_over(&self) -> Option<EndDescription> {
        self.game.why_over(self.packed)
    }

    /// Returns the packed form of the position.
    #[must_use]
    pub fn packed(&self) -> Packed {
        self.packed
    }

    /// Restores a position from its packed form, which may come from a file; `None` if it is not
    /// the form of a position of this game.
    ///
    /// ```
    /// use morello::game::AnyPosition;
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let position = *othello.random_game(1, 20).position();
    /// assert_eq!(AnyPosition::from_packed(othello, position.packed()), Some(position));
    /// // A disc of each color on the same square.
    /// assert_eq!(AnyPosition::from_packed(othello, [1, 1, 0]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_packed(game: &'static dyn AnyGame, packed: Packed) -> Option<Self> {
        game.is_position(packed).then_some(Self { game, packed })
    }

    /// Returns the legal move that converts to this number.
    ///
    /// ```
    /// use morello::game::Position as _;
    /// use morello::games;
    ///
    /// let start = games::get("othello")?.start();
    /// let m = start.parse_move("f5")?;
    /// assert_eq!(start.numbered_move(m.into()), Some(m));
    /// assert_eq!(start.numbered_move(0), None, "a1 is illegal");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn numbered_move(&self, number: u16) -> Option<AnyMove> {
        self.game.is_legal(self.packed, number).then_some(AnyMove { game: self.game, number })
    }
}

impl Position for AnyPosition {
    type Move = AnyMove;
    type Moves = std::vec::IntoIter<AnyMove>;

    fn side_to_move(&self) -> Color {
        self.game.side_to_move(self.packed)
    }

    fn legal_moves(&self) -> Self::Moves {
        self.game.legal_moves(self.packed).into_iter()
    }

    fn play_unchecked(&mut self, m: AnyMove) {
        self.packed = self.game.after(self.packed, m.number);
    }

    fn final_score(&self) -> i32 {
        self.game.final_score(self.packed)
    }

    fn count_moves(&self) -> usize {
        self.game.count_moves(self.packed)
    }

    fn is_pass(m: AnyMove) -> bool {
        m.game.is_pass(m.number)
    }

    fn is_over(&self) -> bool {
        self.game.is_over(self.packed)
    }

    fn is_irreversible(&self, m: AnyMove) -> bool {
        self.game.is_irreversible(self.packed, m.number)
    }

    fn no_progress_limit(&self) -> Option<u32> {
        self.game.no_progress_limit(self.packed)
    }

    fn is_legal(&self, m: AnyMove) -> bool {
        m.game.name() == self.game.name() && self.game.is_legal(self.packed, m.number)
    }

    fn explain_illegal(&self, text: &str) -> Option<GameError> {
        self.game.explain_illegal(self.packed, text)
    }

    fn find_move(&self, text: &str) -> Option<AnyMove> {
        self.game.find_move(self.packed, text)
    }
}

impl<P: Playable> From<P> for AnyPosition {
    fn from(position: P) -> Self {
        Self::new(position)
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.packed == other.packed && self.game.name() == other.game.name()
    }
}

impl Eq for AnyPosition {}

impl Ord for AnyPosition {
    fn cmp(&self, other: &Self) -> Ordering {
        self.packed.cmp(&other.packed).then_with(|| self.game.name().cmp(other.game.name()))
    }
}

impl PartialOrd for AnyPosition {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for AnyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.packed.hash(state);
    }
}

impl fmt::Display for AnyPosition {
    /// Writes the position on one line; `{:#}` draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.write_position(self.packed, f)
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A type-erased move of any game. Moves of different games are never equal.
///
/// ```
/// use morello::game::Position as _;
/// use morello::games;
///
/// let position = games::get("nine-mens-morris")?.parse_position("0,0 a7,d7,g4 a1,b2,c3 W")?;
/// let m = position.parse_move("g4-g7xb2")?;
/// let layout = position.game().layout();
/// let names: Vec<_> = m.path().points().map(|point| layout.points[point].name.clone()).collect();
/// assert_eq!(names, ["g4", "g7", "b2"]); // from, to, captured
/// assert!(!m.is_pass());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnyMove {
    game: &'static dyn AnyGame,
    number: u16,
}

impl AnyMove {
    /// Erases the type of a move.
    #[must_use]
    pub fn new<P: Playable>(m: P::Move) -> Self {
        Self { game: any_game::<P>(), number: m.into() }
    }

    /// Restores the type of the move, which must be the game's own.
    pub(super) fn unpack<P: Playable>(self) -> P::Move {
        if cfg!(debug_assertions) {
            self.game.assert_is(const { &P::INFO });
        }
        P::unpack_move(self.number)
    }

    /// Returns the game.
    #[must_use]
    pub fn game(self) -> &'static dyn AnyGame {
        self.game
    }

    /// Restores the type of the move; `None` if it belongs to another game.
    #[must_use]
    pub fn typed<P: Playable>(self) -> Option<P::Move> {
        (self.game.name() == P::INFO.name).then(|| P::unpack_move(self.number))
    }

    /// Returns the points of the move.
    #[must_use]
    pub fn path(self) -> MovePoints {
        self.game.path(self.number)
    }

    /// Returns whether the move only passes the turn.
    #[must_use]
    pub fn is_pass(self) -> bool {
        self.game.is_pass(self.number)
    }

    /// Returns the image of the move under the `k`-th symmetry of the board.
    #[must_use]
    pub fn transform(self, k: usize) -> Self {
        Self { number: self.game.transform_move(self.number, k), ..self }
    }
}

impl PartialEq for AnyMove {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number && self.game.name() == other.game.name()
    }
}

impl Eq for AnyMove {}

impl Hash for AnyMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl From<AnyMove> for u16 {
    fn from(m: AnyMove) -> Self {
        m.number
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.write_move(self.number, f)
    }
}

impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for AnyPosition {
    /// Writes the text of the position, without the game.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for AnyMove {
    /// Writes the text of the move.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
