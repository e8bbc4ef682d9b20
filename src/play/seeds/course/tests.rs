//! Tests the program with the example of the course, and its rules against those of the game for
//! legal moves.

use morello_core::game::{Color, Position as _, RandomNumbers};
use morello_core::othello;
use proptest::prelude::*;

use super::*;

/// Plays with this input; returns the output and the result.
fn session(typed: &[u8]) -> (String, Option<i32>) {
    let mut output = Vec::new();
    let value = play(typed, &mut output).expect("memory can be read and written");
    (String::from_utf8(output).expect("the program prints UTF-8"), value)
}

/// The example of the course, with input and output. It begins within the first board and has an
/// empty line before its last.
const EXAMPLE: &str = "\
6 . . . . . . . .
7 . . . . . . . .
Black's turn. Please choose a move:
(3, 4)
Invalid move. Please choose a move:
(3, 2)
- 0 1 2 3 4 5 6 7
0 . . . . . . . .
1 . . . . . . . .
2 . . . . . . . .
3 . . B B B . . .
4 . . . B W . . .
5 . . . . . . . .
6 . . . . . . . .
7 . . . . . . . .
White's turn. Please choose a move:
(2, 2)
- 0 1 2 3 4 5 6 7
0 . . . . . . . .
1 . . . . . . . .
2 . . W . . . . .
3 . . B W B . . .
4 . . . B W . . .
5 . . . . . . . .
6 . . . . . . . .
7 . . . . . . . .
Black's turn. Please choose a move:
(-1, -1)
- 0 1 2 3 4 5 6 7
0 . . . . . . . .
1 . . . . . . . .
2 . . W . . . . .
3 . . B W B . . .
4 . . . B W . . .
5 . . . . . . . .
6 . . . . . . . .
7 . . . . . . . .
White's turn. Please choose a move:
(-1, -1)

Game over. We have a tie!
";

#[test]
fn reproduces_the_example_of_the_course() {
    let is_typed = |line: &&str| line.starts_with('(');
    let typed: String = EXAMPLE.lines().filter(is_typed).map(|line| format!("{line}\n")).collect();
    let expected: String =
        EXAMPLE.lines().filter(|line| !is_typed(line) && !line.is_empty()).map(|line| format!("{line}\n")).collect();
    let (output, value) = session(typed.as_bytes());
    assert_eq!(value, Some(0));
    let top = "\
- 0 1 2 3 4 5 6 7
0 . . . . . . . .
1 . . . . . . . .
2 . . . . . . . .
3 . . . W B . . .
4 . . . B W . . .
5 . . . . . . . .
";
    assert_eq!(output, format!("{top}{expected}"));
}

#[test]
fn parses_moves_tolerantly() {
    for text in ["(3, 2)", "(3,2)", "( 3 , 2 )", "3 2", "3,2", " 3   2 ", "(3 2)", "(+3, 02)"] {
        assert_eq!(get_move(&mut text.as_bytes()).unwrap(), CourseInput::Move(3, 2), "{text}");
    }
    assert_eq!(get_move(&mut "(-1, -1)\r\n".as_bytes()).unwrap(), CourseInput::Move(-1, -1));
    let wrong = [
        "\n",
        "(3, 2",
        "3, 2)",
        "()",
        "(3)",
        "3",
        "(3, 2, 1)",
        "3 2 1",
        "((3, 2))",
        "c4",
        "(3.0, 2)",
        "(99999999999, 0)",
    ];
    for text in wrong {
        assert_eq!(get_move(&mut text.as_bytes()).unwrap(), CourseInput::Other, "{text}");
    }
    assert_eq!(get_move(&mut "".as_bytes()).unwrap(), CourseInput::End);
}

#[test]
fn asks_again_after_an_invalid_move() {
    let (output, value) = session(b"(8, 0)\n(-1, 0)\nhello\n\n\xff\xfe\n(-2147483648, 2147483647)\n(-1,-1)\n(-1,-1)\n");
    assert_eq!(value, Some(0));
    assert_eq!(output.matches("Invalid move. Please choose a move:\n").count(), 6);
    assert_eq!(output.matches("- 0 1 2 3 4 5 6 7").count(), 2);
    let endless = vec![b'x'; 3 * MAX_LINE_INPUT_BYTES as usize];
    assert_eq!(session(&endless).0.matches("Invalid move.").count(), 3);
}

#[test]
fn reports_the_end_of_the_input() {
    for typed in ["", "(3, 2)\n", "(3, 2)", "(-1, -1)\n(3, 2)\n(-1, -1)\nwhat"] {
        let (output, value) = session(typed.as_bytes());
        assert_eq!(value, None);
        assert!(
            output.ends_with("Please choose a move:\nThe input has ended, and the game is not over.\n"),
            "{output}"
        );
    }
}

#[test]
fn accepts_any_empty_square_and_any_pass() {
    // Black has moves and passes; White's piece in the corner flips nothing; then two passes in
    // succession.
    let (output, value) = session(b"(-1,-1)\n(0,0)\n(-1,-1)\n(-1,-1)\n");
    assert_eq!(value, Some(-1));
    assert!(output.contains("0 W . . . . . . .\n"));
    assert!(output.ends_with("Game over. White wins!\n"));
}

#[test]
fn a_full_board_needs_two_passes() {
    let all: String = (0..8).flat_map(|row| (0..8).map(move |column| format!("({row}, {column})\n"))).collect();
    let (output, value) = session(all.as_bytes());
    assert_eq!(value, None, "the four central squares are rejected, the rest fills the board");
    assert_eq!(output.matches("Invalid move.").count(), 4);
    assert!(!output.contains("Game over."));
    let (_, value) = session(format!("{all}(-1, -1)\n(-1, -1)\n").as_bytes());
    assert!(value.is_some());
}

/// Plays a random game of Othello and compares the boards.
fn compare_random_game(seed: u64) {
    let mut numbers = RandomNumbers::new(seed);
    let mut position = othello::Position::default();
    let (mut board, mut player) = (START, BLACK);
    while !position.is_over() {
        let moves: Vec<othello::Move> = position.legal_moves().collect();
        let m = moves[numbers.below(moves.len())];
        let (row, column) = m.square().map_or(PASS, |square| (square.row() as i32, square.column() as i32));
        assert!(is_valid_move(&board, row, column));
        apply_move(&mut board, row, column, player);
        position.play_unchecked(m);
        player = -player;
        for square in othello::Square::all() {
            let has = |color| i8::from(position.discs(color).contains(square));
            let disc = has(Color::Black) - has(Color::White);
            let (row, column) = (square.row(), square.column());
            assert_eq!(board[row][column], disc, "{square} of {position}");
            assert_eq!(is_valid_move(&board, row as i32, column as i32), disc == EMPTY);
        }
    }
    let [black, white] = Color::ALL.map(|color| position.discs(color).len() as i32);
    assert_eq!(value(&board), black - white);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn applies_legal_moves_like_the_game(seed: u64) {
        compare_random_game(seed);
    }

    #[test]
    fn arbitrary_input_never_panics(typed in prop::collection::vec(any::<u8>(), 0..400)) {
        session(&typed);
    }
}
