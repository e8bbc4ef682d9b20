//! [`Clock`]: the time of both sides, and the time for each move.

use std::time::Duration;

use morello_core::game::Color;
use serde::{Deserialize, Serialize};

/// The safety margin of the time for a move: a tenth of it, at most [`MAX_MARGIN`].
const MARGIN_DIVISOR: u32 = 10;
const MAX_MARGIN: Duration = Duration::from_millis(100);

/// The shortest time for a move. A search needs at least this to find one.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

/// Longer times are reduced to this, to prevent overflow.
const MAX_TIME: Duration = Duration::from_secs(100 * 366 * 86_400);

/// The time of each side: a main time, then periods of a number of moves each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimeControl {
    /// The main time.
    pub main: Duration,
    /// The time of a period.
    pub period: Duration,
    /// The moves of a period; 0 for a period that never ends.
    pub moves: u32,
}

/// The remaining time of each side.
///
/// ```
/// use std::time::Duration;
///
/// use morello::game::Color;
/// use morello::session::{Clock, TimeControl};
///
/// let seconds = Duration::from_secs;
/// let mut clock = Clock::new(TimeControl { main: seconds(60), ..TimeControl::default() });
/// clock.spend(Color::Black, seconds(12));
/// // 48 seconds are left for 24 moves; a margin is kept.
/// let share = clock.share(Color::Black, 48).expect("there is a limit");
/// assert!(share > seconds(1) && share < seconds(2));
/// assert_eq!(Clock::default().share(Color::Black, 48), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    /// `None` without a time limit.
    settings: Option<TimeControl>,
    left: [TimeLeft; 2],
}

/// The remaining time of a side, in its main time or a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TimeLeft {
    time: Duration,
    /// The remaining moves of the period; 0 in the main time.
    moves: u32,
}

impl Clock {
    /// Starts a clock. Settings of zero, or a period that never ends, mean no time limit.
    #[must_use]
    pub fn new(settings: TimeControl) -> Self {
        let settings =
            TimeControl { main: settings.main.min(MAX_TIME), period: settings.period.min(MAX_TIME), ..settings };
        let nothing = settings.main.is_zero() && settings.period.is_zero();
        let endless = !settings.period.is_zero() && settings.moves == 0;
        let mut clock = Self { settings: (!nothing && !endless).then_some(settings), left: Default::default() };
        clock.restart();
        clock
    }

    /// Resets the time of both sides.
    pub fn restart(&mut self) {
        let Some(settings) = self.settings else { return };
        let left = TimeLeft { time: settings.main, moves: 0 };
        self.left = [if settings.main.is_zero() { settings.next_period() } else { left }; 2];
    }

    /// Sets the remaining time of a side, and the remaining moves of its period.
    pub fn set(&mut self, color: Color, time: Duration, moves: u32) {
        // Some programs send the remaining time without the settings of the clock.
        self.settings.get_or_insert_default();
        self.left[color.index()] = TimeLeft { time: time.min(MAX_TIME), moves };
    }

    /// Subtracts the time of a move.
    pub fn spend(&mut self, color: Color, time: Duration) {
        let Some(settings) = self.settings else { return };
        let left = &mut self.left[color.index()];
        let in_period = left.moves > 0;
        left.time = left.time.saturating_sub(time);
        left.moves = left.moves.saturating_sub(1);
        let used_up = if in_period { left.moves == 0 } else { left.time.is_zero() };
        if used_up && settings.moves > 0 {
            *left = settings.next_period();
        }
    }

    /// Returns the time for a move: an equal share of the remaining time, less a margin. `plies` is
    /// the number of plies that share it, with this move, of both sides. `None` without a time
    /// limit.
    #[must_use]
    pub fn share(&self, color: Color, plies: u32) -> Option<Duration> {
        let settings = self.settings?;
        let left = self.left[color.index()];
        let share = match left.moves {
            // Every other ply is a move of this side. The time that later periods add may be spent
            // in advance.
            0 => left.time / plies.div_ceil(2).max(1) + settings.period.checked_div(settings.moves).unwrap_or_default(),
            moves => left.time / moves,
        };
        // In the main time a move may use at most the remaining time and the first period.
        let share = if left.moves == 0 { share.min(left.time + settings.period) } else { share };
        Some(share.saturating_sub((share / MARGIN_DIVISOR).min(MAX_MARGIN)).max(MIN_MOVE_TIME))
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

    const BLACK: Color = Color::Black;

    fn clock(main: u64, period: u64, moves: u32) -> Clock {
        Clock::new(TimeControl { main: Duration::from_secs(main), period: Duration::from_secs(period), moves })
    }

    fn share(clock: &Clock, plies: u32) -> Option<u128> {
        clock.share(BLACK, plies).map(|time| time.as_millis())
    }

    #[test]
    fn no_limit_gives_no_share() {
        for clock in [Clock::default(), clock(0, 0, 0), clock(0, 0, 5), clock(60, 1, 0)] {
            assert_eq!(share(&clock, 60), None);
        }
    }

    #[test]
    fn divides_main_time_by_the_remaining_moves() {
        let mut clock = clock(60, 0, 0);
        assert_eq!(share(&clock, 60), Some(1900));
        clock.spend(BLACK, Duration::from_secs(50));
        assert_eq!((share(&clock, 20), share(&clock, 1), share(&clock, 0)), (Some(900), Some(9900), Some(9900)));
        clock.spend(BLACK, Duration::from_secs(50));
        assert_eq!(share(&clock, 20), Some(1));
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
    }

    #[test]
    fn time_left_works_without_time_settings() {
        let mut clock = Clock::default();
        clock.set(BLACK, Duration::from_secs(30), 0);
        assert_eq!(share(&clock, 60), Some(900));
        clock.set(BLACK, Duration::MAX, 3);
        assert!(clock.share(BLACK, 60).is_some());
    }
}
