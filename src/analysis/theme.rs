//! [`Theme`]: what is special about the best move of an exercise.

use std::iter::successors;

use morello_core::game::{AnyGame, AnyMove, AnyPosition, Color, Layout, Position as _, Scoring};
use morello_core::games;
use serde::{Deserialize, Serialize};

use super::reason::corners;

/// What is special about the best move of an exercise.
///
/// | theme | games | the best move |
/// | --- | --- | --- |
/// | parity | Othello | is in a region with an odd number of empty squares instead of one with an even number |
/// | swindle | Othello | takes one of two adjacent empty squares (not corners), and then only the mover can take the other |
/// | wedge | Othello | places a disc on an edge between two discs of the opponent and flips neither |
/// | stoner trap | Othello | attacks an edge next to a disc that is diagonally adjacent to a corner, and no reply can save that corner |
/// | double mill | mills | creates or uses two mills that one man closes in turn, and no reply fills the gap |
/// | zugzwang | mills | puts the opponent in a position in which passing would be better than moving |
/// | flying | mills | flies: no line joins its two points |
///
/// ```
/// use morello::analysis::Theme;
/// use morello::game::Position as _;
/// use morello::games;
///
/// let game = games::get("nine-mens-morris")?;
/// let position = game.parse_position("0,0 a7,b6,d5,f6,g7 a1,e3,f2,g4 W")?;
/// // The man will go between b6-d6-f6 and a7-d7-g7.
/// assert_eq!(Theme::of_move(&position, position.parse_move("d5-d6xa1")?), [Theme::DoubleMill]);
/// let names: Vec<_> = Theme::of_game(game).map(Theme::name).collect();
/// assert_eq!(names, ["double-mill", "zugzwang"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Theme {
    /// The region of the move has an odd number of empty squares.
    Parity,
    /// The opponent cannot take the second square of a pair.
    Swindle,
    /// The disc is on an edge between two discs of the opponent.
    Wedge,
    /// The opponent cannot save a corner.
    StonerTrap,
    /// A man closes two mills in turn.
    DoubleMill,
    /// The opponent would rather pass.
    Zugzwang,
    /// The man flies.
    Flying,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 7] =
        [Self::Parity, Self::Swindle, Self::Wedge, Self::StonerTrap, Self::DoubleMill, Self::Zugzwang, Self::Flying];

    /// Returns the name, such as `stoner-trap`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parity => "parity",
            Self::Swindle => "swindle",
            Self::Wedge => "wedge",
            Self::StonerTrap => "stoner-trap",
            Self::DoubleMill => "double-mill",
            Self::Zugzwang => "zugzwang",
            Self::Flying => "flying",
        }
    }

    /// Returns whether exercises for a game can have the theme.
    #[must_use]
    pub fn is_of(self, game: &dyn AnyGame) -> bool {
        let is_mill = game.info().scoring == Scoring::Distance;
        match self {
            Self::Parity | Self::Swindle | Self::Wedge | Self::StonerTrap => !is_mill,
            // Two mills of three men that share one man.
            Self::DoubleMill => games::mill(game.name()).is_ok_and(|mill| mill.sector_of(&game.start()).own_hand >= 5),
            Self::Zugzwang => is_mill,
            Self::Flying => game.rules().iter().any(|rule| rule.name == "fly"),
        }
    }

    /// Returns the themes that exercises for a game can have.
    pub fn of_game(game: &dyn AnyGame) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|theme| theme.is_of(game))
    }

    /// Returns the themes of a move that can be seen on the board. These are all themes except
    /// zugzwang, which requires the values of positions.
    #[must_use]
    pub fn of_move(position: &AnyPosition, m: AnyMove) -> Vec<Self> {
        let layout = &position.game().layout();
        let Some(to) = m.path().to else { return Vec::new() };
        let has = |theme: &Self| match theme {
            Self::Parity => is_parity(layout, position, to),
            Self::Swindle => is_swindle(layout, position, m, to),
            Self::Wedge => is_wedge(layout, position, m, to),
            Self::StonerTrap => is_stoner_trap(layout, position, m, to),
            Self::DoubleMill => is_double_mill(layout, position, m),
            Self::Flying => m.path().from.is_some_and(|from| !are_joined(layout, from, to)),
            Self::Zugzwang => false,
        };
        Self::of_game(position.game()).filter(has).collect()
    }
}

/// The steps to the eight neighbors of a square.
const STEPS: [(isize, isize); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Returns the square one step away.
fn step(layout: &Layout, at: usize, (down, right): (isize, isize)) -> Option<usize> {
    let place = &layout.points[at];
    layout.point_at(place.row.checked_add_signed(down)?, place.column.checked_add_signed(right)?)
}

/// Returns whether a disc of a color on an empty square would flip others.
fn can_play(layout: &Layout, position: &AnyPosition, at: usize, color: Color) -> bool {
    let flips = |direction| {
        let squares = successors(step(layout, at, direction), |&at| step(layout, at, direction));
        let mut pieces = squares.map(|at| position.piece_at(at)).peekable();
        pieces.peek() == Some(&Some(!color)) && pieces.find(|&piece| piece != Some(!color)) == Some(Some(color))
    };
    position.piece_at(at).is_none() && STEPS.into_iter().any(flips)
}

/// Returns the region of an empty square: all empty squares connected to it, including itself.
fn region(layout: &Layout, position: &AnyPosition, at: usize) -> Vec<usize> {
    let mut region = vec![at];
    let mut next = 0;
    while let Some(&at) = region.get(next) {
        let neighbours = STEPS.into_iter().filter_map(|direction| step(layout, at, direction));
        for neighbour in neighbours.filter(|&neighbour| position.piece_at(neighbour).is_none()) {
            if !region.contains(&neighbour) {
                region.push(neighbour);
            }
        }
        next += 1;
    }
    region
}

fn is_parity(layout: &Layout, position: &AnyPosition, to: usize) -> bool {
    let is_odd = |at| region(layout, position, at).len() % 2 == 1;
    let mut others = position.legal_moves().filter_map(|m| m.path().to);
    !corners(layout).contains(&to) && is_odd(to) && others.any(|at| !is_odd(at))
}

fn is_swindle(layout: &Layout, position: &AnyPosition, m: AnyMove, to: usize) -> bool {
    let [_, other] = region(layout, position, to)[..] else { return false };
    if corners(layout).contains(&to) {
        return false;
    }
    let (after, side) = (position.after(m), position.side_to_move());
    can_play(layout, &after, other, side) && !can_play(layout, &after, other, !side)
}

/// Returns the corners at the ends of the edges of a square that is not a corner.
fn corners_of_edges(layout: &Layout, to: usize) -> Vec<usize> {
    let corners = corners(layout);
    if corners.contains(&to) {
        return Vec::new();
    }
    let is_in_line = |corner: &usize| {
        let (a, b) = (&layout.points[*corner], &layout.points[to]);
        a.row == b.row || a.column == b.column
    };
    corners.into_iter().filter(is_in_line).collect()
}

fn is_wedge(layout: &Layout, position: &AnyPosition, m: AnyMove, to: usize) -> bool {
    let Some(&corner) = corners_of_edges(layout, to).first() else { return false };
    let along = if layout.points[corner].row == layout.points[to].row { (0, 1) } else { (1, 0) };
    let (after, opponent) = (position.after(m), Some(!position.side_to_move()));
    let is_theirs = |direction| step(layout, to, direction).is_some_and(|at| after.piece_at(at) == opponent);
    is_theirs(along) && is_theirs((-along.0, -along.1))
}

fn is_stoner_trap(layout: &Layout, position: &AnyPosition, m: AnyMove, to: usize) -> bool {
    let (after, side) = (position.after(m), position.side_to_move());
    let is_won = |corner: usize| {
        let takes = |position: &AnyPosition| can_play(layout, position, corner, side);
        let diagonal = STEPS.into_iter().filter(|(down, right)| down * right != 0);
        let mut beside = diagonal.filter_map(|direction| step(layout, corner, direction));
        beside.any(|at| position.piece_at(at) == Some(side))
            && !takes(position)
            && takes(&after)
            && after.side_to_move() != side
            && after.legal_moves().all(|reply| takes(&after.after(reply)))
    };
    corners_of_edges(layout, to).into_iter().any(is_won)
}

/// Returns whether a line joins two points.
fn are_joined(layout: &Layout, a: usize, b: usize) -> bool {
    layout.lines.contains(&(a, b)) || layout.lines.contains(&(b, a))
}

fn is_double_mill(layout: &Layout, position: &AnyPosition, m: AnyMove) -> bool {
    let (after, side) = (position.after(m), Some(position.side_to_move()));
    // The man is in a mill. Without it, another mill lacks only a man on a point next to it: the
    // gap.
    let has_man = |position: &AnyPosition, from: usize, is_safe: &dyn Fn(usize) -> bool| {
        let is_own = |&at: &usize| position.piece_at(at) == side;
        let is_free = |&to: &usize| position.piece_at(to).is_none() && are_joined(layout, from, to);
        let closes =
            |to| layout.mills_of(to).any(|mill| mill.iter().all(|at| *at == to || (*at != from && is_own(at))));
        layout.mills_of(from).any(|mill| mill.iter().all(is_own))
            && (0..layout.points.len()).filter(is_free).any(|to| closes(to) && is_safe(to))
    };
    let has = |position: &AnyPosition, is_safe: &dyn Fn(usize) -> bool| {
        (0..layout.points.len()).any(|from| has_man(position, from, is_safe))
    };
    let uses = || m.path().from.is_some_and(|from| m.path().captured.is_some() && has_man(position, from, &|_| true));
    let is_kept = |gap| after.legal_moves().all(|reply| reply.path().to != Some(gap));
    !after.is_over() && has(&after, &is_kept) && (uses() || !has(position, &|_| true))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The themes of all moves of a position that have one.
    fn themes(game: &str, position: &str) -> String {
        let position = games::get(game).unwrap().parse_position(position).unwrap();
        let of = |m| Theme::of_move(&position, m).into_iter().map(move |theme| format!("{m} {}", theme.name()));
        position.legal_moves().flat_map(of).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn boards_show_the_themes_of_moves() {
        for (game, position, expected) in [
            (
                "othello",
                "O--XOO--OXXXOOO-OOOOXOXXOOXOOOXXOOOOOOXXXOOOXOXX-OOOOO---XXXXXX- X",
                "g1 parity, h2 parity, g7 parity",
            ),
            (
                "othello",
                "--OOOX--XXXXOXXX--XXOXXXO-XOOXXXOOOOOX--OOOXXOX-OXOXXXO-OOOOOOOO O",
                "g1 swindle, a3 parity, b3 parity, b4 parity",
            ),
            ("othello", "O-O-X-O--OXXXX--XXOOOXX-OXOOXOOOOOXXOXOOOXXXOOOOOXOOOOOOOOOOXXOO X", "b1 wedge, h3 parity"),
            ("othello", "-OX-O-XX--OXOOX-OXXOXXOOXXOXXXOOXXXXXXOOXXXOXXOOXOOXXXXOXOOOXX-- X", "h2 stoner-trap"),
            (
                "othello",
                "X-XXXXX--XXOOOOOOXXOXOOOOOXXOXOOOOOOXOOOOOOXXX-OOOXXX-X---XXXX-X O",
                "b1 wedge, b1 stoner-trap",
            ),
            // As before, but Black has the square next to the corner.
            ("othello", "X-XXXXX--XXOOOXOOXXOXOOOOOXXOXOOOOOOXOOOOOOXXX-OOOXXX-X---XXXX-X O", "b1 wedge"),
            ("six-mens-morris", "0,0 a7,b6,d1,d6,d7,f6 b2,b4,d2,f4,g1,g4 W", "d7-g7 double-mill"),
            (
                "nine-mens-morris",
                "0,0 a7,b6,d5,f6,g7 a1,e3,f2,g4 W",
                "d5-d6xg4 double-mill, d5-d6xa1 double-mill, d5-d6xf2 double-mill, d5-d6xe3 double-mill",
            ),
            (
                "nine-mens-morris",
                "0,0 a7,b6,d6,f6,g7 a1,e3,f2,g4 W",
                "d6-d7xg4 double-mill, d6-d7xa1 double-mill, d6-d7xf2 double-mill, d6-d7xe3 double-mill",
            ),
            // The second mill lacks a man, or the man is in hand.
            ("nine-mens-morris", "0,0 a7,b6,d5,f6 a1,e3,f2 W", ""),
            // A reply can fill the gap: with an adjacent man, a flying man or a man from the hand.
            ("nine-mens-morris", "0,0 a7,b6,d6,f6,g7 a1,c5,d5,e3 W", "d6-d7xd5 double-mill"),
            ("nine-mens-morris", "1,8 a7,b6,f6,g7 a1 W", ""),
            ("three-mens-morris", "0,0 a1,b2,c1 a3,b3,c2 W", ""),
        ] {
            assert_eq!(themes(game, position), expected, "{position}");
        }
        let flights = themes("nine-mens-morris-flying", "0,0 a7,d7,b4 a1,b2,d2 W");
        assert!(flights.contains("b4-g7xa1 flying") && !flights.contains("b4-b6"), "{flights}");
    }

    #[test]
    fn discs_can_be_played_where_moves_are_legal() {
        for name in ["othello", "othello-6x6", "othello-4x4"] {
            let game = games::get(name).unwrap();
            let layout = game.layout();
            for seed in 0..50 {
                let record = game.random_game(seed, usize::MAX);
                for position in record.positions() {
                    let moves: Vec<_> = position.legal_moves().filter_map(|m| m.path().to).collect();
                    let playable = |&at: &usize| can_play(&layout, position, at, position.side_to_move());
                    let playable: Vec<_> = (0..layout.points.len()).filter(playable).collect();
                    assert!(
                        moves.len() == playable.len() && moves.iter().all(|at| playable.contains(at)),
                        "{position}"
                    );
                }
            }
        }
    }

    #[test]
    fn games_have_the_themes_of_their_rules() {
        let squares = "parity swindle wedge stoner-trap";
        for (name, expected) in [
            ("othello", squares),
            ("othello-4x4", squares),
            ("three-mens-morris", "zugzwang"),
            ("nine-mens-morris", "double-mill zugzwang"),
            ("nine-mens-morris-flying", "double-mill zugzwang flying"),
            ("morabaraba", "double-mill zugzwang flying"),
        ] {
            let names: Vec<_> = Theme::of_game(games::get(name).unwrap()).map(Theme::name).collect();
            assert_eq!(names.join(" "), expected, "{name}");
        }
    }
}
