//! [`Rules`], and the table of the games made of them.
//!
//! A game is a type without values, whose board and rules are constants: every position, move and loop is compiled for it alone. A new
//! variant of the rules is one entry in the table at the foot of this file.

use std::fmt::Debug;
use std::hash::Hash;

use super::bans::{BanRecord, Bans};
use super::board::{self, Board};
use crate::game::Terminology;

/// What a side gains that forms a mill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MillRule {
    /// It captures a man outside the mills or, if all of them stand in mills, any man.
    Captures,
    /// It captures a man outside the mills; if all of them stand in mills, nothing.
    CapturesOutsideMills,
    /// It has won. Nobody is ever captured.
    Wins,
}

/// Who wins when the men fill the board, so that the side to move cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FullBoardRule {
    /// The side to move loses, as one that is blocked does.
    Loses,
    /// Neither side does.
    Draws,
}

/// The rules of a mill game, beside its board and its bans ([`Variant::Bans`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The men of each side, at most 15.
    pub men: u8,
    /// What a mill gains.
    pub mill: MillRule,
    /// Whether a side with none in hand and exactly three men on the board may move them to any empty point.
    pub flying: bool,
    /// Whether a side may move instead of placing while it has men in hand.
    pub moves_with_hand: bool,
    /// The result on a full board.
    pub full_board: FullBoardRule,
    /// After how many plies without a capture the game is drawn once a side is down to three men.
    pub three_men_limit: Option<u32>,
}

impl Rules {
    /// Nine men's morris without flying: what the other rules are told as changes of.
    pub const BASE: Self = Self {
        men: 9,
        mill: MillRule::Captures,
        flying: false,
        moves_with_hand: false,
        full_board: FullBoardRule::Loses,
        three_men_limit: None,
    };

    /// Morabaraba: 12 cows, flying, and the ten-move draw, ten moves being twenty plies.
    pub const MORABARABA: Self = Self { men: 12, flying: true, three_men_limit: Some(20), ..Self::BASE };

    /// Returns whether a side with these men, on the board and in hand, moves them to any empty point.
    #[inline]
    #[must_use]
    pub const fn flies(&self, men: u32, hand: u8) -> bool {
        self.flying && hand == 0 && men.count_ones() == 3
    }

    /// Returns whether a side with so many men in hand may move those on the board.
    #[inline]
    #[must_use]
    pub const fn moves(&self, hand: u8) -> bool {
        hand == 0 || self.moves_with_hand
    }

    /// Returns the men of these that a mill may capture.
    #[inline(always)]
    #[must_use]
    pub fn victims(&self, board: &Board, men: u32) -> u32 {
        let free = men & !board.in_mills(men);
        match self.mill {
            MillRule::Captures if free == 0 => men,
            MillRule::Captures | MillRule::CapturesOutsideMills => free,
            MillRule::Wins => 0,
        }
    }

    /// Returns whether men are captured, so that a side may lose by having too few.
    #[must_use]
    pub const fn captures(&self) -> bool {
        !matches!(self.mill, MillRule::Wins)
    }
}

/// A mill game: a type without values.
pub trait Variant: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// The name of the game, as users type it.
    const NAME: &'static str;
    /// A description of the game in one line, as lists of games show it.
    const ABOUT: &'static str;
    /// The board.
    const BOARD: &'static Board;
    /// The rules.
    const RULES: Rules;
    /// How its players speak of it.
    const WORDS: Terminology = MEN;
    /// `()`, or [`Bans`] where a cow that left one mill to form another may not go straight back.
    type Bans: BanRecord;
}

const MEN: Terminology = Terminology { piece: "man", pieces: "men", captures: "captures", captured: "captured" };
const COWS: Terminology = Terminology { piece: "cow", pieces: "cows", captures: "shoots", captured: "shot" };

/// Declares the variants, and `mill_games!`, which calls a macro with the name and the type of each. `$` stands for itself. The comment of a
/// variant is its description in lists of games.
macro_rules! variants {
    (
        $d:tt
        $(#[doc = $doc:literal] $name:ident $text:literal on $board:ident with $words:ident, bans $bans:ty: $rules:expr;)*
    ) => {
        $(
            #[doc = $doc]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $name {}

            impl Variant for $name {
                const NAME: &'static str = $text;
                const ABOUT: &'static str = $doc;
                const BOARD: &'static Board = board::$board;
                const RULES: Rules = $rules;
                const WORDS: Terminology = $words;
                type Bans = $bans;
            }
        )*

        macro_rules! mill_games {
            ($d callback:ident) => { $d callback! { $($text $name;)* } };
        }
        pub(crate) use mill_games;
    };
}

variants! {
    $
    /// Nine men's morris; with three men left, men may fly
    NineMensMorrisFlying "nine-mens-morris-flying" on NINE with MEN, bans (): Rules { flying: true, ..Rules::BASE };
    /// Nine men's morris without flying
    NineMensMorris "nine-mens-morris" on NINE with MEN, bans (): Rules::BASE;
    /// Nine men's morris; men in mills are safe
    NineMensMorrisFlyingProtected "nine-mens-morris-flying-protected" on NINE with MEN, bans ():
        Rules { flying: true, mill: MillRule::CapturesOutsideMills, ..Rules::BASE };
    /// Nine men's morris without flying; mills are safe
    NineMensMorrisProtected "nine-mens-morris-protected" on NINE with MEN, bans ():
        Rules { mill: MillRule::CapturesOutsideMills, ..Rules::BASE };
    /// Morabaraba: 12 cows, diagonals, ten-move draw
    Morabaraba "morabaraba" on MORABARABA with COWS, bans (): Rules::MORABARABA;
    /// Morabaraba; no going straight back between two mills
    MorabarabaNoReturn "morabaraba-no-return" on MORABARABA with COWS, bans Bans: Rules::MORABARABA;
    /// Lasker's morris: 10 men, moves while men are in hand
    LaskerMorris "lasker-morris" on NINE with MEN, bans (): Rules { men: 10, flying: true, moves_with_hand: true, ..Rules::BASE };
    /// Six men's morris: two squares, no flying
    SixMensMorris "six-mens-morris" on SIX with MEN, bans (): Rules { men: 6, ..Rules::BASE };
    /// Three men's morris: 3x3 points, the first mill wins
    ThreeMensMorris "three-mens-morris" on THREE with MEN, bans (): Rules { men: 3, mill: MillRule::Wins, ..Rules::BASE };
}
