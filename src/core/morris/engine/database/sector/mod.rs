//! [`Sector`]: all positions with given numbers of men of each side on the board and in hand, and
//! the dependencies between sectors.
//!
//! A move leads either to the mirror of the sector, with the sides exchanged, or it captures or
//! places a man, which leads to a sector closer to the end. Two sectors that lead to each other (or
//! one that leads to itself) form a [`WorkUnit`] and are solved together.

pub(super) mod bits;
pub(super) mod classes;
pub(super) mod index;
pub(super) mod ruleset;
pub(super) mod starts;
pub(super) mod subsets;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Metric, Ruleset};
use crate::fnv::Fnv1a;
use crate::morris::{BlockedRule, MillRule, Position, Rules, Variant};
use classes::ClassCache;
use subsets::binomial;

/// The positions with these numbers of men. Its text is `5-4`, or `5-4+3-2` with men in hand; the
/// side to move comes first.
///
/// ```
/// use morello::morris::engine::database::Sector;
/// use morello::morris::{NineMensMorris, Position};
///
/// // Black is to move and has two men on the board and two in hand.
/// let position = "1,2 a7,d7,g4 a1,b2 B".parse::<Position<NineMensMorris>>()?;
/// let sector = Sector::of(&position);
/// assert_eq!((sector.to_string().as_str(), sector.men()), ("2-3+2-1", 8));
/// assert_eq!("3-2+1-2".parse(), Ok(sector.mirror()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sector {
    /// The number of men of the side to move on the board.
    pub own: u8,
    /// The number of men of the opponent on the board.
    pub other: u8,
    /// The number of men of the side to move in hand.
    pub own_hand: u8,
    /// The number of men of the opponent in hand.
    pub other_hand: u8,
}

/// The text is not a sector.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseSectorError {
    /// The text does not have the form of a sector.
    #[error(
        "not a sector: `{0}` (expected the men of the side to move and of the opponent, such as 5-4, or 5-4+3-2 \
            with men in hand)"
    )]
    Form(String),
}

/// Why a sector has no table: it has no positions in which the game is not over.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnplayableSector {
    /// A side has fewer than three men.
    #[error("sector {sector} has no table: a side with {} on the board and in hand has lost", number_of_men(*.men))]
    TooFewMen {
        /// The sector.
        sector: Sector,
        /// The number of men of that side.
        men: u32,
    },
    /// A side has more men than the game allows.
    #[error("sector {sector} has no table: a side has {men} men on the board and in hand; the game allows {max_men}")]
    TooManyMen {
        /// The sector.
        sector: Sector,
        /// The number of men of that side.
        men: u32,
        /// The number of men per side at the start.
        max_men: u8,
    },
    /// The board has too few points for the men.
    #[error("sector {sector} has no table: the board has only {points} points")]
    TooFewPoints {
        /// The sector.
        sector: Sector,
        /// The number of points of the board.
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

    /// Returns the sector of the start position.
    #[must_use]
    pub fn start(rules: &Ruleset) -> Self {
        Self { own: 0, other: 0, own_hand: rules.rules.men, other_hand: rules.rules.men }
    }

    /// Returns the sector with the sides exchanged.
    #[must_use]
    pub fn mirror(self) -> Self {
        Self { own: self.other, other: self.own, own_hand: self.other_hand, other_hand: self.own_hand }
    }

    /// Returns the number of men of both sides, on the board and in hand.
    #[must_use]
    pub fn men(self) -> u32 {
        [self.own, self.other, self.own_hand, self.other_hand].map(u32::from).iter().sum()
    }

    /// Returns whether the sector has positions in which the game is not over. This requires enough
    /// men, not more men than the game allows, and enough points.
    #[must_use]
    pub fn is_playable(self, rules: &Ruleset) -> bool {
        self.check(rules).is_ok()
    }

    /// Checks that the sector is [playable](Self::is_playable).
    ///
    /// ```
    /// use morello::morris::SixMensMorris;
    /// use morello::morris::engine::database::{Ruleset, Sector};
    ///
    /// let rules = Ruleset::of::<SixMensMorris>()?;
    /// assert!("3-3".parse::<Sector>()?.is_playable(&rules));
    /// let error = "7-3".parse::<Sector>()?.check(&rules).unwrap_err();
    /// assert!(error.to_string().ends_with("7 men on the board and in hand; the game allows 6"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`UnplayableSector`] with the reason.
    pub fn check(self, rules: &Ruleset) -> Result<(), UnplayableSector> {
        let (max_men, points) = (rules.rules.men, rules.board.len());
        for (on_board, hand) in [(self.own, self.own_hand), (self.other, self.other_hand)] {
            let men = u32::from(on_board) + u32::from(hand);
            if men < 3 {
                return Err(UnplayableSector::TooFewMen { sector: self, men });
            }
            if men > max_men.into() {
                return Err(UnplayableSector::TooManyMen { sector: self, men, max_men });
            }
        }
        if u32::from(self.own) + u32::from(self.other) > points {
            return Err(UnplayableSector::TooFewPoints { sector: self, points });
        }
        Ok(())
    }

    /// Returns whether no man is in hand and a side is down to three men. Then a rule may draw the
    /// game without captures.
    pub(super) fn has_clock(self) -> bool {
        self.own_hand == 0 && self.other_hand == 0 && self.own.min(self.other) == 3
    }

    /// Returns a lower bound on the number of slots that is cheap to compute.
    pub(super) fn slots_by_count(self, rules: &Ruleset) -> u64 {
        let points = rules.board.len();
        let blocks = u64::from(binomial(points, self.own.into())) / rules.board.symmetries().len() as u64;
        blocks * u64::from(binomial(points - u32::from(self.own), self.other.into()))
    }

    /// Returns the number of slots: one row per class of own sets, with one slot per set of the
    /// opponent.
    pub(super) fn slots(self, class_cache: &ClassCache) -> u64 {
        class_cache.classes(self.own).len() as u64 * self.row_len(class_cache) as u64
    }

    /// Returns the number of slots per row.
    pub(super) fn row_len(self, class_cache: &ClassCache) -> usize {
        binomial(class_cache.board().len() - u32::from(self.own), self.other.into()) as usize
    }

    /// Returns the sector after a man is placed, from the opponent's point of view; `None` if
    /// placing is impossible or the game is over.
    pub(super) fn after_placing(self, rules: &Ruleset) -> Option<Self> {
        (self.own_hand > 0)
            .then(|| Self { own: self.own + 1, own_hand: self.own_hand - 1, ..self }.mirror())
            .filter(|sector| sector.is_playable(rules))
    }

    /// Returns the sector after a man is moved, from the opponent's point of view; `None` if moving
    /// is impossible.
    pub(super) fn after_moving(self, rules: &Ruleset) -> Option<Self> {
        (rules.rules.moves(self.own_hand) && self.own > 0).then(|| self.mirror())
    }

    /// Returns the sector after a man of the side to move is also captured; `None` if the game is
    /// then over.
    pub(super) fn after_capture(self, rules: &Ruleset) -> Option<Self> {
        let possible = rules.rules.captures() && self.own > 0 && self.other >= 3;
        possible.then(|| Self { own: self.own - 1, ..self }).filter(|sector| sector.is_playable(rules))
    }

    /// Returns the sectors to which moves lead, possibly including the mirror.
    pub(super) fn successors(self, rules: &Ruleset) -> impl Iterator<Item = Self> {
        let quiet = [self.after_placing(rules), self.after_moving(rules)];
        quiet.into_iter().flatten().flat_map(|sector| [Some(sector), sector.after_capture(rules)]).flatten()
    }
}

/// Sectors that are solved together: a sector and its mirror if they lead to each other, otherwise
/// a single sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WorkUnit {
    first: Sector,
    /// The mirror, if it is a different sector and leads back to the first.
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
    /// Returns the unit that contains a sector.
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

    /// Returns the sectors of the unit.
    pub fn sectors(self) -> impl Iterator<Item = Sector> + Clone {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// Returns the sectors that must be solved first, without duplicates.
    ///
    /// ```
    /// use morello::morris::SixMensMorris;
    /// use morello::morris::engine::database::{Ruleset, WorkUnit};
    ///
    /// let rules = Ruleset::of::<SixMensMorris>()?;
    /// let unit = WorkUnit::of("4-3".parse()?, &rules);
    /// assert_eq!(unit.sectors().count(), 2); // 4-3 and 3-4 lead to each other
    /// assert_eq!(unit.dependencies(&rules), ["3-3".parse()?]); // after a capture
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

impl Ruleset {
    /// Returns a hash of the rules and the board. Games with the same hash have the same tables for
    /// the sector. The rule for full boards is ignored if the sector has fewer men than the board
    /// has points. The draw after a number of plies without a capture is ignored too: it does not
    /// affect plies to the end of the game. It does affect plies to the next capture, but no two
    /// games differ only in the number of plies. (One of two games may lack this draw, and with it
    /// the tables of plies to the next capture.)
    #[must_use]
    pub fn fingerprint(&self, sector: Sector) -> u64 {
        let Rules { men, mill, flying, moves_with_hand, blocked, three_men_limit: _ } = self.rules;
        let mill = match mill {
            MillRule::Captures => 0,
            MillRule::CapturesOutsideMills => 1,
            MillRule::Wins => 2,
            MillRule::CapturesAny => 3,
        };
        let blocked = match blocked {
            BlockedRule::DrawsIfFull if sector.men() >= self.board.len() => 1,
            BlockedRule::DrawsIfFull | BlockedRule::Loses => 0,
            BlockedRule::Draws => 2,
        };
        let rules = [men.into(), mill, flying.into(), moves_with_hand.into(), blocked, self.board.len().into()];
        let lines = self.board.edges().iter().chain(self.board.mills()).map(|&line| line.into());
        Fnv1a::new().add(rules).add(lines).finish()
    }

    /// Returns the metrics for which a unit has tables: plies to the end of the game and, if a rule
    /// draws games without captures, plies to the next capture.
    pub fn metrics(&self, unit: WorkUnit) -> impl Iterator<Item = Metric> + use<> {
        let limited = self.rules.three_men_limit.is_some() && unit.sectors().all(Sector::has_clock);
        [Some(Metric::End), limited.then_some(Metric::Capture)].into_iter().flatten()
    }

    /// Returns the sectors and metrics of the tables of a unit.
    pub fn tables(&self, unit: WorkUnit) -> impl Iterator<Item = (Sector, Metric)> + use<> {
        self.metrics(unit).flat_map(move |metric| unit.sectors().map(move |sector| (sector, metric)))
    }
}

/// Returns the units of these sectors and of all sectors to which they lead. Each unit comes after
/// the units on which it depends.
///
/// ```
/// use morello::morris::SixMensMorris;
/// use morello::morris::engine::database::{Ruleset, plan};
///
/// let rules = Ruleset::of::<SixMensMorris>()?;
/// let units: Vec<_> = plan(&["4-4".parse()?], &rules).iter().map(ToString::to_string).collect();
/// assert_eq!(units, ["3-3", "4-3 and 3-4", "4-4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// Returns all sectors without men in hand in which both sides together have at most `men` men.
///
/// ```
/// use morello::morris::SixMensMorris;
/// use morello::morris::engine::database::{Ruleset, with_men_up_to};
///
/// let sectors = with_men_up_to(7, &Ruleset::of::<SixMensMorris>()?);
/// let names: Vec<_> = sectors.iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["3-3", "3-4", "4-3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn with_men_up_to(men: u32, rules: &Ruleset) -> Vec<Sector> {
    let max_men = rules.rules.men;
    let all = (3..=max_men).flat_map(|own| (3..=max_men).map(move |other| (own, other)));
    let sectors = all.map(|(own, other)| Sector { own, other, own_hand: 0, other_hand: 0 });
    let mut sectors: Vec<_> = sectors.filter(|s| s.men() <= men && s.is_playable(rules)).collect();
    sectors.sort_by_key(|sector| (sector.men(), *sector));
    sectors
}

/// Returns sectors that lead to all other sectors of a game: the sector of the starting position,
/// and all sectors without men in hand.
#[must_use]
pub fn whole_game(rules: &Ruleset) -> Vec<Sector> {
    let mut sectors = with_men_up_to(u32::MAX, rules);
    sectors.push(Sector::start(rules));
    sectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::{Morabaraba, NineMensMorris, SixMensMorris, ThreeMensMorris};

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
        let error = |text: &str, rules: &Ruleset| text.parse::<Sector>().unwrap().check(rules).unwrap_err().to_string();
        let (nine, six) = (Ruleset::of::<NineMensMorris>().unwrap(), Ruleset::of::<SixMensMorris>().unwrap());
        assert!(error("2-3", &nine).contains("2 men on the board"));
        assert!(error("3-1", &nine).contains("1 man on the board"));
        assert!(error("5-8+0-2", &nine).contains("10 men on the board and in hand; the game allows 9"));
        let crowded = Ruleset { rules: Rules { men: 15, ..nine.rules }, ..six };
        assert!(error("9-8", &crowded).contains("16 points"));
        assert_eq!("2-3+1-0".parse::<Sector>().unwrap().check(&nine), Ok(()));
    }

    #[test]
    fn sector_sizes_match_burnsides_lemma() {
        // The expected sizes were computed with Burnside's lemma.
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
