//! Type-erased games agree with the typed games.

use super::any_game;
use crate::game::{AnyMove, AnyPosition, Color, EngineOptions, Game, Limits, Playable, Position as _, random_game};
use crate::morris::{self, MorabarabaNoReturn, NineMensMorrisFlying, ThreeMensMorris};
use crate::othello;

fn assert_agrees<P: Playable>() {
    let any = any_game::<P>();
    for seed in 0..12 {
        let typed = random_game::<P>(seed, 300);
        let mut game: Game = Game::new(any.start());
        for (m, position) in typed.moves().iter().zip(typed.positions()) {
            let any_position = *game.position();
            assert_eq!(any_position, AnyPosition::new(*position));
            assert_eq!(any_position.typed::<P>(), Some(*position));
            assert_eq!(any_position.to_string(), position.to_string());
            assert_eq!(any_position.key(), position.key());
            assert_eq!(any_position.canonical(), AnyPosition::new(position.canonical()));
            assert_eq!(any_position.side_to_move(), position.side_to_move());
            assert_eq!(any_position.count_moves(), position.count_moves());
            let moves: Vec<String> = any_position.legal_moves().map(|m| m.to_string()).collect();
            assert_eq!(moves, position.legal_moves().map(|m| m.to_string()).collect::<Vec<_>>());
            assert_eq!(any_position.is_over(), position.is_over());
            assert_eq!(any_position.forced_pass(), position.forced_pass().map(AnyMove::new::<P>));
            for k in 0..P::INFO.symmetries {
                assert_eq!(any_position.transform(k), AnyPosition::new(position.transform(k)));
                let image = AnyMove::new::<P>(P::transform_move(*m, k));
                assert_eq!(AnyMove::new::<P>(*m).transform(k), image);
            }
            assert_eq!(AnyMove::new::<P>(*m).path(), P::move_points(*m));
            let points = P::layout().points.len();
            assert!((0..points).all(|point| any_position.piece_at(point) == position.piece_at(point)));
            assert_eq!(
                Color::ALL.map(|side| any_position.in_hand(side)),
                Color::ALL.map(|side| position.in_hand(side))
            );
            game.play(any_position.parse_move(&m.to_string()).unwrap()).unwrap();
        }
        assert_eq!(game.end(), typed.end());
        assert_eq!(game.halfmove_clock(), typed.halfmove_clock());
        assert_eq!(any.write_moves(&game), P::write_moves(&typed.any()));
        assert_eq!(game.typed::<P>().unwrap().moves(), typed.moves());
        assert_eq!(typed.any().moves(), game.moves());
        let written = game.start().to_string();
        assert_eq!(any.parse_position(&written).unwrap(), *game.start());
    }
    let game = random_game::<P>(3, 12);
    let options = EngineOptions::new(1 << 16);
    let report = P::searcher(&options).unwrap().best(&game, &Limits::depth(3));
    let any_report = any.searcher(&options).unwrap().best(&game.any(), &Limits::depth(3));
    assert_eq!((any_report.nodes, any_report.best().score), (report.nodes, report.best().score));
    assert_eq!(any_report.best_move(), report.best_move().map(AnyMove::new::<P>));
}

#[test]
fn erased_games_agree_with_their_types() {
    assert_agrees::<othello::Position>();
    assert_agrees::<othello::SizedPosition<4>>();
    assert_agrees::<morris::Position<NineMensMorrisFlying>>();
    assert_agrees::<morris::Position<MorabarabaNoReturn>>();
    assert_agrees::<morris::Position<ThreeMensMorris>>();
}

#[test]
fn positions_of_different_games_differ() {
    let (eight, six) = (any_game::<othello::Position>().start(), any_game::<othello::SizedPosition<6>>().start());
    assert_ne!(eight, six);
    assert_eq!(eight.typed::<othello::SizedPosition<6>>(), None);
    assert!(Game::new(eight).typed::<othello::SizedPosition<6>>().is_none());
}

#[test]
fn moves_have_one_number() {
    // Numbers larger than all move numbers unpack to a pass or to points of the board.
    let must_pass = AnyPosition::new("XO-------------- O".parse::<othello::SizedPosition<4>>().unwrap());
    let start = AnyPosition::new(morris::Position::<ThreeMensMorris>::default());
    for position in [must_pass, start] {
        let found: Vec<_> = (0..=u16::MAX).filter_map(|number| position.numbered_move(number)).collect();
        assert_eq!(found.len(), position.count_moves());
        assert!(position.legal_moves().all(|m| found.contains(&m)));
    }
}

#[test]
fn packed_positions_have_bans_with_effect() {
    let game = any_game::<morris::Position<MorabarabaNoReturn>>();
    let position = game.parse_position("0,0 a1,a7,b2,b4,b6 d1,d2,g1,g4,f4 W ban=b4-a4,-").unwrap();
    assert_eq!(AnyPosition::from_packed(game, position.packed()), Some(position));
    let [men, hands, bans] = position.packed();
    let points = |from: u64, to: u64| 1 | from << 8 | to << 16;
    assert_eq!(bans, points(15, 7));
    // To a point that is not adjacent, to the point itself, to a man, and from a point without a
    // man; also for the opponent.
    for bans in [points(15, 3), points(15, 15), points(15, 14), points(7, 15), points(15, 7) << 32] {
        assert_eq!(AnyPosition::from_packed(game, [men, hands, bans]), None);
    }
    assert_eq!(AnyPosition::from_packed(game, [men, hands | 1, bans]), None, "a cow is in hand");
}
