//! [`Difficulty`]: how hard it is to find the best move of an exercise.

use serde::{Deserialize, Serialize};

/// How hard it is to find the best move of an exercise.
///
/// | difficulty | endgame | puzzle of a mill game: the chance that a player misses the move |
/// | --- | --- | --- |
/// | easy | a search of depth 1 finds the move, which leads by 8 discs or more | below 0.5 |
/// | medium | a search of depth 4 finds the move, or one of depth 1 finds it with a smaller lead | below 0.9 |
/// | hard | the others | from 0.9 |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// The move is obvious.
    Easy,
    /// The move needs some thought.
    Medium,
    /// The move looks wrong at first.
    Hard,
}

impl Difficulty {
    /// All difficulties, from the lowest.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// In an easy endgame, the best move is better than the others by at least this many discs.
    pub(super) const EASY_LEAD: f64 = 8.0;
    /// The depths of the searches that find the move of easy and medium endgames.
    const DEPTHS: [u32; 2] = [1, 4];

    /// Rates an endgame by the lead of its best move, in discs; `finds` returns whether a search of
    /// the given depth finds the move.
    pub(super) fn of_endgame<E>(lead: f64, mut finds: impl FnMut(u32) -> Result<bool, E>) -> Result<Self, E> {
        let [easy, medium] = Self::DEPTHS;
        Ok(match finds(easy)? {
            true if lead >= Self::EASY_LEAD => Self::Easy,
            true => Self::Medium,
            false if finds(medium)? => Self::Medium,
            false => Self::Hard,
        })
    }

    /// Rates a puzzle by the chance, from 0 to 1, that a player without the endgame database misses
    /// the solution.
    ///
    /// ```
    /// use morello::analysis::Difficulty;
    ///
    /// let names = [0.0, 0.49, 0.5, 0.89, 0.9, 1.0].map(|chance| Difficulty::of_chance(chance).name());
    /// assert_eq!(names, ["easy", "easy", "medium", "medium", "hard", "hard"]);
    /// ```
    #[must_use]
    pub fn of_chance(chance: f32) -> Self {
        match chance {
            ..0.5 => Self::Easy,
            ..0.9 => Self::Medium,
            _ => Self::Hard,
        }
    }

    /// Returns the name: `easy`, `medium` or `hard`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endgame_is_as_hard_as_the_search_that_finds_its_move_is_deep() {
        for (lead, depth, difficulty) in [
            (8.0, 1, Difficulty::Easy),
            (6.0, 1, Difficulty::Medium),
            (20.0, 3, Difficulty::Medium),
            (2.0, 4, Difficulty::Medium),
            (20.0, 5, Difficulty::Hard),
        ] {
            let found = Difficulty::of_endgame(lead, |searched| Ok::<_, ()>(searched >= depth));
            assert_eq!(found, Ok(difficulty), "{lead} {depth}");
        }
    }
}
