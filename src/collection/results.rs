//! [`Results`]: wins, draws and losses.

/// Wins, draws and losses of one side in some games, and its points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Results {
    /// The games, those with an unknown result included.
    pub games: u64,
    /// The games won.
    pub wins: u64,
    /// The games drawn.
    pub draws: u64,
    /// The games lost.
    pub losses: u64,
    /// The sum of the points of the games with a known result: discs won by in Othello, 1 or -1 in games without a margin.
    pub points: f64,
}

impl Results {
    /// Adds a game that the side won by some points; `None` if its result is unknown.
    pub fn add(&mut self, points: Option<f64>) {
        self.games += 1;
        if let Some(points) = points {
            self.points += points;
            self.wins += u64::from(points > 0.0);
            self.draws += u64::from(points == 0.0);
            self.losses += u64::from(points < 0.0);
        }
    }

    /// Adds other games of the same side.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.points += other.points;
    }

    /// Returns the number of games with a known result.
    #[must_use]
    pub fn known(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the score in percent, with a draw as half a win; `None` without a known result.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let wins = self.wins as f64 + self.draws as f64 / 2.0;
        (self.known() > 0).then(|| round(100.0 * wins / self.known() as f64, 1))
    }

    /// Returns the mean of the points, rounded to hundredths; `None` without a known result.
    #[must_use]
    pub fn mean_points(&self) -> Option<f64> {
        (self.known() > 0).then(|| round(self.points / self.known() as f64, 2))
    }
}

/// Rounds to some decimals.
pub(super) fn round(value: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (value * unit).round() / unit
}
