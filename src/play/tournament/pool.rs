//! [`Pool`]: players rated by games from any number of matches.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use morello_core::fnv::Fnv1a;
use morello_core::game::{Color, Wdl};
use serde::Serialize;

use super::elo::Estimate;
use super::standings::{self, EncounterSummary, Rank, SprtSummary, Standing};
use super::tally::Encounter;
use super::{Sprt, ratings};

/// The place of a game in a match log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LoggedGame<'a> {
    /// The name of the log. Both games of a pair must be in the same log.
    pub log: &'a str,
    /// The identity of the match.
    pub id: &'a str,
    /// The number of the game in the match, from 0.
    pub number: u64,
    /// The moves, in any form that identifies them.
    pub moves: &'a str,
}

/// The games of any number of players. They may come from several matches, from archives, or both.
///
/// ```
/// use morello::game::Color;
/// use morello::tournament::Pool;
///
/// let mut pool = Pool::default();
/// for winner in [Some(Color::Black), Some(Color::White), None, Some(Color::Black)] {
///     pool.add(["Anna", "Tom"], winner, None, None);
/// }
/// let summary = pool.summary(None, &[("Tom", 1500.0)]).expect("Tom plays");
/// assert_eq!((summary.games, summary.first_move.wins, summary.players[1].rating), (4, 2, Some(1500.0)));
/// assert!(summary.players[0].rating > Some(1500.0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pool {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    encounters: BTreeMap<[usize; 2], Encounter>,
    /// Digests of the logged games.
    logged: HashSet<u64>,
    /// The number of logged games that were added again and not counted.
    repeated: u64,
}

/// The ratings and results of a pool.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PoolSummary {
    /// The number of games.
    pub games: u64,
    /// The results of Black, who moves first.
    pub first_move: Wdl,
    /// Black's advantage in Elo.
    pub advantage: Option<f64>,
    /// Half the width of its 95 % confidence interval.
    pub advantage_error: Option<f64>,
    /// The result of the first player against the second; only with two players.
    #[serde(flatten)]
    pub standing: Option<Standing>,
    /// The SPRT; null without one.
    pub sprt: Option<SprtSummary>,
    /// The number of players, including players omitted below.
    pub player_count: usize,
    /// The number of groups of players. No games connect different groups, so their ratings cannot
    /// be compared.
    pub group_count: usize,
    /// The players in the order of their first games; the first player of a match comes first.
    pub players: Vec<PoolPlayer>,
    /// The results of every two players against each other.
    pub encounters: Vec<EncounterSummary>,
}

/// A player of a pool.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PoolPlayer {
    /// The name.
    pub name: String,
    /// The rating in Elo. The mean of all players is 0, unless anchors are given.
    pub rating: Option<f64>,
    /// Half the width of its 95 % confidence interval; null for an anchor.
    pub rating_error: Option<f64>,
    /// The number of games.
    pub games: u64,
    /// The mean score per game, from 0 to 1: 1 for a win, 1/2 for a draw.
    pub score: Option<f64>,
    /// The results as Black.
    pub black: Wdl,
    /// The results as White.
    pub white: Wdl,
}

impl Pool {
    /// Adds a game between two players, in color order, with its winner and, if known, its final
    /// score in points for Black. The games of a log form pairs. A game of a match counts once,
    /// even if it occurs in several logs. A game of a player against itself does not count.
    pub fn add(
        &mut self,
        players: [&str; 2],
        winner: Option<Color>,
        points: Option<i32>,
        logged: Option<LoggedGame<'_>>,
    ) {
        if players[0] == players[1] {
            return;
        }
        if let Some(LoggedGame { id, number, moves, .. }) = logged {
            let parts = [players[0], players[1], id, moves];
            let digest = parts.iter().fold(Fnv1a::new(), |digest, part| digest.add_bytes(part.as_bytes()).add([0]));
            if !self.logged.insert(digest.add([number]).finish()) {
                self.repeated += 1;
                return;
            }
        }
        // In every other game of a match, the first player is White.
        let is_swapped = logged.is_some_and(|game| game.number % 2 == 1);
        let order = if is_swapped { [1, 0] } else { [0, 1] };
        let mut numbers = [0; 2];
        for side in order {
            numbers[side] = self.number(players[side]);
        }
        let mut encounter = numbers;
        encounter.sort_unstable();
        let color = if encounter == numbers { Color::Black } else { Color::White };
        let half_points = winner.map_or(1, |winner| 2 * usize::from(winner == color));
        let points = points.map(|points| if color == Color::Black { points } else { points.saturating_neg() });
        let pair = logged.map(|LoggedGame { log, id, number, .. }| {
            Fnv1a::new().add_bytes(log.as_bytes()).add_bytes(id.as_bytes()).add([number / 2]).finish()
        });
        self.encounters.entry(encounter).or_default().add(half_points, color, points, pair);
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    /// Returns the names of the players, in the order of their first games.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns how many logged games were added more than once. They are counted once.
    #[must_use]
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Rates the players. `anchors` are players with fixed ratings. With two players, the SPRT
    /// tests the first one.
    ///
    /// # Errors
    /// The name of an anchor that does not play.
    pub fn summary(&self, sprt: Option<&Sprt>, anchors: &[(&str, f64)]) -> Result<PoolSummary, String> {
        let number = |&(name, rating): &(&str, f64)| {
            self.numbers.get(name).map(|&number| (number, rating)).ok_or_else(|| name.to_owned())
        };
        let anchors = anchors.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        let results: Vec<_> = self.encounters.iter().map(|(&players, encounter)| encounter.result(players)).collect();
        let ratings = ratings::fit(self.names.len(), &results, &anchors);
        let mut by_color = vec![[Wdl::default(); 2]; self.names.len()];
        for (&[first, second], encounter) in &self.encounters {
            for color in 0..2 {
                let games = encounter.by_color[color];
                by_color[first][color].merge(games);
                by_color[second][1 - color].merge(games.reversed());
            }
        }
        let mut first_move = Wdl::default();
        by_color.iter().for_each(|[black, _]| first_move.merge(*black));
        let player = |(number, &[black, white]): (usize, &[Wdl; 2])| {
            let mut results = black;
            results.merge(white);
            PoolPlayer {
                name: self.names[number].clone(),
                rating: ratings.players[number].value,
                rating_error: ratings.players[number].error,
                games: results.total(),
                score: results.score(),
                black,
                white,
            }
        };
        let encounter = |(players, encounter): (&[usize; 2], &Encounter)| EncounterSummary {
            first: self.names[players[0]].clone(),
            second: self.names[players[1]].clone(),
            games: encounter.results().total(),
            standing: Standing::new(encounter, None),
        };
        let of_two = self.encounters.values().next().filter(|_| self.names.len() == 2);
        Ok(PoolSummary {
            games: first_move.total(),
            first_move,
            advantage: ratings.advantage.value,
            advantage_error: ratings.advantage.error,
            standing: of_two.map(|encounter| Standing::new(encounter, sprt)),
            sprt: sprt.zip(of_two).map(|(&test, encounter)| SprtSummary::new(test, &encounter.sample())),
            player_count: self.names.len(),
            group_count: (0..self.names.len()).filter(|&player| ratings.groups[player] == player).count(),
            players: by_color.iter().enumerate().map(player).collect(),
            encounters: self.encounters.iter().map(encounter).collect(),
        })
    }
}

impl PoolSummary {
    /// Omits players with fewer games from the summary. Their games still count for the other
    /// players' ratings.
    #[must_use]
    pub fn with_min_games(mut self, games: u64) -> Self {
        self.players.retain(|player| player.games >= games);
        let names: HashSet<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
        self.encounters.retain(|encounter| {
            [&encounter.first, &encounter.second].iter().all(|&name| names.contains(name.as_str()))
        });
        self
    }
}

/// The maximum number of encounters shown in the text.
const MAX_SHOWN_ENCOUNTERS: usize = 100;

impl fmt::Display for PoolSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wdl { wins, draws, losses } = self.first_move;
        if self.games == 0 {
            return writeln!(f, "games      none between two players with a result");
        }
        write!(f, "games      {} of {} players", self.games, self.player_count)?;
        match self.players.len() {
            shown if shown < self.player_count => writeln!(f, ", {shown} of them below")?,
            _ => writeln!(f)?,
        }
        write!(f, "Black      won {wins}, drew {draws}, lost {losses}")?;
        if let (Some(score), Some(advantage)) = (self.first_move.score(), self.advantage) {
            // Avoid a negative zero.
            let advantage = (advantage * 10.0).round() / 10.0 + 0.0;
            write!(f, ": {:.1} %, an advantage of {advantage:+.1}", 100.0 * score)?;
            match self.advantage_error {
                Some(error) => write!(f, " ± {error:.1} (95 %) Elo")?,
                None => write!(f, " Elo")?,
            }
        }
        writeln!(f)?;
        if let Some(standing) = &self.standing {
            standing.write(f, self.players.first().map(|player| player.name.as_str()))?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(f, "{sprt}")?;
        }
        let rank = |player: &PoolPlayer| Rank {
            name: player.name.clone(),
            rating: Estimate { value: player.rating, error: player.rating_error },
            games: player.games,
            score: player.score,
            by_color: Some([player.black, player.white]),
        };
        standings::write_ranks(f, "player", self.players.iter().map(rank).collect())?;
        match self.encounters.len() {
            _ if self.standing.is_some() => Ok(()),
            0..=MAX_SHOWN_ENCOUNTERS => standings::write_encounters(f, &self.encounters),
            pairs => writeln!(f, "\n{pairs} pairs of players: --format jsonl lists their results"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::elo::{Pentanomial, Sample};

    fn logged<'a>(log: &'a str, id: &'a str, number: u64) -> LoggedGame<'a> {
        LoggedGame { log, id, number, moves: "" }
    }

    #[test]
    fn logged_games_are_pairs_and_count_once() {
        let mut pool = Pool::default();
        // The games of a match in any order. In odd games the first player is White.
        let games = [(3, ["b", "a"], Some(Color::White)), (0, ["a", "b"], None), (2, ["a", "b"], Some(Color::Black))];
        for _ in 0..2 {
            for (number, players, winner) in games {
                pool.add(players, winner, Some(0), Some(logged("log", "match", number)));
            }
        }
        pool.add(["b", "a"], Some(Color::Black), None, Some(logged("log", "match", 1)));
        pool.add(["a", "b"], None, None, Some(logged("log", "another", 1)));
        pool.add(["a", "a"], None, None, None);
        assert_eq!((pool.names(), pool.repeated()), (["a".to_owned(), "b".to_owned()].as_slice(), 3));
        let summary = pool.summary(None, &[]).unwrap();
        let standing = summary.standing.as_ref().unwrap();
        assert_eq!((standing.wins, standing.draws, standing.losses, summary.games), (2, 2, 1, 5));
        assert_eq!(standing.pentanomial, Pentanomial { ww: 1, ld: 1, ..Pentanomial::default() });
        assert_eq!(summary.first_move, Wdl { wins: 2, draws: 2, losses: 1 });
        assert_eq!(summary.players[0].black, Wdl { wins: 1, draws: 2, losses: 0 });
        assert_eq!(summary.players[1].black, Wdl { wins: 1, draws: 0, losses: 1 });
        assert_eq!(pool.summary(None, &[("c", 0.0)]), Err("c".to_owned()));
    }

    #[test]
    fn another_run_of_a_match_is_other_games() {
        let mut pool = Pool::default();
        for (log, moves) in [("first", "f5"), ("second", "c4"), ("copy", "c4")] {
            for number in 0..2 {
                let players = if number == 0 { ["a", "b"] } else { ["b", "a"] };
                let game = LoggedGame { moves, ..logged(log, "match", number) };
                pool.add(players, Some(Color::Black), None, Some(game));
            }
        }
        let standing = pool.summary(None, &[]).unwrap().standing.unwrap();
        assert_eq!((standing.pentanomial.wl, standing.wins, pool.repeated()), (2, 2, 2));
    }

    #[test]
    fn halves_of_pairs_are_games() {
        let mut pool = Pool::default();
        for number in 0..20 {
            pool.add(["a", "b"], Some(Color::Black), None, Some(logged("log", "match", 2 * number)));
        }
        pool.add(["a", "b"], Some(Color::White), None, Some(logged("log", "match", 40)));
        let standing = pool.summary(None, &[]).unwrap().standing.unwrap();
        assert_eq!((standing.wins, standing.pentanomial.pairs(), standing.elo.is_some()), (20, 0, true));
    }

    #[test]
    fn games_without_a_match_are_independent() {
        let mut pool = Pool::default();
        for winner in [Some(Color::Black), Some(Color::Black), Some(Color::White), None] {
            pool.add(["a", "b"], winner, None, None);
        }
        let summary = pool.summary(Some(&"elo0=0,elo1=10".parse().unwrap()), &[]).unwrap();
        let games = Wdl { wins: 2, draws: 1, losses: 1 };
        let standing = summary.standing.unwrap();
        assert_eq!(
            (standing.elo, standing.elo_error),
            (Sample::of_games(games).elo().value, Sample::of_games(games).elo().error)
        );
        assert_eq!(standing.pentanomial.pairs(), 0);
        assert!(summary.sprt.is_some_and(|sprt| sprt.llr > 0.0));
        assert_eq!(Pool::default().summary(None, &[]).unwrap().games, 0);
    }
}
