//! [`OpeningNames`]: the names of a game's openings.

use std::collections::HashMap;

use crate::game::{AnyGame, AnyMove, AnyPosition, Game, Position as _};

/// A named opening.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedOpening {
    /// The most common name.
    pub name: &'static str,
    /// Other names, separated by semicolons; empty if there are none.
    pub other_names: &'static str,
    /// Where the name comes from. The sources are described in `src/core/data/openings/README.md`.
    pub source: &'static str,
    /// One of the move orders that lead to the position, from the start of the game.
    pub moves: Vec<AnyMove>,
}

impl NamedOpening {
    /// Returns the moves as a game that begins at the start of `game`.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let tiger = othello.opening_names().and_then(|names| names.named("Tiger")).expect("it is known");
    /// assert_eq!(tiger.game(othello).moves().len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the opening belongs to another game.
    #[must_use]
    pub fn game(&self, game: &'static dyn AnyGame) -> Game {
        let mut line = Game::new(game.start());
        self.moves.iter().try_for_each(|&m| line.play(m)).expect("the moves of an opening are legal");
        line
    }
}

/// The named openings of a game, looked up by final position up to symmetry. Transpositions
/// therefore have the same name.
///
/// ```
/// use morello::{game::Game, games, othello::Position};
///
/// let names = games::get("othello")?.opening_names().expect("Othello has named openings");
/// let game = "c4e3f6e6f5c5c3".parse::<Game<Position>>()?.any();
/// let of_plies: Vec<_> = (0..=7).map(|ply| names.at_ply(&game, ply).map(|opening| opening.name)).collect();
/// assert_eq!(of_plies[1], None);
/// assert_eq!(of_plies[2..5], [Some("Perpendicular"); 3]);
/// assert_eq!(of_plies[5..], [Some("Tiger"), Some("Tiger"), Some("Stephenson")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpeningNames {
    openings: Vec<NamedOpening>,
    /// The indices of the openings, by canonical position.
    by_position: HashMap<AnyPosition, usize>,
    /// The number of plies of the longest opening.
    max_plies: usize,
}

crate::debug_fields!(OpeningNames { openings.len() });

impl OpeningNames {
    /// Reads a table in the format of `src/core/data/openings`: CSV without quotes and with a header line.
    ///
    /// # Panics
    /// If the table is invalid. Tables are built-in, and a test reads each of them.
    pub(crate) fn read(game: &'static dyn AnyGame, table: &'static str) -> Self {
        let mut names = Self { openings: Vec::new(), by_position: HashMap::new(), max_plies: 0 };
        for line in table.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            let &[text, name, other_names, source] = fields.as_slice() else { panic!("expected four fields: {line}") };
            let (mut position, mut moves, mut rest) = (game.start(), Vec::new(), text);
            while !rest.is_empty() {
                let (word, tail) = rest.split_at(2);
                let m = position.parse_move(word).unwrap_or_else(|error| panic!("{line}: {error}"));
                (position, rest) = (position.after(m), tail);
                moves.push(m);
            }
            names.max_plies = names.max_plies.max(moves.len());
            let known = names.by_position.insert(position.canonical(), names.openings.len());
            assert!(known.is_none(), "the position of another opening: {line}");
            names.openings.push(NamedOpening { name, other_names, source, moves });
        }
        names
    }

    /// Returns all openings, sorted by their moves.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let names = games::get("othello")?.opening_names().expect("Othello has named openings");
    /// let first = &names.all()[0];
    /// assert!(names.all().len() >= 100 && first.moves.len() == 2);
    /// assert_eq!(first.name, "Perpendicular");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn all(&self) -> &[NamedOpening] {
        &self.openings
    }

    /// Returns the opening with this name or other name, ignoring case, spaces and hyphens.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let names = games::get("othello")?.opening_names().expect("Othello has named openings");
    /// let tiger = names.named("tiger").expect("the Tiger is an opening");
    /// let moves: Vec<_> = tiger.moves.iter().map(ToString::to_string).collect();
    /// assert_eq!(moves.join(" "), "f5 d6 c3 d3 c4");
    /// assert!(names.named("Sicilian").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&NamedOpening> {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let name: String = letters(name);
        let is_name = |known: &str| !name.is_empty() && letters(known) == name;
        let by_name = self.openings.iter().find(|opening| is_name(opening.name));
        by_name.or_else(|| self.openings.iter().find(|opening| opening.other_names.split(';').any(is_name)))
    }

    /// Returns the opening that ends in this position, up to symmetry.
    ///
    /// ```
    /// use morello::game::Position as _;
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let names = othello.opening_names().expect("Othello has named openings");
    /// let start = othello.start();
    /// let after_c4 = start.after(start.parse_move("c4")?);
    /// let perpendicular = after_c4.after(after_c4.parse_move("e3")?);
    /// assert_eq!(names.get(&perpendicular).map(|opening| opening.name), Some("Perpendicular"));
    /// assert_eq!(names.get(&start), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, position: &AnyPosition) -> Option<&NamedOpening> {
        self.by_position.get(&position.canonical()).map(|&index| &self.openings[index])
    }

    /// Returns the last named opening that a game reaches within its first `plies` plies.
    #[must_use]
    pub fn at_ply(&self, game: &Game, plies: usize) -> Option<&NamedOpening> {
        let plies = plies.min(self.max_plies).min(game.moves().len());
        game.positions()[..=plies].iter().rev().find_map(|position| self.get(position))
    }

    /// Returns, for each ply of a game starting at 0, the last named opening reached so far.
    ///
    /// ```
    /// use morello::games;
    ///
    /// let othello = games::get("othello")?;
    /// let names = othello.opening_names().expect("Othello has named openings");
    /// let game = othello.random_game(5, 4);
    /// let of_plies = names.of_game(&game);
    /// let of_plies: Vec<_> = of_plies.iter().map(|opening| opening.map(|it| it.name)).collect();
    /// assert_eq!(of_plies, [None, None, Some("Parallel"), Some("Cart"), Some("Cart")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_game(&self, game: &Game) -> Vec<Option<&NamedOpening>> {
        let mut last = None;
        let opening = |(ply, position): (usize, &AnyPosition)| {
            let named = if ply <= self.max_plies { self.get(position) } else { None };
            last = named.or(last);
            last
        };
        game.positions().iter().enumerate().map(opening).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::any_game;
    use crate::morris::{self, NineMensMorris};
    use crate::othello;

    fn names() -> &'static OpeningNames {
        any_game::<othello::Position>().opening_names().unwrap()
    }

    /// Plays squares given without separators, mapped by the `k`-th symmetry.
    fn game(moves: &str, k: usize) -> Game {
        let othello = any_game::<othello::Position>();
        let (mut game, mut plain) = (Game::new(othello.start().transform(k)), Game::new(othello.start()));
        for word in moves.as_bytes().chunks(2) {
            let m = plain.position().parse_move(str::from_utf8(word).unwrap()).unwrap();
            plain.play(m).unwrap();
            game.play(m.transform(k)).unwrap();
        }
        game
    }

    #[test]
    fn all_openings_are_legal_and_unique_up_to_symmetry() {
        let all = names().all();
        assert!(all.len() >= 100, "{}", all.len());
        let names: HashSet<_> = all.iter().map(|opening| opening.name).collect();
        assert_eq!(names.len(), all.len(), "names are unique, too");
        for NamedOpening { name, source, moves, .. } in all {
            assert!(!name.is_empty() && ["Gatliff", "NBoard", "Japan"].contains(source) && moves.len() >= 2, "{name}");
        }
    }

    #[test]
    fn every_symmetry_and_transposition_has_the_same_name() {
        for k in 0..8 {
            let name = |moves: &str| names().at_ply(&game(moves, k), 60).map(|opening| opening.name);
            assert_eq!(name("f5"), None);
            assert_eq!(name("f5d6c3d3c4"), Some("Tiger"));
            // The name of the opening remains after moves without a name.
            assert_eq!(name("f5d6c3d3c4f4c5b3c2e6c6b4"), name("f5d6c3d3c4f4c5b3c2e6c6"));
            // Two move orders.
            assert_eq!(name("f5d6c3d3c4b5"), Some("Berg Tiger"));
            assert_eq!(name("f5d6c4d3c3b5"), Some("Berg Tiger"));
        }
    }

    #[test]
    fn the_names_of_all_plies_agree_with_those_of_one() {
        for opening in names().all() {
            let mut game = Game::new(any_game::<othello::Position>().start());
            opening.moves.iter().for_each(|&m| game.play(m).unwrap());
            while game.moves().len() < 30
                && let Some(m) = game.position().legal_moves().next()
            {
                game.play(m).unwrap();
            }
            let all = names().of_game(&game);
            assert_eq!(all.len(), game.positions().len());
            for (ply, &found) in all.iter().enumerate() {
                assert_eq!(names().at_ply(&game, ply), found);
            }
            assert_eq!(all[opening.moves.len()], Some(opening));
        }
    }

    #[test]
    fn set_up_positions_have_names_too() {
        let tiger = game("f5d6c3d3c4", 0);
        let mut set_up = Game::new(*tiger.position());
        assert_eq!(names().at_ply(&set_up, 0).unwrap().name, "Tiger");
        set_up.play(set_up.position().parse_move("f4").unwrap()).unwrap();
        set_up.play(set_up.position().parse_move("f6").unwrap()).unwrap();
        assert_eq!(names().at_ply(&set_up, 2).unwrap().name, "Stephenson");
    }

    #[test]
    fn finds_openings_by_name() {
        let name = |text: &str| names().named(text).map(|opening| opening.name);
        assert_eq!(name(" tiger"), Some("Tiger"));
        assert_eq!(name("TANAKA"), Some("Aubrey"));
        assert_eq!(name("f5d6"), None);
        assert_eq!(name(""), None);
    }

    #[test]
    fn games_without_names_have_no_table() {
        assert!(any_game::<othello::SizedPosition<6>>().opening_names().is_none());
        assert!(any_game::<morris::Position<NineMensMorris>>().opening_names().is_none());
    }
}
