//! The pool: threads that play the games of a schedule, each with players of its own.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use super::openings::Opening;
use super::{Record, Schedule, referee};
use crate::game::{Cancel, Player, Position, Settings};

/// The two players of one thread, by their number.
pub type Players<P> = [Box<dyn Player<P>>; 2];

/// Plays the games of a schedule on as many threads as there are pairs of players, and hands over each game as soon as it is finished, in
/// no order.
///
/// A raised `stop` lets the running games end and begins no other.
///
/// # Errors
/// The first of `sink`; the running games are then given up.
///
/// # Panics
/// If a player does, or the moves of an opening are not legal.
pub fn run<P: Position>(
    schedule: &Schedule,
    openings: &[Opening<P>],
    settings: Settings,
    players: Vec<Players<P>>,
    stop: &Cancel,
    sink: &mut dyn FnMut(Record) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicU64::new(0);
    let give_up = Cancel::new();
    let (finished, records) = channel();
    thread::scope(|scope| {
        for mut players in players {
            let (next, give_up, finished) = (&next, &give_up, finished.clone());
            scope.spawn(move || {
                while !stop.is_cancelled() && !give_up.is_cancelled() {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= schedule.games {
                        return;
                    }
                    let pairing = schedule.pairing(game);
                    let opening = &openings[pairing.opening];
                    let record = referee::play(&pairing, opening, settings, &mut players, give_up);
                    // Nobody takes it any more if the sink has failed.
                    if record.is_none_or(|record| finished.send(record).is_err()) {
                        return;
                    }
                }
            });
        }
        drop(finished);
        let result = records.into_iter().try_for_each(sink);
        if result.is_err() {
            give_up.cancel();
        }
        result
    })
}
