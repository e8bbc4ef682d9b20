//! [`Schedule`]: the players, colors and round of each game.

use morello_core::game::{Color, RandomNumbers};
use serde::{Deserialize, Serialize};

/// The format of a tournament with more than two players.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TournamentFormat {
    /// Every player plays every other player.
    #[default]
    RoundRobin,
    /// The first player plays each of the others.
    Gauntlet,
}

#[cfg(feature = "clap")]
impl clap::ValueEnum for TournamentFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::RoundRobin, Self::Gauntlet]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        use clap::builder::PossibleValue;

        Some(match self {
            Self::RoundRobin => PossibleValue::new("round-robin").help("Every engine meets every other"),
            Self::Gauntlet => PossibleValue::new("gauntlet").help("The first engine meets each of the others"),
        })
    }
}

impl TournamentFormat {
    /// Returns the encounters among `players` players, as pairs of player numbers with the lower
    /// number first.
    ///
    /// ```
    /// use morello::tournament::TournamentFormat;
    ///
    /// assert_eq!(TournamentFormat::RoundRobin.encounters(3), [[0, 1], [0, 2], [1, 2]]);
    /// assert_eq!(TournamentFormat::Gauntlet.encounters(3), [[0, 1], [0, 2]]);
    /// ```
    #[must_use]
    pub fn encounters(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Self::RoundRobin => 0..players,
            Self::Gauntlet => 0..players.min(1),
        };
        firsts.flat_map(|first| (first + 1..players).map(move |second| [first, second])).collect()
    }
}

/// The games of a match or a tournament: pairs with the same opening and swapped colors. Each game
/// depends only on the seed and its number.
///
/// In each round, every encounter plays one pair from the same opening.
///
/// ```
/// use morello::tournament::Schedule;
///
/// let schedule = Schedule::of_match(4, 1);
/// let games: Vec<_> = (0..4).map(|game| schedule.pairing(game)).collect();
/// assert_eq!(games.iter().map(|game| (game.round, game.players)).collect::<Vec<_>>(), [
///     (0, [0, 1]), (0, [1, 0]), (1, [0, 1]), (1, [1, 0]),
/// ]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Schedule {
    /// The number of games; if it is odd, the last pair lacks its second game.
    pub games: u64,
    /// The seed, which determines the players' seeds.
    pub seed: u64,
    /// The encounters, at least one.
    pub encounters: Vec<[usize; 2]>,
    /// The part to play, from 0, and the number of parts. Game pairs are assigned to the parts in
    /// turn; (0, 1) plays all.
    pub shard: (u64, u64),
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of the round, from 0. All games of a round have the same opening.
    pub round: usize,
    /// The players, by their [color](Color::index).
    pub players: [usize; 2],
    /// The seeds of the players, by their color.
    pub seeds: [u64; 2],
}

impl Schedule {
    /// Creates the schedule of a match between two players.
    #[must_use]
    pub fn of_match(games: u64, seed: u64) -> Self {
        Self { games, seed, encounters: vec![[0, 1]], shard: (0, 1) }
    }

    /// Returns the number of rounds in the first `games` games.
    #[must_use]
    pub fn rounds_of(&self, games: u64) -> usize {
        games.div_ceil(2).div_ceil(self.encounters.len() as u64) as usize
    }

    /// Returns whether the game with this number belongs to the part to play.
    #[must_use]
    pub fn contains(&self, game: u64) -> bool {
        let (part, parts) = self.shard;
        game < self.games && game / 2 % parts == part
    }

    /// Returns the number of games in the part to play.
    #[must_use]
    pub fn planned(&self) -> u64 {
        let (part, parts) = self.shard;
        let pairs = |pairs: u64| pairs / parts + u64::from(pairs % parts > part);
        let full = self.games / 2;
        2 * pairs(full) + if self.games % 2 == 1 { u64::from(full % parts == part) } else { 0 }
    }

    /// Returns the game with this number. The first player of an encounter has Black in the first
    /// game of each pair.
    #[must_use]
    pub fn pairing(&self, game: u64) -> Pairing {
        let encounters = self.encounters.len() as u64;
        let (round, encounter) = (game / 2 / encounters, game / 2 % encounters);
        let [first, second] = self.encounters[encounter as usize];
        // Mix the seed first, so that matches with neighboring seeds do not share games.
        let mut numbers = RandomNumbers::new(RandomNumbers::new(self.seed).next_u64() ^ game);
        let (first, second) = ((first, numbers.next_u64()), (second, numbers.next_u64()));
        let first_has = if game.is_multiple_of(2) { Color::Black } else { Color::White };
        let mut by_color = [second; 2];
        by_color[first_has.index()] = first;
        Pairing {
            game,
            round: round as usize,
            players: by_color.map(|(player, _)| player),
            seeds: by_color.map(|(_, seed)| seed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_pair_differ_only_in_colors() {
        let schedule = Schedule::of_match(7, 5);
        assert_eq!(schedule.rounds_of(7), 4);
        let games: Vec<_> = (0..7).map(|game| schedule.pairing(game)).collect();
        assert_eq!(games.iter().map(|game| game.round).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 3]);
        assert!(games.iter().all(|game| game.players == if game.game % 2 == 0 { [0, 1] } else { [1, 0] }));
    }

    #[test]
    fn round_robin_covers_every_encounter_opening_and_color() {
        assert_eq!(TournamentFormat::RoundRobin.encounters(2), [[0, 1]]);
        assert_eq!(TournamentFormat::Gauntlet.encounters(4), [[0, 1], [0, 2], [0, 3]]);
        let encounters = TournamentFormat::RoundRobin.encounters(4);
        assert_eq!(encounters.len(), 6);
        let schedule = Schedule { games: 24, seed: 1, encounters, shard: (0, 1) };
        assert_eq!((schedule.rounds_of(24), schedule.rounds_of(1), schedule.rounds_of(0)), (2, 1, 0));
        let mut met = std::collections::HashSet::new();
        for game in 0..24 {
            let Pairing { round, players, .. } = schedule.pairing(game);
            assert_eq!(round as u64, game / 12);
            assert!(met.insert((round, players)) && players[0] != players[1]);
        }
    }

    #[test]
    fn shards_have_every_game_once_and_keep_pairs_together() {
        for games in [1, 2, 7, 20] {
            for parts in 1..6 {
                let shard = |part| Schedule { shard: (part, parts), ..Schedule::of_match(games, 1) };
                let mut met = vec![0; games as usize];
                for part in 0..parts {
                    let shard = shard(part);
                    let own: Vec<_> = (0..games + 4).filter(|&game| shard.contains(game)).collect();
                    assert_eq!(own.len() as u64, shard.planned(), "{games} games, part {part} of {parts}");
                    assert!(own.iter().all(|&game| game ^ 1 >= games || own.contains(&(game ^ 1))));
                    own.iter().for_each(|&game| met[game as usize] += 1);
                }
                assert!(met.iter().all(|&count| count == 1), "{games} games in {parts} parts: {met:?}");
            }
        }
    }

    #[test]
    fn game_seeds_are_derived_and_distinct() {
        let schedule = |seed| Schedule::of_match(1000, seed);
        let seeds = |schedule: Schedule| (0..1000).flat_map(move |game| schedule.pairing(game).seeds);
        assert!(seeds(schedule(5)).eq(seeds(schedule(5))));
        let distinct: std::collections::HashSet<_> = seeds(schedule(5)).chain(seeds(schedule(6))).collect();
        assert_eq!(distinct.len(), 4000);
    }
}
