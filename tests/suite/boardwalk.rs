//! Every game of the registry, hosted on the platform for board games.

use std::collections::HashSet;

use morello::boardwalk::{Attributes, Ending, Game as _, Hosted, game_loop};
use morello::game::{Command, Game, Playable, RandomNumbers, Settings};
use morello::games;
use proptest::prelude::*;

/// Plays a random game on the record, and the same as text on the platform.
struct Compare(u64);

impl Command for Compare {
    type Output = ();

    fn run<P: Playable>(self) {
        let settings = Settings { repetition: Some(3), no_progress: Some(60), ply_cap: Some(200) };
        let mut numbers = RandomNumbers::new(self.0);
        let mut game = Game::with_settings(P::default(), settings);
        let mut typed = String::new();
        while game.end().is_none() {
            let moves: Vec<P::Move> = game.position().legal_moves().collect();
            let m = moves[numbers.below(moves.len())];
            let hosted = Hosted::new(game.clone());
            let line = match hosted.standard(m).filter(|_| numbers.below(2) == 0) {
                Some(standard) => standard,
                None => m.to_string(),
            };
            if numbers.below(4) == 0 {
                typed += ["\n", "what?\n", "X 0,0\n", "99,0 0,99999999999999999999\n"][numbers.below(4)];
            }
            typed += &format!("{line}\n");
            game.play(m).expect("it is legal");
        }
        let end = game.end().expect("it has ended");
        let mut hosted = Hosted::new(Game::with_settings(P::default(), settings));
        // A line too many is left alone.
        typed += "b1\n";
        let mut input = typed.as_bytes();
        let mut output = Vec::new();
        let ending = game_loop(&mut hosted, &mut input, &mut output).expect("memory can be read and written");
        assert_eq!(ending, Ending::Finished { winner: end.outcome.winner() }, "{}", P::NAME);
        assert_eq!(input, b"b1\n");
        assert_eq!((hosted.game().moves(), hosted.game().end()), (game.moves(), Some(end)));
        assert_eq!(hosted.attributes().round as usize, game.moves().len());
        board_shows(hosted.attributes(), game.position());
        let output = String::from_utf8(output).expect("the loop prints UTF-8");
        let last = end.outcome.winner().map_or("It is a draw!".to_owned(), |color| format!("Player {color} wins!"));
        assert!(output.ends_with(&format!("\n{last}\n")), "{output}");
    }
}

/// Checks the board against the points of the game.
fn board_shows<P: Playable, Player>(attributes: &Attributes<Player>, position: &P) {
    let layout = P::layout();
    let mut points = 0;
    for (row, spaces) in attributes.board.layout().iter().enumerate() {
        for (column, &space) in spaces.iter().enumerate() {
            let point = layout.point_at(row, column);
            points += usize::from(point.is_some());
            let piece = point.map(|point| position.piece_at(point).map_or('_', |color| color.to_string().remove(0)));
            assert_eq!(space, piece.unwrap_or(' '), "{row},{column} of {position}");
        }
    }
    assert_eq!(points, layout.points.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn hosted_games_end_as_the_record_has_it(game in prop::sample::select(games::NAMES), seed: u64) {
        games::run(game, Compare(seed)).expect("the game is registered");
    }
}

/// Checks that every legal move of a random game's positions can be typed in both notations.
struct Express(u64);

impl Command for Express {
    type Output = ();

    fn run<P: Playable>(self) {
        let mut numbers = RandomNumbers::new(self.0);
        let mut hosted = Hosted::new(Game::<P>::new(P::default()));
        while !hosted.game_finished() && hosted.game().moves().len() < 120 {
            let moves: Vec<P::Move> = hosted.game().position().legal_moves().collect();
            let mut texts = HashSet::new();
            for &m in &moves {
                for text in hosted.standard(m).into_iter().chain([m.to_string()]) {
                    assert_eq!(hosted.read_move(&text).ok(), Some(m), "{text} in {}", hosted.game().position());
                    assert!(texts.insert(text), "{m}: no two moves have one text");
                }
                assert_eq!(hosted.standard(m).is_none(), P::is_pass(m));
            }
            let m = moves[numbers.below(moves.len())].to_string();
            hosted.perform_move(&m).expect("it is legal");
            board_shows(hosted.attributes(), hosted.game().position());
        }
    }
}

#[test]
fn every_legal_move_can_be_typed_in_both_notations() {
    for &name in games::NAMES {
        (0..6).for_each(|seed| games::run(name, Express(seed)).expect("the game is registered"));
    }
}
