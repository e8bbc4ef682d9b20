use proptest::prelude::*;

use super::*;
use crate::game::{Color, Position as _, RandomNumbers, bits};

/// Plays random moves from the start until at most `empties` squares are empty or the game is over.
pub(super) fn random_position<const N: usize>(seed: u64, empties: u32) -> SizedPosition<N> {
    let mut numbers = RandomNumbers::new(seed);
    let mut position = SizedPosition::default();
    while position.board().empty_count() > empties {
        let moves: Vec<Move> = position.legal_moves().collect();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[numbers.below(moves.len())]);
    }
    position
}

/// Returns an arbitrary board, which may not be reachable in a game.
fn random_board<const N: usize>(player: u64, opponent: u64) -> Board<N> {
    let squares = Board::<N>::SQUARES.bits();
    Board { player: player & squares, opponent: opponent & !player & squares }
}

/// Computes flips by walking in each of the eight directions from an empty square.
fn naive_flips<const N: usize>(board: Board<N>, square: u32) -> u64 {
    let at = |x: i32, y: i32| {
        let inside = (0..N as i32).contains(&x) && (0..N as i32).contains(&y);
        inside.then(|| 1u64 << (8 * y + x))
    };
    let mut flips = 0;
    for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut x, mut y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
        let mut run = 0;
        while let Some(bit) = at(x, y).filter(|bit| board.opponent & bit != 0) {
            run |= bit;
            (x, y) = (x + dx, y + dy);
        }
        if at(x, y).is_some_and(|bit| board.player & bit != 0) {
            flips |= run;
        }
    }
    flips
}

fn check_board<const N: usize>(board: Board<N>) {
    assert_eq!(Board::moves_of_all(&[board; 3]), [board.moves(); 3], "{board:?}");
    let mut moves = 0;
    for square in bits(board.empty_bits()) {
        let flips = naive_flips(board, square);
        assert_eq!(board.flip_bits(square), flips, "flips of {square} in {board:?}");
        let bit = 1 << square;
        assert_eq!(flips::lanes::flips(bit, board.player, board.opponent), flips, "flips of {bit:#x} in {board:?}");
        moves |= u64::from(flips != 0) << square;
    }
    assert_eq!(board.move_bits(), moves, "moves of {board:?}");
    assert_eq!(flips::lanes::moves(board.player, board.opponent) & board.empty_bits(), moves, "moves of {board:?}");
}

/// Checks the number of flips of the last move, on a board with one empty square.
fn check_last_flips<const N: usize>(player: u64, square: u32) {
    let square =
        bits(Board::<N>::SQUARES.bits()).nth((square % Board::<N>::AREA) as usize).expect("it is on the board");
    let others = Board::<N>::SQUARES.bits() & !(1 << square);
    let board = Board::<N> { player: player & others, opponent: others & !player };
    let expected = naive_flips(board, square).count_ones();
    assert_eq!(flips::count_last_flips::<N>(square, board.player), expected, "the last move, {square}, of {board:?}");
}

proptest! {
    #[test]
    fn flips_and_moves_equal_the_naive_ones(player: u64, opponent: u64, thin: u64) {
        check_board::<8>(random_board(player, opponent));
        // Many empty squares, then few, to cover different code paths.
        check_board::<8>(random_board(player & thin, opponent & thin));
        check_board::<8>(random_board(player & thin, opponent | !thin));
        check_board::<6>(random_board(player, opponent | thin));
        check_board::<4>(random_board(player, opponent));
    }

    #[test]
    fn last_flips_equal_the_naive_count(player: u64, thin: u64, square: u32) {
        for player in [player, player & thin, player | thin] {
            check_last_flips::<8>(player, square);
            check_last_flips::<6>(player, square);
            check_last_flips::<4>(player, square);
        }
    }

    #[test]
    fn flips_and_moves_equal_the_naive_ones_in_random_games(seed: u64, empties in 0u32..60) {
        check_board(random_position::<8>(seed, empties).board());
        check_board(random_position::<6>(seed, empties % 32).board());
        check_board(random_position::<4>(seed, empties % 12).board());
    }

    #[test]
    fn stable_discs_are_never_flipped(seed: u64, empties in 0u32..40) {
        check_stability(random_position::<8>(seed, empties), seed);
        check_stability(random_position::<6>(seed, empties % 24), seed);
        check_stability(random_position::<4>(seed, empties % 12), seed);
    }
}

/// Plays random moves and checks that stable discs never change color and that all discs of a full
/// board are stable.
fn check_stability<const N: usize>(mut position: SizedPosition<N>, seed: u64) {
    let mut numbers = RandomNumbers::new(!seed);
    let stability = Stability::new();
    let mut found = [SquareSet::EMPTY; 2];
    loop {
        let side = position.side_to_move();
        found[side.opponent().index()] |= stability.stable_opponent_discs(position.board());
        found[side.index()] |= stability.stable_opponent_discs(position.board().pass());
        for color in Color::ALL {
            let flipped = found[color.index()] - position.discs(color);
            assert_eq!(flipped, SquareSet::EMPTY, "stable discs of {color} were flipped in {position}");
        }
        let moves: Vec<Move> = position.legal_moves().collect();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[numbers.below(moves.len())]);
    }
    if position.board().empty_count() == 0 {
        assert_eq!(found[0] | found[1], Board::<N>::SQUARES);
    }
}

#[test]
fn a_corner_and_the_edge_beside_it_are_stable() {
    let position: Position =
        "XXX-----O-------------------------------------------------------O".parse().expect("a board string");
    let stable = Stability::new().stable_opponent_discs(position.board());
    assert_eq!(stable.to_string(), "a1 b1 c1");
}

#[test]
fn the_start_position_has_the_expected_moves() {
    // c4 flips White's disc on d4.
    let start = Position::default();
    assert_eq!(start.to_string(), "---------------------------OX------XO--------------------------- X");
    let text = |position: &Position| position.legal_moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(text(&start), "d3 c4 f5 e6");
    let next = start.play(start.parse_move("c4").expect("legal")).expect("legal");
    assert_eq!(next.discs(Color::White), Square::E5.into());
    assert_eq!(text(&next), "c3 e3 c5");
}

#[test]
fn a_side_without_a_move_must_pass_and_without_discs_has_lost() {
    let position: Position =
        "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOXXXXX-- O".parse().expect("a board string");
    assert_eq!(position.legal_moves().collect::<Vec<_>>(), [Move::place(Square::G8)]);
    let passing: Position =
        "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOXXXXX-- X".parse().expect("a board string");
    assert_eq!(passing.legal_moves().collect::<Vec<_>>(), [Move::PASS]);
    assert!(passing.play(Square::G8.into()).is_err());
    let wiped_out: Position =
        "--------XXX----------------------------------------------------- O".parse().expect("a board string");
    assert!(wiped_out.is_over());
    assert_eq!((wiped_out.final_score(), wiped_out.disc_difference()), (-64, -3));
    let empty: Position = format!("{} X", "-".repeat(64)).parse().expect("a board string");
    assert!(empty.is_over());
    assert_eq!(empty.final_score(), 0);
}

#[test]
fn the_winner_gets_the_empty_squares() {
    let drawn: Position =
        "X------O-------------------------------------------------------- X".parse().expect("a board string");
    assert!(drawn.is_over());
    assert_eq!(drawn.final_score(), 0);
    let small: SizedPosition<4> = "X--O-----------X O".parse().expect("a board string");
    assert!(small.is_over());
    assert_eq!((small.final_score(), small.disc_difference()), (-14, -1));
}

#[test]
fn reads_board_strings_of_other_programs() {
    let plain: Position =
        "---------------------------OX------XO---------------------------X".parse().expect("no blank before the side");
    assert_eq!(plain, Position::default());
    let decorated: Position = "........ ........ ........ ...wb... ...*o... ........ ........ ........ | b"
        .replace("| ", "")
        .parse()
        .expect("rows");
    assert_eq!(decorated, Position::default());
}

#[test]
fn rejects_invalid_board_strings_with_the_column() {
    let error = |text: &str| notation::read::<8>(text).expect_err("it is invalid");
    let board = "-".repeat(64);
    let short = error("XO--");
    assert_eq!(short.column, 5);
    assert!(matches!(short.kind, PositionErrorKind::MissingSquares { expected: 64, found: 4, skipped: None }));
    assert_eq!(short.to_string(), "expected 64 squares, found 4");
    let odd = error(&format!("Q{} X", "-".repeat(62)));
    assert!(
        matches!(odd.kind, PositionErrorKind::MissingSquares { found: 63, skipped: Some(('Q', 1)), .. }),
        "{odd:?}"
    );
    let one_short = error(&format!("{} X", "-".repeat(63)));
    assert!(matches!(
        one_short,
        ParsePositionError { column: 65, kind: PositionErrorKind::MissingSquares { found: 63, .. } }
    ));
    assert_eq!(error(&board), ParsePositionError { column: 65, kind: PositionErrorKind::MissingSide });
    assert_eq!(
        error(&format!("{board} Z")),
        ParsePositionError { column: 66, kind: PositionErrorKind::UnknownSide('Z') }
    );
    let trailing = error(&format!("{board} X  more"));
    assert_eq!(trailing, ParsePositionError { column: 69, kind: PositionErrorKind::TrailingText("more".into()) });
}

fn check_legality<const N: usize>(position: SizedPosition<N>) {
    let legal: Vec<Move> = position.legal_moves().collect();
    for m in Square::all().map(Move::place).chain([Move::PASS]) {
        assert_eq!(position.is_legal(m), legal.contains(&m), "{m} in {position}");
    }
}

proptest! {
    #[test]
    fn is_legal_agrees_with_legal_moves(seed: u64, empties in 0..61u32, player: u64, opponent: u64) {
        check_legality(random_position::<8>(seed, empties));
        check_legality(random_position::<6>(seed, empties % 33));
        check_legality(random_position::<4>(seed, empties % 13));
        check_legality(Position::new(random_board::<8>(player, opponent), Color::White));
        check_legality(SizedPosition::new(random_board::<6>(player, opponent), Color::White));
        check_legality(SizedPosition::new(random_board::<4>(player, opponent), Color::White));
    }
}
