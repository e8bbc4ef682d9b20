//! [`Turns`]: a game whose moves are taken as actions.

use morello::game::{Color, Game, Playable, RandomNumbers};

use super::actions::{ActionSet, Actions};

/// A game, and the part of a turn that has been chosen.
#[derive(Clone)]
pub struct Turns<P: Playable> {
    game: Game<P>,
    /// Whether the game is over. Repetitions make this expensive to compute.
    is_over: bool,
    /// The action of a move that closes a mill and whose capture must still be chosen.
    started: Option<usize>,
}

/// The pieces on the points of a board in reading order, and the men in hand.
pub struct Pieces {
    /// 1 for Black, -1 for White, 0 for an empty point.
    pub points: [i8; 64],
    /// The men in hand of Black and White.
    pub hands: [i8; 2],
}

impl<P: Playable> Turns<P> {
    pub fn new(game: Game<P>) -> Self {
        Self { is_over: game.is_over(), game, started: None }
    }

    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub fn side_to_move(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// Returns the action of a move whose capture must still be chosen.
    pub fn started(&self) -> Option<usize> {
        self.started
    }

    pub fn must_capture(&self) -> bool {
        self.started.is_some()
    }

    /// Returns the legal actions; empty after the end of the game.
    pub fn legal(&self, actions: &Actions) -> ActionSet {
        let mut set = ActionSet::EMPTY;
        if self.is_over {
            return set;
        }
        for m in self.game.position().legal_moves() {
            let m = P::move_points(m);
            let first = actions.first(m);
            match self.started {
                None => set.insert(first),
                Some(started) if started == first => {
                    set.insert(actions.numbers[m.captured.expect("a capture follows this action")]);
                }
                Some(_) => {}
            }
        }
        set
    }

    /// Applies an action; returns false if it is illegal.
    pub fn apply(&mut self, actions: &Actions, action: usize) -> bool {
        if self.is_over {
            return false;
        }
        let mut moves = self.game.position().legal_moves();
        let found = match self.started {
            None => moves.find(|&m| actions.first(P::move_points(m)) == action),
            Some(started) => moves.find(|&m| {
                let m = P::move_points(m);
                actions.first(m) == started && m.captured.is_some_and(|point| actions.numbers[point] == action)
            }),
        };
        match found {
            None => return false,
            Some(m) if self.started.is_none() && P::move_points(m).captured.is_some() => self.started = Some(action),
            Some(m) => self.play(m),
        }
        true
    }

    /// Plays a whole legal move of a game that is not over.
    pub fn play(&mut self, m: P::Move) {
        self.game.play_unchecked(m);
        self.started = None;
        self.is_over = self.game.is_over();
    }

    /// Plays a random move unless the game is over.
    pub fn play_random(&mut self, numbers: &mut RandomNumbers) {
        if !self.is_over
            && let Some(m) = numbers.legal_move(self.game.position())
        {
            self.play(m);
        }
    }

    /// Returns 1 if a side has won, -1 if it has lost, and 0 for a draw or an unfinished game.
    pub fn result(&self, side: Color) -> i8 {
        if !self.is_over {
            return 0;
        }
        self.game.points(side).map_or(0, |points| points.signum() as i8)
    }

    /// Returns the pieces, after the first action of an unfinished turn.
    pub fn pieces(&self, actions: &Actions) -> Pieces {
        let position = self.game.position();
        let mut points = [0; 64];
        let (own, other) = actions.men(position.pack());
        let side = if position.side_to_move() == Color::Black { 1 } else { -1 };
        for (cell, &bit) in points.iter_mut().zip(&actions.bits) {
            *cell = side * ((own >> bit & 1) as i8 - (other >> bit & 1) as i8);
        }
        let mut hands = [Color::Black, Color::White].map(|color| position.in_hand(color).unwrap_or(0) as i8);
        if let Some(started) = self.started {
            let (own, sign) = if position.side_to_move() == Color::Black { (0, 1) } else { (1, -1) };
            let (origin, destination) = actions.origin_and_destination(started);
            points[destination] = sign;
            match origin {
                Some(origin) => points[origin] = 0,
                None => hands[own] -= 1,
            }
        }
        Pieces { points, hands }
    }
}
