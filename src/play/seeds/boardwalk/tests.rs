//! Games on the platform: one on a non-rectangular board, and one that overrides the defaults.

use std::io::{self, BufRead, Write};

use proptest::prelude::*;

use super::*;

/// Plays with this input. Returns the output and how the loop ended.
fn session<G: Game>(game: &mut G, input: &[u8]) -> (String, LoopEnd<G::Player>) {
    let mut output = Vec::new();
    let ending = game_loop(game, input, &mut output).expect("memory can be read and written");
    (String::from_utf8(output).expect("the loop prints UTF-8"), ending)
}

/// Peg solitaire for one player: a peg jumps over another onto a blank space and removes it; the
/// player wins with one peg left.
struct Solitaire {
    attributes: Attributes<usize>,
    taken: u32,
}

impl Solitaire {
    /// A small cross.
    fn new() -> Self {
        let layout = " oo \noooo\noo_o\n oo ";
        Self { attributes: Attributes::new(Board::with_layout((4, 4), layout).unwrap()), taken: 0 }
    }

    /// Returns the space that a move jumps over, if it is a jump.
    fn jumped(&self, from: Space, to: Space) -> Option<Space> {
        let board = &self.attributes.board;
        let two = |a: usize, b: usize| a.abs_diff(b) == 2;
        let straight = (from.0 == to.0 && two(from.1, to.1)) || (from.1 == to.1 && two(from.0, to.0));
        let middle = (usize::midpoint(from.0, to.0), usize::midpoint(from.1, to.1));
        let is = |square, what| board.at(square) == Ok(what);
        (straight && is(from, 'o') && is(middle, 'o') && is(to, BLANK)).then_some(middle)
    }

    fn squares() -> impl Iterator<Item = Space> {
        (0..4).flat_map(|row| (0..4).map(move |column| (row, column)))
    }
}

impl Game for Solitaire {
    type Player = usize;
    type Extras = u32;

    fn attributes(&self) -> &Attributes<usize> {
        &self.attributes
    }

    fn attributes_mut(&mut self) -> &mut Attributes<usize> {
        &mut self.attributes
    }

    fn validate_move(&self, m: &str) -> Result<(), InvalidMove> {
        match self.attributes.validate_move(m)? {
            GridMove::Movement { from, to } if self.jumped(from, to).is_some() => Ok(()),
            _ => Err("a peg jumps over another onto a blank space".into()),
        }
    }

    fn perform_move(&mut self, m: &str) -> Result<(), InvalidMove> {
        if let GridMove::Movement { from, to } = move_elements(m)?
            && let Some(middle) = self.jumped(from, to)
        {
            self.attributes.board.place_piece(BLANK, middle)?;
            self.taken += 1;
        }
        self.attributes.perform_move(m)
    }

    fn state(&self) -> State<usize, u32> {
        self.attributes.state(self.taken)
    }

    fn game_finished(&self) -> bool {
        !Self::squares().any(|from| Self::squares().any(|to| self.jumped(from, to).is_some()))
    }

    fn winner(&self) -> Option<usize> {
        (self.taken == 10).then_some(0)
    }

    fn next_player(&self) -> usize {
        0
    }
}

#[test]
fn plays_on_a_non_rectangular_board() {
    let mut game = Solitaire::new();
    let before = game.state();
    let (output, ending) = session(&mut game, b"0,2 2,2\n0,0 0,2\no 0,0\n2,0 0,0\n0,9 0,7\n");
    assert_eq!(ending, LoopEnd::InputEnded);
    let invalid = "Your move: Invalid move: a peg jumps over another onto a blank space\n";
    let off = "Your move: Invalid move: 0,9 is off the board, which has 4 rows and 4 columns, counted from 0\n";
    let end = "Your move: \nThe input has ended, and the game is not over.\n";
    let expected =
        format!(" oo \noooo\noo_o\n oo \nYour move:  o_ \noo_o\noooo\n oo \n{invalid}{invalid}{invalid}{off}{end}");
    assert_eq!(output, expected);
    // The state is a copy.
    assert_eq!((before.layout[0][2], before.extras), ('o', 0));
    let after = game.state();
    assert_eq!((after.layout[0][2], after.extras, after.current_player), (BLANK, 1, 0));
    assert_eq!(game.attributes.round, 2);
}

#[test]
fn a_game_without_a_winner_is_a_draw() {
    // Always plays the first jump in the order of the squares.
    let mut game = Solitaire::new();
    let mut input = String::new();
    while let Some((from, to)) = Solitaire::squares()
        .flat_map(|from| Solitaire::squares().map(move |to| (from, to)))
        .find(|&(from, to)| game.jumped(from, to).is_some())
    {
        let m = GridMove::Movement { from, to }.to_string();
        game.perform_move(&m).unwrap();
        input += &format!("{m}\n");
    }
    let (output, ending) = session(&mut Solitaire::new(), input.as_bytes());
    assert_eq!(ending, LoopEnd::Finished { winner: None });
    assert!(output.ends_with(&format!("Your move: \n{}\nIt is a draw!\n", game.attributes.board)), "{output}");
}

/// A race of three players: each in turn puts a letter on a space of a long board, and the first to
/// reach the last space wins. A round is one move of each player.
struct Race(Attributes<char>);

impl Game for Race {
    type Player = char;
    type Extras = ();

    fn attributes(&self) -> &Attributes<char> {
        &self.0
    }

    fn attributes_mut(&mut self) -> &mut Attributes<char> {
        &mut self.0
    }

    /// Checks nothing at all.
    fn validate_move(&self, _: &str) -> Result<(), InvalidMove> {
        Ok(())
    }

    fn prompt_current_player(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<String>> {
        let player = self.0.current_player;
        let column = prompt(&format!("{player}, round {}: ", self.0.round), input, output)?;
        Ok(column.map(|column| format!("{player} 0,{column}")))
    }

    fn game_finished(&self) -> bool {
        self.winner().is_some()
    }

    fn winner(&self) -> Option<char> {
        self.0.board.at((0, 11)).ok().filter(|&last| last != BLANK)
    }

    fn finish_message(&self, winner: Option<&char>, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{winner:?} in round {}", self.0.round)
    }

    fn next_player(&self) -> char {
        match self.0.current_player {
            'a' => 'b',
            'b' => 'c',
            _ => 'a',
        }
    }

    fn round_counter(&self) -> u32 {
        // `current_player` is already the next player.
        self.0.round + u32::from(self.0.current_player == 'b')
    }
}

#[test]
fn every_default_can_be_overridden() {
    let mut game = Race(Attributes::with_initial_player(Board::new((1, 12)), 'b'));
    let (output, ending) = session(&mut game, b"0\n10\n12\nhere\n3\n11\n");
    assert_eq!(ending, LoopEnd::Finished { winner: Some('b') });
    // Moves that cannot be performed are invalid even though `validate_move` checks nothing.
    let expected = "\
____________
b, round 1: b___________
c, round 1: b_________c_
a, round 1: Invalid move: 0,12 is off the board, which has 1 rows and 12 columns, counted from 0
a, round 1: Invalid move: not a move: `a 0,here`; write a placement as `X 1,2` (piece, row, column) and a movement as `1,2 3,4` (from, to)
a, round 1: b__a______c_
b, round 2: \nb__a______cb
Some('b') in round 2
";
    assert_eq!(output, expected);
}

proptest! {
    #[test]
    fn arbitrary_input_never_panics(input in prop::collection::vec(any::<u8>(), 0..300)) {
        let (_, ending) = session(&mut Solitaire::new(), &input);
        prop_assert_eq!(ending, LoopEnd::InputEnded);
    }
}
