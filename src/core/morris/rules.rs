//! [`Rules`], and the table of games.
//!
//! A game is a type without values whose board and rules are constants, so the compiler specializes
//! all code for it. A new variant is one entry in the table at the end of this file.

use std::fmt::Debug;
use std::hash::Hash;

use super::bans::{BanRecord, Bans, Step};
use super::board::{self, Board};
use crate::game::{RuleSummary, Terminology};

/// The effect of forming a mill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MillRule {
    /// A mill captures a man outside mills or, if all men are in mills, any man.
    Captures,
    /// A mill captures a man outside mills; if all men are in mills, it captures nothing.
    CapturesOutsideMills,
    /// A mill captures any man, in a mill or not.
    CapturesAny,
    /// A mill wins the game. There are no captures.
    Wins,
}

/// The result when the side to move has no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum BlockedRule {
    /// The side to move loses.
    Loses,
    /// The game is drawn if the board is full; otherwise the side to move loses.
    DrawsIfFull,
    /// The game is drawn.
    Draws,
}

impl BlockedRule {
    /// Returns whether the game is drawn when the side to move is blocked and these points are
    /// empty.
    #[inline]
    pub(crate) const fn draws(self, empty: u32) -> bool {
        match self {
            Self::Loses => false,
            Self::DrawsIfFull => empty == 0,
            Self::Draws => true,
        }
    }
}

/// The rules of a mill game, except its board and its bans ([`Variant::Bans`]).
///
/// ```
/// use morello::morris::{LaskerMorris, MillRule, Rules, ThreeMensMorris, Variant};
///
/// let lasker = Rules { men: 10, flying: true, moves_with_hand: true, ..Rules::BASE };
/// assert_eq!(LaskerMorris::RULES, lasker);
/// assert_eq!(ThreeMensMorris::RULES.mill, MillRule::Wins);
/// assert!(!ThreeMensMorris::RULES.captures());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// The number of men per side, at most 15.
    pub men: u8,
    /// The effect of forming a mill.
    pub mill: MillRule,
    /// Whether a side with no man in hand and exactly three on the board may move them to any empty
    /// point.
    pub flying: bool,
    /// Whether a side may move a man instead of placing one while it has men in hand.
    pub moves_with_hand: bool,
    /// The result when the side to move has no move.
    pub blocked: BlockedRule,
    /// The number of plies without a capture after which the game is drawn if a side is down to
    /// three men; `None` without this rule.
    pub three_men_limit: Option<u32>,
}

impl Rules {
    /// Nine men's morris without flying, the base of all other rules.
    pub const BASE: Self = Self {
        men: 9,
        mill: MillRule::Captures,
        flying: false,
        moves_with_hand: false,
        blocked: BlockedRule::Loses,
        three_men_limit: None,
    };

    /// Nine men's morris with flying.
    pub const FLYING: Self = Self { flying: true, ..Self::BASE };

    /// Morabaraba: 12 cows, flying, and the ten-move draw (twenty plies).
    pub const MORABARABA: Self = Self { men: 12, flying: true, three_men_limit: Some(20), ..Self::BASE };

    /// Returns whether a side with these men on the board and in hand may fly.
    #[inline]
    pub(crate) const fn flies(&self, men: u32, hand: u8) -> bool {
        self.flying && hand == 0 && men.count_ones() == 3
    }

    /// Returns whether a side with `hand` men in hand may move its men on the board.
    #[inline]
    pub(crate) const fn moves(&self, hand: u8) -> bool {
        hand == 0 || self.moves_with_hand
    }

    /// Returns whether a man on the step's first point, if there is one, can reach its second point
    /// in one move. `men` and `hand` are the men of its side on the board and in hand.
    #[inline]
    pub(super) fn reaches(&self, board: &Board, step: Step, men: u32, hand: u8) -> bool {
        let reach = if self.flies(men, hand) { !0 } else { board.neighbors(u32::from(step.from)) };
        self.moves(hand) && step.from != step.to && reach & 1 << step.to != 0
    }

    /// Returns whether a ban forbids a step that the side with these men could otherwise make on
    /// its next turn.
    #[inline]
    pub(super) fn is_effective_ban(&self, board: &Board, ban: Step, men: u32, hand: u8, empty: u32) -> bool {
        self.reaches(board, ban, men, hand) && men & 1 << ban.from != 0 && empty & 1 << ban.to != 0
    }

    /// Returns the men among `men` that a mill may capture.
    #[inline(always)]
    pub(crate) fn victims(&self, board: &Board, men: u32) -> u32 {
        let free = || men & !board.in_mills(men);
        match self.mill {
            MillRule::Captures => match free() {
                0 => men,
                free => free,
            },
            MillRule::CapturesOutsideMills => free(),
            MillRule::CapturesAny => men,
            MillRule::Wins => 0,
        }
    }

    /// Returns the rules of a game with or without bans, for explaining them to people.
    pub(super) fn summary(&self, has_bans: bool) -> Vec<RuleSummary> {
        let (mill, end) = match (self.mill, self.blocked) {
            (MillRule::Wins, _) => ("first-mill", "end-first-mill"),
            (MillRule::CapturesAny, BlockedRule::Draws) => ("mill-any", "end-mill-draw"),
            (MillRule::CapturesAny, _) => ("mill-any", "end-mill"),
            (_, BlockedRule::Draws) => ("mill", "end-mill-draw"),
            _ => ("mill", "end-mill"),
        };
        let rules = [
            Some(RuleSummary::with_number("place", self.men.into())),
            Some(RuleSummary::new(mill)),
            Some(RuleSummary::new(if self.moves_with_hand { "move-early" } else { "move" })),
            Some(RuleSummary::new(if self.flying { "fly" } else { "no-fly" })),
            (self.mill == MillRule::CapturesOutsideMills).then(|| RuleSummary::new("protected")),
            has_bans.then(|| RuleSummary::new("no-return")),
            Some(RuleSummary::new(end)),
            (self.blocked == BlockedRule::DrawsIfFull).then(|| RuleSummary::new("full-draw")),
            self.three_men_limit.map(|plies| RuleSummary::with_number("move-limit", plies / 2)),
        ];
        rules.into_iter().flatten().collect()
    }

    /// Returns whether the game has captures, so that a side can lose by having too few men.
    #[must_use]
    pub const fn captures(&self) -> bool {
        !matches!(self.mill, MillRule::Wins)
    }
}

/// The constants of a [`Variant`] as a value, for code that is compiled once for all variants.
#[derive(Debug)]
pub(super) struct VariantConstants {
    pub name: &'static str,
    pub board: &'static Board,
    pub rules: Rules,
    pub words: Terminology,
    pub has_bans: bool,
}

impl VariantConstants {
    /// Returns the constants of a variant.
    pub const fn of<V: Variant>() -> &'static Self {
        const { &Self { name: V::NAME, board: V::BOARD, rules: V::RULES, words: V::WORDS, has_bans: V::Bans::HAS_BANS } }
    }
}

/// A mill game: a type without values.
///
/// ```
/// use morello::game::GameRules;
/// use morello::morris::{Point, Position, SixMensMorris, Variant};
///
/// assert_eq!((SixMensMorris::NAME, SixMensMorris::RULES.men), ("six-mens-morris", 6));
/// assert_eq!(Point::<SixMensMorris>::all().len(), 16);
/// assert_eq!(Position::<SixMensMorris>::INFO.about, SixMensMorris::ABOUT);
/// ```
pub trait Variant: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// The name on the command line.
    const NAME: &'static str;
    /// The title for people.
    const TITLE: &'static str;
    /// A one-line description for lists of games.
    const ABOUT: &'static str;
    /// The [table of known perft values](crate::perft::Reference).
    #[doc(hidden)]
    const PERFT: &'static str;
    /// The board.
    const BOARD: &'static Board;
    /// The rules.
    const RULES: Rules;
    /// The terms that its players use.
    const WORDS: Terminology = MEN;
    /// [`Bans`] if a man that left one mill to form another may not move straight back; otherwise
    /// `()`.
    type Bans: BanRecord;
}

const MEN: Terminology = Terminology { piece: "man", pieces: "men", captures: "captures", captured: "captured" };
const COWS: Terminology = Terminology { piece: "cow", pieces: "cows", captures: "shoots", captured: "shot" };

/// Declares the variants, and `mill_games!`, which calls a macro with its second argument and the
/// name and type of each variant. The first argument passes in the `$` token. The comment of a
/// variant is its description in lists of games.
macro_rules! variants {
    (
        $d:tt
        $(
            #[doc = $doc:literal]
            $name:ident $text:literal $title:literal on $board:ident with $words:ident, bans $bans:ty: $rules:expr;
        )*
    ) => {
        $(
            #[doc = $doc]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $name {}

            impl Variant for $name {
                const NAME: &'static str = $text;
                const TITLE: &'static str = $title;
                const ABOUT: &'static str = $doc.trim_ascii();
                const PERFT: &'static str = include_str!(concat!("../data/perft/", $text, ".perft"));
                const BOARD: &'static Board = board::$board;
                const RULES: Rules = $rules;
                const WORDS: Terminology = $words;
                type Bans = $bans;
            }
        )*

        #[doc(hidden)]
        #[macro_export]
        macro_rules! mill_games {
            ($d callback:ident $d ($d first:tt)?) => { $d callback! { $d ($d first)? $($text $name;)* } };
        }
        pub(crate) use mill_games;
    };
}

variants! {
    $
    /// Nine men's morris with flying (three men left)
    NineMensMorrisFlying "nine-mens-morris-flying" "Nine men’s morris, flying" on NINE with MEN, bans ():
        Rules::FLYING;
    /// Nine men's morris without flying
    NineMensMorris "nine-mens-morris" "Nine men’s morris, no flying" on NINE with MEN, bans (): Rules::BASE;
    /// Nine men's morris with flying; men in mills are safe
    NineMensMorrisFlyingProtected "nine-mens-morris-flying-protected" "Nine men’s morris, flying, protected"
        on NINE with MEN, bans (): Rules { mill: MillRule::CapturesOutsideMills, ..Rules::FLYING };
    /// Nine men's morris without flying; mills are safe
    NineMensMorrisProtected "nine-mens-morris-protected" "Nine men’s morris, no flying, protected"
        on NINE with MEN, bans (): Rules { mill: MillRule::CapturesOutsideMills, ..Rules::BASE };
    /// Nine men's morris with flying; mills capture any man
    NineMensMorrisFlyingUnprotected "nine-mens-morris-flying-unprotected" "Nine men’s morris, flying, unprotected"
        on NINE with MEN, bans (): Rules { mill: MillRule::CapturesAny, ..Rules::FLYING };
    /// Nine men's morris with flying; a blocked side draws
    NineMensMorrisFlyingBlockedDraw "nine-mens-morris-flying-blocked-draw" "Nine men’s morris, flying, blocked draw"
        on NINE with MEN, bans (): Rules { blocked: BlockedRule::Draws, ..Rules::FLYING };
    /// Nine men's morris with flying; no immediate return
    NineMensMorrisFlyingNoReturn "nine-mens-morris-flying-no-return" "Nine men’s morris, flying, no return"
        on NINE with MEN, bans Bans: Rules::FLYING;
    /// Morabaraba: 12 cows, diagonals, ten-move draw
    Morabaraba "morabaraba" "Morabaraba" on MORABARABA with COWS, bans (): Rules::MORABARABA;
    /// Morabaraba; a full board is a draw
    MorabarabaFullDraw "morabaraba-full-draw" "Morabaraba, full draw" on MORABARABA with COWS, bans ():
        Rules { blocked: BlockedRule::DrawsIfFull, ..Rules::MORABARABA };
    /// Morabaraba; no immediate return to the previous mill
    MorabarabaNoReturn "morabaraba-no-return" "Morabaraba, no return" on MORABARABA with COWS, bans Bans:
        Rules::MORABARABA;
    /// Lasker's morris: 10 men, moves while men are in hand
    LaskerMorris "lasker-morris" "Lasker morris" on NINE with MEN, bans ():
        Rules { men: 10, moves_with_hand: true, ..Rules::FLYING };
    /// Twelve men's morris: diagonals; full board is a draw
    TwelveMensMorris "twelve-mens-morris" "Twelve men’s morris" on MORABARABA with MEN, bans ():
        Rules { men: 12, blocked: BlockedRule::DrawsIfFull, ..Rules::FLYING };
    /// Eleven men's morris: 11 men, diagonals, flying
    ElevenMensMorris "eleven-mens-morris" "Eleven men’s morris" on MORABARABA with MEN, bans ():
        Rules { men: 11, ..Rules::FLYING };
    /// Seven men's morris: two squares and a center
    SevenMensMorris "seven-mens-morris" "Seven men’s morris" on SEVEN with MEN, bans ():
        Rules { men: 7, ..Rules::BASE };
    /// Six men's morris: two squares, no flying
    SixMensMorris "six-mens-morris" "Six men’s morris, no flying" on SIX with MEN, bans ():
        Rules { men: 6, ..Rules::BASE };
    /// Five men's morris: two squares, no flying
    FiveMensMorris "five-mens-morris" "Five men’s morris" on SIX with MEN, bans ():
        Rules { men: 5, ..Rules::BASE };
    /// Three men's morris: 3x3 points, the first mill wins
    ThreeMensMorris "three-mens-morris" "Three men’s morris" on THREE with MEN, bans ():
        Rules { men: 3, mill: MillRule::Wins, ..Rules::BASE };
}
