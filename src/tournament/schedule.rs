//! [`Schedule`]: which game is played by whom, from which opening.

use crate::game::{Color, RandomNumbers};

/// The games of a match of two players: pairs with the same opening and the colours swapped. It is a function of the seed and the number
/// of a game, whoever asks and in whatever order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The number of games; if it is odd, the last pair lacks its second game.
    pub games: u64,
    /// The number of openings, at least 1. If there are fewer than pairs they are played again, from the first one on.
    pub openings: usize,
    /// What the players' randomness follows from.
    pub seed: u64,
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of its opening, from 0.
    pub opening: usize,
    /// The players, 0 and 1, by their [colour](Color::index).
    pub seats: [usize; 2],
    /// The seeds of the players, by their number.
    pub seeds: [u64; 2],
}

impl Schedule {
    /// Returns the number of pairs, the last of which may lack a game.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.games.div_ceil(2)
    }

    /// Returns the game with this number: player 0 has Black in the first game of each pair.
    #[must_use]
    pub fn pairing(&self, game: u64) -> Pairing {
        let opening = (game / 2) % self.openings as u64;
        let first_has = if game.is_multiple_of(2) { Color::Black } else { Color::White };
        let mut seats = [1; 2];
        seats[first_has.index()] = 0;
        // Two steps from the seed, so that matches of neighbouring seeds do not share their games.
        let mut numbers = RandomNumbers::new(RandomNumbers::new(self.seed).next_u64() ^ game);
        let seeds = [numbers.next_u64(), numbers.next_u64()];
        Pairing { game, opening: opening as usize, seats, seeds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_a_pair_differ_in_the_colours_alone() {
        let schedule = Schedule { games: 7, openings: 3, seed: 5 };
        assert_eq!(schedule.pairs(), 4);
        let games: Vec<_> = (0..7).map(|game| schedule.pairing(game)).collect();
        assert_eq!(games.iter().map(|game| game.opening).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 0]);
        assert!(games.iter().all(|game| game.seats == if game.game % 2 == 0 { [0, 1] } else { [1, 0] }));
    }

    #[test]
    fn seeds_follow_from_the_seed_and_differ_between_games() {
        let schedule = Schedule { games: 1000, openings: 1, seed: 5 };
        let seeds = |schedule: Schedule| (0..1000).flat_map(move |game| schedule.pairing(game).seeds);
        assert!(seeds(schedule).eq(seeds(schedule)));
        let distinct: std::collections::HashSet<_> =
            seeds(schedule).chain(seeds(Schedule { seed: 6, ..schedule })).collect();
        assert_eq!(distinct.len(), 4000);
    }
}
