//! The referee: plays one game, and knows why it ended.

use std::fmt::Display;
use std::time::Instant;

use super::openings::Opening;
use super::{Effort, EndReason, Pairing, Record};
use crate::game::{Cancel, Color, Game, PlayError, Player, PlayerError, Position, Scoring, Settings};

/// Plays a game from an opening. `players` are by their number; `None` if cancelled.
///
/// A forced pass is played without asking. A player who fails loses, whatever is on the board.
///
/// # Panics
/// If the moves of the opening are not legal.
pub fn play<P: Position>(
    pairing: &Pairing,
    opening: &Opening<P>,
    settings: Settings,
    players: &mut [Box<dyn Player<P>>; 2],
    cancel: &Cancel,
) -> Option<Record> {
    let mut game = opening.game(settings).expect("the moves of an opening are legal");
    let mut efforts = [Effort::default(); 2];
    let (winner, black_points, end_reason, problem) = match go_on(&mut game, pairing, players, &mut efforts, cancel) {
        Ok(()) => {
            let end = game.end().expect("the players have played to the end");
            (end.outcome.winner(), black_points(game.position()), end.reason.into(), None)
        }
        Err((color, error)) => (Some(!color), None, forfeit(&error)?, Some(error.to_string())),
    };
    let (opening_moves, moves) = game.moves().split_at(opening.moves.len());
    Some(Record {
        game: pairing.game,
        opening: pairing.opening,
        seats: pairing.seats,
        opening_moves: text(opening_moves),
        moves: text(moves),
        winner,
        black_points,
        end_reason,
        problem,
        efforts,
    })
}

/// Lets the players play to the end; an error comes with the side that failed.
fn go_on<P: Position>(
    game: &mut Game<P>,
    pairing: &Pairing,
    players: &mut [Box<dyn Player<P>>; 2],
    efforts: &mut [Effort; 2],
    cancel: &Cancel,
) -> Result<(), (Color, PlayerError)> {
    for color in Color::ALL {
        let number = pairing.seats[color.index()];
        players[number].prepare(pairing.seeds[number]).map_err(|error| (color, error))?;
    }
    while game.end().is_none() {
        let color = game.position().side_to_move();
        let mut moves = game.position().legal_moves();
        let m = match moves.next().filter(|&m| P::is_pass(m)) {
            Some(pass) if moves.next().is_none() => pass,
            _ => {
                let number = pairing.seats[color.index()];
                let effort = &mut efforts[number];
                let start = Instant::now();
                let choice = players[number].choose(game, cancel);
                let time = start.elapsed();
                effort.time += time;
                effort.longest = effort.longest.max(time);
                let choice = choice.map_err(|error| (color, error))?;
                if cancel.is_cancelled() {
                    return Err((color, PlayerError::Cancelled));
                }
                effort.moves += 1;
                effort.nodes += choice.nodes.unwrap_or(0);
                effort.moves_with_nodes += u64::from(choice.nodes.is_some());
                effort.depths += u64::from(choice.depth.unwrap_or(0));
                effort.moves_with_depth += u64::from(choice.depth.is_some());
                choice.m
            }
        };
        match game.play(m) {
            Ok(()) => {}
            Err(PlayError::Illegal(error)) => return Err((color, error.into())),
            Err(PlayError::Over(_)) => unreachable!("the game goes on"),
        }
    }
    Ok(())
}

/// Returns how a failure ends the game; `None` if the player was only told to give up.
fn forfeit(error: &PlayerError) -> Option<EndReason> {
    match error {
        PlayerError::Crash { .. } => Some(EndReason::Crash),
        PlayerError::Timeout { .. } => Some(EndReason::Timeout),
        PlayerError::Illegal(_) => Some(EndReason::IllegalMove),
        PlayerError::Cancelled => None,
    }
}

/// Returns the score on the board in points for Black, where the game has one and the position ends it.
fn black_points<P: Position>(position: &P) -> Option<i32> {
    let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
    (P::SCORING == Scoring::Margin && position.is_over()).then(|| sign * position.final_score())
}

fn text(moves: &[impl Display]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
