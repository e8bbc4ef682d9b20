//! What columns beside a game tell of it, as the tables that this program writes of games have them.

use crate::game::{Annotated, Playable, Scoring, Theoretical, Verdict};

/// The columns that tell of a game as a whole.
pub const TAG_COLUMNS: [&str; 9] = [
    "black",
    "white",
    "tournament",
    "date",
    "year",
    "result",
    "black_discs",
    "theoretical_black_discs",
    "theoretical_empties",
];

/// Adds to a game what its columns tell and its text does not; `column` returns what stands in one, as text.
pub(super) fn add<P: Playable>(game: &mut Annotated<P>, column: impl Fn(&str) -> Option<String>) {
    let told = |name: &str| column(name).filter(|text| !text.trim().is_empty());
    let tags = &mut game.tags;
    for (name, of) in tags.names.iter_mut().zip(["black", "white"]) {
        *name = name.take().or_else(|| told(of));
    }
    tags.tournament = tags.tournament.take().or_else(|| told("tournament"));
    tags.date = tags.date.take().or_else(|| told("date")).or_else(|| told("year"));
    let points = |name: &str| -> Option<f64> {
        let discs: f64 = told(name)?.trim().parse().ok()?;
        let squares = P::layout().points.len() as f64;
        (0.0..=squares).contains(&discs).then_some(2.0 * discs - squares)
    };
    let result = || match P::SCORING {
        Scoring::Margin => points("black_discs"),
        Scoring::Distance => match told("result")?.to_ascii_lowercase().as_str() {
            "black" => Some(1.0),
            "white" => Some(-1.0),
            "draw" => Some(0.0),
            _ => None,
        },
    };
    tags.result = tags.result.or_else(|| result().map(|points| Verdict { points, ending: None }));
    let theoretical = || {
        let empties = told("theoretical_empties")?.trim().parse().ok()?;
        Some(Theoretical { empties, points: points("theoretical_black_discs")? as i32 })
    };
    if P::SCORING == Scoring::Margin {
        tags.theoretical = tags.theoretical.or_else(theoretical);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::morris::{self, NineMensMorris};
    use crate::othello;

    fn with<P: Playable>(columns: &[(&str, &str)]) -> Annotated<P> {
        let mut game = Annotated::from(Game::new(P::default()));
        add(&mut game, |name| columns.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned()));
        game
    }

    #[test]
    fn columns_tell_of_a_game() {
        let columns = [
            ("black", "one"),
            ("white", " "),
            ("year", "1977"),
            ("black_discs", "34"),
            ("theoretical_black_discs", "41"),
            ("theoretical_empties", "24"),
        ];
        let tags = with::<othello::Position>(&columns).tags;
        assert_eq!((tags.names, tags.date.as_deref()), ([Some("one".to_owned()), None], Some("1977")));
        assert_eq!(tags.result.map(|result| result.points), Some(4.0));
        assert_eq!(tags.theoretical, Some(Theoretical { empties: 24, points: 18 }));
        assert_eq!(with::<othello::Position<4>>(&[("black_discs", "17")]).tags.result, None);
        let mills = with::<morris::Position<NineMensMorris>>(&[("result", "White"), ("black_discs", "3")]).tags;
        assert_eq!((mills.result.map(|result| result.points), mills.theoretical), (Some(-1.0), None));
    }

    #[test]
    fn what_the_text_tells_stands() {
        let mut game = Annotated::between(Game::new(<othello::Position>::default()), ["a", "b"]);
        add(&mut game, |_| Some("c".to_owned()));
        assert_eq!(game.tags.names, ["a", "b"].map(|name| Some(name.to_owned())));
        assert_eq!(game.tags.tournament.as_deref(), Some("c"));
    }
}
