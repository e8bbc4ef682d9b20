//! [`Sector`]: all positions with so many men of each side on the board and in hand; which lead to which, and in what order they are solved.
//!
//! A move leads into the sector seen from the other side, or captures or places a man and so leads to a sector that is closer to the end.
//! Two sectors that lead to each other (or one that leads to itself) are a [`Unit`]: they are solved together.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Ruleset;
use super::classes::ClassCache;
use super::subsets::binomial;
use crate::morris::{Position, Variant};

/// The positions with these numbers of men, seen from the side to move. Its text is `5-4`, and `5-4+3-2` with men in hand: own first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sector {
    /// The men on the board of the side to move.
    pub own: u8,
    /// The men on the board of the other side.
    pub other: u8,
    /// The men in hand of the side to move.
    pub own_hand: u8,
    /// The men in hand of the other side.
    pub other_hand: u8,
}

/// A text that names no sector.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseSectorError {
    /// It is not of the form.
    #[error(
        "`{0}` is no sector: expected the men of the side to move and of the other side, as in 5-4, or 5-4+3-2 with men in hand"
    )]
    Form(String),
}

/// Why a sector has no table: no game goes on in it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnplayableSector {
    /// A side has too few men to go on.
    #[error("sector {sector} has no table: a side with {} on the board and in hand has lost, it takes 3", number_of_men(*.men))]
    TooFewMen {
        /// The sector.
        sector: Sector,
        /// The men of that side.
        men: u32,
    },
    /// A side has more men than the game gives it.
    #[error("sector {sector} has no table: a side has {men} men on the board and in hand, the game gives it {most}")]
    TooManyMen {
        /// The sector.
        sector: Sector,
        /// The men of that side.
        men: u32,
        /// The men of a side at the start.
        most: u8,
    },
    /// The board has not so many points.
    #[error("sector {sector} has no table: the board has {points} points")]
    TooFewPoints {
        /// The sector.
        sector: Sector,
        /// The points of the board.
        points: u32,
    },
}

fn number_of_men(number: u32) -> String {
    if number == 1 { "1 man".to_owned() } else { format!("{number} men") }
}

impl FromStr for Sector {
    type Err = ParseSectorError;

    fn from_str(text: &str) -> Result<Self, ParseSectorError> {
        let error = || ParseSectorError::Form(text.to_owned());
        let pair = |text: &str| -> Option<(u8, u8)> {
            let (own, other) = text.split_once('-')?;
            let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
            Some((number(own)?, number(other)?))
        };
        let (men, hands) = text.split_once('+').map_or((text, None), |(men, hands)| (men, Some(hands)));
        let (own, other) = pair(men).ok_or_else(error)?;
        let (own_hand, other_hand) = hands.map_or(Some((0, 0)), pair).ok_or_else(error)?;
        Ok(Self { own, other, own_hand, other_hand })
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.own, self.other)?;
        if self.own_hand > 0 || self.other_hand > 0 {
            write!(f, "+{}-{}", self.own_hand, self.other_hand)?;
        }
        Ok(())
    }
}

impl Sector {
    /// Returns the sector of a position.
    #[must_use]
    pub fn of<V: Variant>(position: &Position<V>) -> Self {
        Self {
            own: position.own().count_ones() as u8,
            other: position.other().count_ones() as u8,
            own_hand: position.own_hand(),
            other_hand: position.other_hand(),
        }
    }

    /// Returns the sector of a new game.
    #[must_use]
    pub fn start(rules: &Ruleset) -> Self {
        Self { own: 0, other: 0, own_hand: rules.rules.men, other_hand: rules.rules.men }
    }

    /// Returns the sector seen from the other side.
    #[must_use]
    pub fn mirror(self) -> Self {
        Self { own: self.other, other: self.own, own_hand: self.other_hand, other_hand: self.own_hand }
    }

    /// Returns the men of both sides, on the board and in hand.
    #[must_use]
    pub fn men(self) -> u32 {
        [self.own, self.other, self.own_hand, self.other_hand].map(u32::from).iter().sum()
    }

    /// Returns whether the numbers are those of positions in which the game can go on: enough men, not more than the game gives, and room for
    /// them.
    #[must_use]
    pub fn is_playable(self, rules: &Ruleset) -> bool {
        self.check(rules).is_ok()
    }

    /// Says what keeps the game from going on in a sector that is not [playable](Self::is_playable).
    ///
    /// # Errors
    /// [`UnplayableSector`].
    pub fn check(self, rules: &Ruleset) -> Result<(), UnplayableSector> {
        let (most, points) = (rules.rules.men, rules.board.len());
        for (on_board, hand) in [(self.own, self.own_hand), (self.other, self.other_hand)] {
            let men = u32::from(on_board) + u32::from(hand);
            if men < 3 {
                return Err(UnplayableSector::TooFewMen { sector: self, men });
            }
            if men > most.into() {
                return Err(UnplayableSector::TooManyMen { sector: self, men, most });
            }
        }
        if u32::from(self.own) + u32::from(self.other) > points {
            return Err(UnplayableSector::TooFewPoints { sector: self, points });
        }
        Ok(())
    }

    /// Returns whether no man is in hand and a side is down to three, so that a rule may draw the game if nothing is captured.
    pub(super) fn has_clock(self) -> bool {
        self.own_hand == 0 && self.other_hand == 0 && self.own.min(self.other) == 3
    }

    /// Returns about how many slots the sector's table has, without the classes: at least so many.
    pub(super) fn slots_by_count(self, rules: &Ruleset) -> u64 {
        let points = rules.board.len();
        let blocks = u64::from(binomial(points, self.own.into())) / rules.board.symmetries().len() as u64;
        blocks * u64::from(binomial(points - u32::from(self.own), self.other.into()))
    }

    /// Returns the slots of the sector's table: a block for each class of own sets, with one for each set of the other side.
    pub(super) fn slots(self, class_cache: &ClassCache) -> u64 {
        class_cache.classes(self.own).len() as u64 * self.block_len(class_cache) as u64
    }

    /// Returns the slots of a block.
    pub(super) fn block_len(self, class_cache: &ClassCache) -> usize {
        binomial(class_cache.board().len() - u32::from(self.own), self.other.into()) as usize
    }

    /// Returns the sector after a man is placed, if that can be: seen from the other side, as all below.
    pub(super) fn after_placing(self, rules: &Ruleset) -> Option<Self> {
        (self.own_hand > 0)
            .then(|| Self { own: self.own + 1, own_hand: self.own_hand - 1, ..self }.mirror())
            .filter(|sector| sector.is_playable(rules))
    }

    /// Returns the sector after a man is moved, if that can be.
    pub(super) fn after_moving(self, rules: &Ruleset) -> Option<Self> {
        (rules.rules.moves(self.own_hand) && self.own > 0).then(|| self.mirror())
    }

    /// Returns the sector that a capture makes of one after a move, if the game goes on.
    pub(super) fn after_capture(self, rules: &Ruleset) -> Option<Self> {
        let can_be = rules.rules.captures() && self.own > 0 && self.other >= 3;
        can_be.then(|| Self { own: self.own - 1, ..self }).filter(|sector| sector.is_playable(rules))
    }

    /// Returns the sectors that moves lead to, the mirror among them if it is one.
    fn successors(self, rules: &Ruleset) -> impl Iterator<Item = Self> + '_ {
        let quiet = [self.after_placing(rules), self.after_moving(rules)];
        quiet.into_iter().flatten().flat_map(|sector| [Some(sector), sector.after_capture(rules)]).flatten()
    }
}

/// Sectors that are solved together: one that leads to its mirror and back, with that mirror, or one alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WorkUnit {
    first: Sector,
    /// The mirror, if it is another sector and leads back.
    second: Option<Sector>,
}

impl fmt::Display for WorkUnit {
    /// Writes the sectors: `5-4 and 4-5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.second.map_or(Ok(()), |second| write!(f, " and {second}"))
    }
}

impl WorkUnit {
    /// Returns the unit of a sector.
    #[must_use]
    pub fn of(sector: Sector, rules: &Ruleset) -> Self {
        let mirror = sector.mirror();
        let cyclic = sector.after_moving(rules).is_some() && mirror.after_moving(rules).is_some();
        if cyclic && mirror != sector {
            Self { first: sector.max(mirror), second: Some(sector.min(mirror)) }
        } else {
            Self { first: sector, second: None }
        }
    }

    /// Returns its sectors.
    pub fn sectors(self) -> impl Iterator<Item = Sector> + Clone {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// Returns the sectors that must be solved before, each once.
    #[must_use]
    pub fn dependencies(self, rules: &Ruleset) -> Vec<Sector> {
        let mut lower = Vec::new();
        for successor in self.sectors().flat_map(|sector| sector.successors(rules)) {
            if !self.sectors().any(|own| own == successor) && !lower.contains(&successor) {
                lower.push(successor);
            }
        }
        lower
    }
}

/// Returns the units that hold these sectors and all that they lead to, each after those it leads to.
#[must_use]
pub fn plan(sectors: &[Sector], rules: &Ruleset) -> Vec<WorkUnit> {
    let (mut units, mut seen) = (Vec::new(), HashSet::new());
    for &sector in sectors {
        visit(WorkUnit::of(sector, rules), rules, &mut seen, &mut units);
    }
    units
}

fn visit(unit: WorkUnit, rules: &Ruleset, seen: &mut HashSet<WorkUnit>, units: &mut Vec<WorkUnit>) {
    if seen.insert(unit) {
        for sector in unit.dependencies(rules) {
            visit(WorkUnit::of(sector, rules), rules, seen, units);
        }
        units.push(unit);
    }
}

/// Returns all sectors without men in hand that have at most so many men of both sides together.
#[must_use]
pub fn with_men_up_to(men: u32, rules: &Ruleset) -> Vec<Sector> {
    let most = rules.rules.men;
    let all = (3..=most).flat_map(|own| (3..=most).map(move |other| (own, other)));
    let sectors = all.map(|(own, other)| Sector { own, other, own_hand: 0, other_hand: 0 });
    let mut sectors: Vec<_> = sectors.filter(|s| s.men() <= men && s.is_playable(rules)).collect();
    sectors.sort_by_key(|sector| (sector.men(), *sector));
    sectors
}

/// Returns sectors that lead to all others of a game: that of the start, and all without men in hand.
#[must_use]
pub fn whole_game(rules: &Ruleset) -> Vec<Sector> {
    let mut sectors = with_men_up_to(u32::MAX, rules);
    sectors.push(Sector::start(rules));
    sectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::{Morabaraba, NineMensMorris, Rules, SixMensMorris, ThreeMensMorris};

    #[test]
    fn sector_names_round_trip() {
        for text in ["3-3", "12-9", "5-4+3-2", "0-0+9-9"] {
            assert_eq!(text.parse::<Sector>().unwrap().to_string(), text);
        }
        for text in ["", "3", "3-", "3-3+", "3-3+1", "-3-3", "3--3", "+3-3", "3-3-3", "300-3"] {
            assert!(text.parse::<Sector>().is_err(), "{text}");
        }
    }

    #[test]
    fn reports_why_a_sector_is_unplayable() {
        let told = |text: &str, rules: &Ruleset| text.parse::<Sector>().unwrap().check(rules).unwrap_err().to_string();
        let (nine, six) = (Ruleset::of::<NineMensMorris>().unwrap(), Ruleset::of::<SixMensMorris>().unwrap());
        assert!(told("2-3", &nine).contains("2 men on the board"));
        assert!(told("3-1", &nine).contains("1 man on the board"));
        assert!(told("5-8+0-2", &nine).contains("10 men on the board and in hand, the game gives it 9"));
        let crowded = Ruleset { rules: Rules { men: 15, ..nine.rules }, ..six };
        assert!(told("9-8", &crowded).contains("16 points"));
        assert_eq!("2-3+1-0".parse::<Sector>().unwrap().check(&nine), Ok(()));
    }

    #[test]
    fn sector_sizes_match_burnsides_lemma() {
        // The sizes are those of the design notes, where the classes are counted by Burnside's lemma.
        for (rules, slots) in
            [(Ruleset::of::<NineMensMorris>(), 9_193_626_407), (Ruleset::of::<Morabaraba>(), 17_048_389_791)]
        {
            let rules = rules.unwrap();
            let class_cache = ClassCache::new(rules.board);
            let sectors = with_men_up_to(24, &rules);
            assert_eq!(sectors.iter().map(|sector| sector.slots(&class_cache)).sum::<u64>(), slots);
        }
    }

    #[test]
    fn the_plan_orders_units_after_their_successors() {
        for rules in [Ruleset::of::<NineMensMorris>(), Ruleset::of::<Morabaraba>(), Ruleset::of::<ThreeMensMorris>()] {
            let rules = rules.unwrap();
            let mut done = HashSet::new();
            for unit in plan(&[Sector::start(&rules)], &rules) {
                assert!(unit.dependencies(&rules).iter().all(|sector| done.contains(sector)), "{unit:?}");
                done.extend(unit.sectors());
            }
            assert!(done.contains(&Sector::start(&rules)));
        }
    }
}
