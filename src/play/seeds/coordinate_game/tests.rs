//! [`CoordinateGame`] compared with a naive implementation of the rules.

use morello_core::game::RandomNumbers;
use proptest::prelude::*;

use super::*;

/// A naive implementation of the rules on an array of rows.
struct NaiveGame {
    rows: [[char; 8]; 8],
    turn: char,
}

impl NaiveGame {
    fn new() -> Self {
        let mut rows = [[' '; 8]; 8];
        (rows[3][3], rows[3][4], rows[4][3], rows[4][4]) = ('w', 'b', 'b', 'w');
        Self { rows, turn: 'b' }
    }

    fn at(&self, x: i32, y: i32) -> Option<char> {
        ((0..8).contains(&x) && (0..8).contains(&y)).then(|| self.rows[y as usize][x as usize])
    }

    fn opponent(player: char) -> char {
        if player == 'b' { 'w' } else { 'b' }
    }

    /// Returns the chips that a player's chip on (x, y) flips, row by row.
    fn flips(&self, player: char, x: i32, y: i32) -> Vec<(usize, usize)> {
        let mut flips = Vec::new();
        if self.at(x, y) != Some(' ') {
            return flips;
        }
        for dx in -1..=1 {
            for dy in -1..=1 {
                let mut steps = 1;
                while self.at(x + steps * dx, y + steps * dy) == Some(Self::opponent(player)) {
                    steps += 1;
                }
                if self.at(x + steps * dx, y + steps * dy) == Some(player) {
                    flips.extend((1..steps).map(|step| ((x + step * dx) as usize, (y + step * dy) as usize)));
                }
            }
        }
        flips.sort_by_key(|&(x, y)| (y, x));
        flips
    }

    /// Returns the squares where a player may place a chip, by x, then y.
    fn moves(&self, player: char) -> Vec<(usize, usize)> {
        let squares = (0..8).flat_map(|x| (0..8).map(move |y| (x, y)));
        squares.filter(|&(x, y)| !self.flips(player, x, y).is_empty()).map(|(x, y)| (x as usize, y as usize)).collect()
    }

    fn count(&self, what: char) -> u32 {
        self.rows.iter().flatten().filter(|&&chip| chip == what).count() as u32
    }

    fn over(&self) -> bool {
        let full = self.count(' ') == 0;
        let eliminated = self.count('b') == 0 || self.count('w') == 0;
        full || eliminated || (self.moves('b').is_empty() && self.moves('w').is_empty())
    }

    fn place(&mut self, x: usize, y: usize) {
        for (x, y) in self.flips(self.turn, x as i32, y as i32).into_iter().chain([(x, y)]) {
            self.rows[y][x] = self.turn;
        }
        self.turn = Self::opponent(self.turn);
    }
}

/// Checks that a game and the naive rules agree on a position and reject the same moves.
fn check(game: &CoordinateGame, naive: &NaiveGame) {
    assert_eq!(game.chip_layout(), naive.rows);
    assert_eq!(game.score(), (naive.count('b'), naive.count('w')));
    assert_eq!(game.game_over(), naive.over());
    assert_eq!(game.whos_move().letter(), naive.turn);
    let moves = game.possible_moves();
    assert_eq!(moves.keys().copied().collect::<Vec<_>>(), naive.moves(naive.turn));
    for (&(x, y), placement) in &moves {
        assert_eq!((placement.x, placement.y), (x, y));
        assert_eq!(placement.chips, naive.flips(naive.turn, x as i32, y as i32));
    }
    let may_pass = !naive.over() && naive.moves(naive.turn).is_empty();
    assert_eq!(game.clone().pass_to_opponent().is_ok(), may_pass);
    for (x, y) in (0..9).flat_map(|x| (0..9).map(move |y| (x, y))).filter(|at| !moves.contains_key(at)) {
        let mut copy = game.clone();
        let error = copy.place_chip(x, y).expect_err("the move is illegal");
        assert_eq!(&copy, game, "an illegal move changes nothing");
        let expected = match (x.max(y), game.game_over()) {
            (8, _) => InvalidMove::OffBoard { x, y },
            (_, true) => InvalidMove::Placement { x, y, reason: IllegalReason::Over },
            _ if naive.rows[y][x] != ' ' => InvalidMove::Placement { x, y, reason: IllegalReason::Occupied },
            _ if may_pass => InvalidMove::Placement { x, y, reason: IllegalReason::MustPass },
            _ => InvalidMove::Placement { x, y, reason: IllegalReason::FlipsNothing },
        };
        assert_eq!(error, expected);
    }
}

/// Plays a random game on both and returns the number of passes.
fn play(seed: u64) -> usize {
    let mut numbers = RandomNumbers::new(seed);
    let (mut game, mut naive) = (CoordinateGame::new(), NaiveGame::new());
    let mut passes = 0;
    check(&game, &naive);
    while !game.game_over() {
        let moves = naive.moves(naive.turn);
        if moves.is_empty() {
            game.pass_to_opponent().expect("a pass is legal");
            naive.turn = NaiveGame::opponent(naive.turn);
            passes += 1;
        } else {
            let (x, y) = moves[numbers.below(moves.len())];
            assert_eq!(game.place_chip(x, y), Ok(naive.flips(naive.turn, x as i32, y as i32)));
            naive.place(x, y);
        }
        check(&game, &naive);
    }
    passes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_games_agree_with_the_naive_rules(seed: u64) {
        play(seed);
    }
}

#[test]
fn random_games_include_passes() {
    assert!((0..40).map(play).sum::<usize>() > 0);
}

/// Returns columns 2 to 4 of rows 3 and 4, as drawn in the documentation of Games::Othello.
fn drawing(game: &CoordinateGame) -> [String; 2] {
    let layout = game.chip_layout();
    [3, 4].map(|y: usize| layout[y][2..=4].iter().collect())
}

#[test]
fn plays_the_documented_opening() {
    let mut game = CoordinateGame::new();
    assert_eq!(drawing(&game), [" wb", " bw"]);
    assert_eq!((game.whos_move(), game.score()), (Color::Black, (2, 2)));
    let moves = game.possible_moves();
    assert_eq!(moves.keys().copied().collect::<Vec<_>>(), [(2, 3), (3, 2), (4, 5), (5, 4)]);
    assert_eq!(moves[&(2, 3)], Placement { x: 2, y: 3, chips: vec![(3, 3)] });

    assert_eq!(game.place_chip(2, 3), Ok(vec![(3, 3)]));
    assert_eq!(drawing(&game), ["bbb", " bw"]);
    assert_eq!((game.whos_move(), game.score()), (Color::White, (4, 1)));
    // Diagonal, horizontal, vertical.
    let replies: Vec<_> = game.possible_moves().into_values().map(|m| (m.x, m.y, m.chips)).collect();
    assert_eq!(replies, [(2, 2, vec![(3, 3)]), (2, 4, vec![(3, 4)]), (4, 2, vec![(4, 3)])]);
}

fn game(position: &str) -> CoordinateGame {
    position.parse::<Position>().expect("a board string").into()
}

#[test]
fn rejects_invalid_moves_with_the_reason() {
    let place = |game: &CoordinateGame, x, y| game.clone().place_chip(x, y).expect_err("it is illegal").to_string();
    let pass = |game: &CoordinateGame| game.clone().pass_to_opponent().expect_err("it is illegal").to_string();
    let start = CoordinateGame::new();
    assert_eq!(place(&start, 8, 0), "cannot place a chip on (8, 0): x and y must be from 0 to 7");
    assert_eq!(
        place(&start, 0, usize::MAX),
        format!("cannot place a chip on (0, {}): x and y must be from 0 to 7", usize::MAX)
    );
    assert_eq!(place(&start, 3, 4), "cannot place a chip on (3, 4): the square is occupied");
    assert_eq!(place(&start, 0, 0), "cannot place a chip on (0, 0): it flips no disc");
    assert_eq!(pass(&start), "cannot pass the turn: the side to move has a legal move and cannot pass");
    let must_pass = game(&format!("{}OXXXXX-- X", "X".repeat(56)));
    assert_eq!(place(&must_pass, 6, 7), "cannot place a chip on (6, 7): the side to move must pass");
    let over = game(&format!("X{} O", "-".repeat(63)));
    assert_eq!(place(&over, 1, 0), "cannot place a chip on (1, 0): the game is over");
    assert_eq!(pass(&over), "cannot pass the turn: the game is over");
}

#[test]
fn a_side_without_a_move_stays_to_move_until_it_passes() {
    let mut game = game(&format!("{}OXXXXX-- X", "X".repeat(56)));
    assert!(!game.game_over());
    assert_eq!((game.whos_move(), game.possible_moves().len()), (Color::Black, 0));
    game.pass_to_opponent().expect("a pass is legal");
    assert_eq!(game.whos_move(), Color::White);
    assert_eq!(game.possible_moves().into_keys().collect::<Vec<_>>(), [(6, 7)]);
}

#[test]
fn detects_each_end_of_the_game() {
    let full = game(&format!("{}{} X", "X".repeat(30), "O".repeat(34)));
    assert!(full.game_over());
    assert_eq!(full.score(), (30, 34));
    let no_move_left = game(&format!("X{}O X", "-".repeat(62)));
    assert!(no_move_left.game_over());
    let eliminated = game(&format!("XXX{} O", "-".repeat(61)));
    assert!(eliminated.game_over());
    assert_eq!(eliminated.score(), (3, 0));
}
