//! [`Clock`]: the time of both sides, and the time for each move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::game::{Color, Game, Limits, Position as _, parse_time};

/// The divisor of the safety margin: a tenth of the time for a move, at most [`MAX_MARGIN`].
const MARGIN_DIVISOR: u32 = 10;
const MAX_MARGIN: Duration = Duration::from_millis(100);

/// The shortest time for a move. A search needs at least this to find one.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

/// Longer times are reduced to this, to prevent overflow.
const MAX_TIME: Duration = Duration::from_secs(100 * 366 * 86_400);

/// The time for a side: a main time, then periods of a number of moves each. An increment is added
/// after each move.
///
/// As text, `60+0.6` is a main time of a minute with an increment of 0.6 seconds, and `40/60` is a
/// minute for every 40 moves. Numbers without a unit are seconds.
///
/// ```
/// use std::time::Duration;
///
/// use morello::game::TimeControl;
///
/// let control: TimeControl = "1m+600ms".parse()?;
/// assert_eq!((control.main, control.increment), (Duration::from_secs(60), Duration::from_millis(600)));
/// assert_eq!(control.to_string(), "60+0.6");
/// assert_eq!("40/60".parse::<TimeControl>()?.moves, 40);
/// # Ok::<(), morello::game::ParseTimeControlError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimeControl {
    /// The main time.
    pub main: Duration,
    /// The time that is added after each move.
    pub increment: Duration,
    /// The time for a period.
    pub period: Duration,
    /// The moves of a period; 0 for a period that never ends.
    pub moves: u32,
    /// Whether the time left in a period is added to the next one.
    pub keeps_rest: bool,
}

/// The text is not a [`TimeControl`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseTimeControlError {
    /// The number of moves is wrong.
    #[error("expected a number of moves above 0 before `/`, as in 40/60, found `{0}`")]
    Moves(String),
    /// A time is wrong.
    #[error("expected [MOVES/]TIME[+INCREMENT], as in 60+0.6, 40/60 or 1m+600ms, found `{0}`")]
    Time(String),
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let time = |part: &str| {
            let has_unit = part.ends_with(|c: char| c.is_ascii_alphabetic());
            let time = if has_unit { parse_time(part) } else { parse_time(&format!("{part}s")) };
            time.map_err(|_| ParseTimeControlError::Time(text.to_owned()))
        };
        let (moves, times) = text.split_once('/').map_or((None, text), |(moves, times)| (Some(moves), times));
        let (base, increment) = times.split_once('+').map_or((times, None), |(base, more)| (base, Some(more)));
        let base = time(base)?;
        // Other programs often write an increment of zero.
        let increment = increment.filter(|more| !matches!(*more, "0" | "0s")).map(time).transpose()?;
        let increment = increment.unwrap_or_default();
        match moves {
            None => Ok(Self { main: base, increment, ..Self::default() }),
            Some(moves) => {
                let count = moves.parse().ok().filter(|&count| count > 0);
                let moves = count.ok_or_else(|| ParseTimeControlError::Moves(moves.to_owned()))?;
                Ok(Self { increment, period: base, moves, keeps_rest: true, ..Self::default() })
            }
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.main.is_zero() {
            write!(f, "{}", self.main.as_secs_f64())?;
        }
        if self.moves > 0 {
            let separator = if self.main.is_zero() { "" } else { ":" };
            write!(f, "{separator}{}/{}", self.moves, self.period.as_secs_f64())?;
        }
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The remaining time of each side.
///
/// ```
/// use std::time::Duration;
///
/// use morello::game::{Clock, Color, TimeControl};
///
/// let seconds = Duration::from_secs;
/// let mut clock = Clock::new(TimeControl { main: seconds(60), ..TimeControl::default() });
/// clock.spend(Color::Black, seconds(12));
/// assert_eq!(clock.left(Color::Black), Some(seconds(48)));
/// // 48 seconds are left for 24 moves; a margin is kept.
/// let share = clock.share(Color::Black, 48).expect("there is a limit");
/// assert!(share > seconds(1) && share < seconds(2));
/// assert_eq!(Clock::default().share(Color::Black, 48), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    sides: [Option<SideClock>; 2],
}

/// The clock of a side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct SideClock {
    control: TimeControl,
    left: TimeLeft,
}

/// The remaining time of a side, in its main time or a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TimeLeft {
    time: Duration,
    /// The remaining moves of the period; 0 in the main time.
    moves: u32,
}

impl Clock {
    /// Starts a clock. Times of zero, or a period that never ends, mean no time limit.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self::of_sides([Some(control); 2])
    }

    /// Starts a clock with the time of each side, by [color](Color::index); `None` means no time
    /// limit.
    #[must_use]
    pub fn of_sides(controls: [Option<TimeControl>; 2]) -> Self {
        Self { sides: controls.map(|control| SideClock::new(control?)) }
    }

    /// Resets the time of both sides.
    pub fn restart(&mut self) {
        *self = Self::of_sides(self.sides.map(|side| side.map(|side| side.control)));
    }

    /// Sets the remaining time of a side, and the remaining moves of its period.
    pub fn set(&mut self, color: Color, time: Duration, moves: u32) {
        // Some programs send the remaining time without the clock settings.
        let side = self.sides[color.index()].get_or_insert_default();
        side.left = TimeLeft { time: time.min(MAX_TIME), moves };
    }

    /// Subtracts the time of a move and adds the increment.
    pub fn spend(&mut self, color: Color, time: Duration) {
        let Some(SideClock { control, left }) = &mut self.sides[color.index()] else { return };
        let in_period = left.moves > 0;
        left.time = left.time.saturating_sub(time);
        left.moves = left.moves.saturating_sub(1);
        let used_up = if in_period { left.moves == 0 } else { left.time.is_zero() };
        if used_up && control.moves > 0 {
            let rest = if control.keeps_rest { left.time } else { Duration::ZERO };
            *left = control.next_period();
            left.time += rest;
        }
        left.time = (left.time + control.increment).min(MAX_TIME);
    }

    /// Returns the time of a side; `None` without a time limit.
    #[must_use]
    pub fn control(&self, color: Color) -> Option<TimeControl> {
        Some(self.sides[color.index()]?.control)
    }

    /// Returns the remaining time of a side; `None` without a time limit.
    #[must_use]
    pub fn left(&self, color: Color) -> Option<Duration> {
        Some(self.sides[color.index()]?.left.time)
    }

    /// Returns the remaining moves of the period of a side; 0 in its main time or without a limit.
    #[must_use]
    pub fn moves_left(&self, color: Color) -> u32 {
        self.sides[color.index()].map_or(0, |side| side.left.moves)
    }

    /// Returns the time for a move: an equal share of the remaining time, less a margin. `plies` is
    /// the number of plies of both sides that share the time, including this move. Returns `None`
    /// without a time limit.
    #[must_use]
    pub fn share(&self, color: Color, plies: u32) -> Option<Duration> {
        let SideClock { control, left } = self.sides[color.index()]?;
        // Every second ply is a move of this side.
        let moves = plies.div_ceil(2).max(1);
        let (share, most) = match left.moves {
            // The time that later periods add may be spent in advance; in the main time, at most
            // the time of the first period.
            0 => {
                let of_periods = control.period.checked_div(control.moves).unwrap_or_default();
                (left.time / moves + of_periods, left.time + control.period)
            }
            in_period => (left.time / in_period.min(moves), left.time),
        };
        let share = (share + control.increment).min(most);
        Some(share.saturating_sub((share / MARGIN_DIVISOR).min(MAX_MARGIN)).max(MIN_MOVE_TIME))
    }

    /// Returns the limits with the clock's time for the next move of a game.
    #[must_use]
    pub fn limits(&self, game: &Game, limits: Limits) -> Limits {
        let position = game.position();
        let share = self.share(position.side_to_move(), position.game().timed_plies(position));
        Limits { time: limits.time.into_iter().chain(share).min(), ..limits }
    }
}

impl SideClock {
    fn new(control: TimeControl) -> Option<Self> {
        let TimeControl { main, increment, period, moves, .. } = control;
        let nothing = main.is_zero() && period.is_zero();
        let endless = !period.is_zero() && moves == 0;
        if nothing || endless {
            return None;
        }
        let [main, increment, period] = [main, increment, period].map(|time| time.min(MAX_TIME));
        let control = TimeControl { main, increment, period, ..control };
        let left = if main.is_zero() { control.next_period() } else { TimeLeft { time: main, moves: 0 } };
        Some(Self { control, left })
    }
}

impl TimeControl {
    fn next_period(self) -> TimeLeft {
        TimeLeft { time: self.period, moves: self.moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_game;
    use crate::othello;

    const BLACK: Color = Color::Black;

    fn clock(main: u64, period: u64, moves: u32) -> Clock {
        let [main, period] = [main, period].map(Duration::from_secs);
        Clock::new(TimeControl { main, period, moves, ..TimeControl::default() })
    }

    fn of(text: &str) -> Clock {
        Clock::new(text.parse().unwrap())
    }

    fn share(clock: &Clock, plies: u32) -> Option<u128> {
        clock.share(BLACK, plies).map(|time| time.as_millis())
    }

    #[test]
    fn no_limit_gives_no_share() {
        for clock in [Clock::default(), clock(0, 0, 0), clock(0, 0, 5), clock(60, 1, 0)] {
            assert_eq!((share(&clock, 60), clock.left(BLACK)), (None, None));
        }
    }

    #[test]
    fn divides_main_time_by_the_remaining_moves() {
        let mut clock = clock(60, 0, 0);
        assert_eq!(share(&clock, 60), Some(1900));
        clock.spend(BLACK, Duration::from_secs(50));
        assert_eq!((share(&clock, 20), share(&clock, 1), share(&clock, 0)), (Some(900), Some(9900), Some(9900)));
        clock.spend(BLACK, Duration::from_secs(50));
        assert_eq!((share(&clock, 20), clock.left(BLACK)), (Some(1), Some(Duration::ZERO)));
        assert_eq!(clock.share(Color::White, 60), Some(Duration::from_millis(1900)));
        clock.set(BLACK, Duration::from_millis(100), 0);
        assert_eq!(share(&clock, 9), Some(18));
        clock.restart();
        assert_eq!(share(&clock, 60), Some(1900));
    }

    #[test]
    fn divides_and_renews_periods() {
        let mut each = clock(0, 2, 1);
        for _ in 0..3 {
            assert_eq!(share(&each, 60), Some(1900));
            each.spend(BLACK, Duration::from_secs(1));
        }
        let mut five = clock(10, 5, 5);
        assert_eq!(share(&five, 20), Some(1900));
        five.spend(BLACK, Duration::from_secs(10));
        assert_eq!(share(&five, 20), Some(900));
        five.spend(BLACK, Duration::from_secs(3));
        assert_eq!(share(&five, 20), Some(450));
        // The game ends before the period.
        assert_eq!(share(&five, 2), Some(1900));
    }

    #[test]
    fn keeps_the_rest_of_a_period_if_it_should() {
        let mut two = of("2/10");
        two.spend(BLACK, Duration::from_secs(1));
        assert_eq!((two.left(BLACK), two.moves_left(BLACK)), (Some(Duration::from_secs(9)), 1));
        two.spend(BLACK, Duration::from_secs(1));
        assert_eq!((two.left(BLACK), two.moves_left(BLACK)), (Some(Duration::from_secs(18)), 2));
    }

    #[test]
    fn adds_the_increment_after_each_move() {
        let mut clock = of("1+0.5");
        assert_eq!(share(&clock, 20), Some(540));
        clock.spend(BLACK, Duration::from_millis(700));
        assert_eq!(clock.left(BLACK), Some(Duration::from_millis(800)));
        clock.set(BLACK, Duration::from_millis(20), 0);
        // Increments that are added later cannot be spent now.
        assert_eq!(share(&clock, 20), Some(18));
    }

    #[test]
    fn sides_may_have_different_times() {
        let clock = Clock::of_sides([None, Some("5".parse().unwrap())]);
        assert_eq!((clock.left(BLACK), clock.left(Color::White)), (None, Some(Duration::from_secs(5))));
        let game = Game::new(any_game::<othello::Position>().start());
        let limits = Limits::depth(3);
        assert_eq!(clock.limits(&game, limits), limits);
        let other = Clock::of_sides([Some("4".parse().unwrap()), None]);
        // The first 40 plies share the time.
        assert_eq!(other.limits(&game, limits).time, Some(Duration::from_millis(180)));
        let short = limits.with_time(Duration::from_millis(7));
        assert_eq!(other.limits(&game, short), short);
    }

    #[test]
    fn time_left_works_without_time_settings() {
        let mut clock = Clock::default();
        clock.set(BLACK, Duration::from_secs(30), 0);
        assert_eq!((share(&clock, 60), clock.share(Color::White, 60)), (Some(900), None));
        clock.set(BLACK, Duration::MAX, 3);
        assert!(clock.share(BLACK, 60).is_some());
    }

    #[test]
    fn reads_and_writes_time_controls() {
        let control = |text: &str| text.parse::<TimeControl>();
        for text in ["60+0.6", "40/60", "1", "0.25+0.01", "3/0.5+1"] {
            assert_eq!(control(text).unwrap().to_string(), text);
        }
        for (text, same) in [("1m+1s", "60+1"), ("60+0", "60"), ("40/1.5m", "40/90"), ("500ms", "0.5")] {
            assert_eq!(control(text), control(same), "{text}");
        }
        let with_main = TimeControl { main: Duration::from_secs(5), ..control("1/2").unwrap() };
        assert_eq!(with_main.to_string(), "5:1/2");
        for text in ["", "x", "0", "60+", "+1", "60+x", "60/", "-1", "60+-1", "1+2+3"] {
            assert!(matches!(control(text), Err(ParseTimeControlError::Time(_))), "{text}: {:?}", control(text));
        }
        for text in ["0/60", "x/60", "/60"] {
            assert!(matches!(control(text), Err(ParseTimeControlError::Moves(_))), "{text}");
        }
    }
}
