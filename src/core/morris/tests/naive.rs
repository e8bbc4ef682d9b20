//! A second, slow and plain implementation of the mill games, with points as names and positions as
//! text. It shares only the seed notation with the fast code.

use std::collections::BTreeMap;

/// The rules of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NaiveRules {
    pub points: &'static str,
    /// Additional lines besides the horizontal and vertical ones.
    pub diagonals: &'static [&'static str],
    pub men: usize,
    pub flying: bool,
    pub protected: bool,
    pub moves_with_hand: bool,
    pub no_return: bool,
    /// Whether a mill may capture any man.
    pub captures_any: bool,
    /// Whether a full board is a draw.
    pub full_draw: bool,
    /// Whether the game is drawn if the side to move is blocked.
    pub blocked_draw: bool,
    pub mill_wins: bool,
}

const NINE_POINTS: &str = "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7";

impl NaiveRules {
    pub fn named(name: &str) -> Self {
        let base = Self {
            points: NINE_POINTS,
            diagonals: &[],
            men: 9,
            flying: false,
            protected: false,
            moves_with_hand: false,
            no_return: false,
            captures_any: false,
            full_draw: false,
            blocked_draw: false,
            mill_wins: false,
        };
        let morabaraba =
            Self { diagonals: &["a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5"], men: 12, flying: true, ..base };
        let six = Self { points: "a1 a4 a7 b2 b4 b6 d1 d2 d6 d7 f2 f4 f6 g1 g4 g7", men: 6, ..base };
        match name {
            "nine-mens-morris" => base,
            "nine-mens-morris-flying" => Self { flying: true, ..base },
            "nine-mens-morris-flying-unprotected" => Self { flying: true, captures_any: true, ..base },
            "nine-mens-morris-flying-blocked-draw" => Self { flying: true, blocked_draw: true, ..base },
            "nine-mens-morris-flying-no-return" => Self { flying: true, no_return: true, ..base },
            "nine-mens-morris-protected" => Self { protected: true, ..base },
            "nine-mens-morris-flying-protected" => Self { flying: true, protected: true, ..base },
            "morabaraba" => morabaraba,
            "morabaraba-full-draw" => Self { full_draw: true, ..morabaraba },
            "morabaraba-no-return" => Self { no_return: true, ..morabaraba },
            "lasker-morris" => Self { men: 10, flying: true, moves_with_hand: true, ..base },
            "twelve-mens-morris" => Self { full_draw: true, ..morabaraba },
            "eleven-mens-morris" => Self { men: 11, ..morabaraba },
            "seven-mens-morris" => {
                Self { points: "a1 a4 a7 b2 b4 b6 d1 d2 d4 d6 d7 f2 f4 f6 g1 g4 g7", men: 7, ..base }
            }
            "six-mens-morris" => six,
            "five-mens-morris" => Self { men: 5, ..six },
            "three-mens-morris" => Self {
                points: "a1 a2 a3 b1 b2 b3 c1 c2 c3",
                diagonals: &["a1 b2 c3", "a3 b2 c1"],
                men: 3,
                mill_wins: true,
                ..base
            },
            _ => panic!("unknown game {name}"),
        }
    }

    fn has_hole(&self) -> bool {
        self.points.contains("d1") && !self.points.contains("d4")
    }

    /// Returns the edges, as pairs in the order of their names, and the mills.
    fn lines(&self) -> (Vec<[&'static str; 2]>, Vec<[&'static str; 3]>) {
        let points: Vec<&str> = self.points.split(' ').collect();
        let (mut edges, mut mills) = (Vec::new(), Vec::new());
        for axis in [0, 1] {
            for value in b"abcdefg1234567" {
                let mut line: Vec<&str> = points.iter().copied().filter(|p| p.as_bytes()[axis] == *value).collect();
                line.sort_unstable();
                // The hole in the middle splits the middle lines.
                let middle = self.has_hole() && (*value == b'd' || *value == b'4');
                let half = line.len() / if middle { 2 } else { 1 };
                for part in line.chunks(half.max(1)) {
                    edges.extend(part.windows(2).map(|w| [w[0], w[1]]));
                    mills.extend(part.windows(3).map(|w| [w[0], w[1], w[2]]));
                }
            }
        }
        for line in self.diagonals {
            let line: Vec<&str> = line.split(' ').collect();
            edges.extend(line.windows(2).map(|w| [w[0], w[1]]));
            mills.push([line[0], line[1], line[2]]);
        }
        (edges, mills)
    }
}

/// A position; points are given by name.
#[derive(Clone)]
pub struct NaivePosition {
    game: NaiveRules,
    edges: Vec<[&'static str; 2]>,
    mills: Vec<[&'static str; 3]>,
    men: BTreeMap<&'static str, char>,
    hands: BTreeMap<char, usize>,
    side: char,
    /// The step that each side may not make on its next turn.
    bans: BTreeMap<char, String>,
}

#[derive(Clone, Debug)]
pub struct NaiveMove {
    from: Option<&'static str>,
    to: &'static str,
    captured: Option<&'static str>,
}

impl std::fmt::Display for NaiveMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(from) = self.from {
            write!(f, "{from}-")?;
        }
        write!(f, "{}", self.to)?;
        if let Some(captured) = self.captured {
            write!(f, "x{captured}")?;
        }
        Ok(())
    }
}

fn opponent(side: char) -> char {
    if side == 'W' { 'B' } else { 'W' }
}

impl NaivePosition {
    /// Parses a valid position.
    pub fn parse(game: NaiveRules, text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let (edges, mills) = game.lines();
        let (white, black) = fields[0].split_once(',').unwrap();
        let hands = BTreeMap::from([('W', white.parse().unwrap()), ('B', black.parse().unwrap())]);
        let mut men = BTreeMap::new();
        for (side, list) in [('W', fields[1]), ('B', fields[2])] {
            for name in list.split(',').filter(|&name| name != "-") {
                men.insert(game.points.split(' ').find(|&p| p == name).unwrap(), side);
            }
        }
        let mut bans = BTreeMap::new();
        if let Some(text) = fields.get(4) {
            let (white, black) = text.strip_prefix("ban=").unwrap().split_once(',').unwrap();
            bans.extend([('W', white), ('B', black)].map(|(side, ban)| (side, ban.to_owned())));
            bans.retain(|_, ban| ban != "-");
        }
        Self { game, edges, mills, men, hands, side: fields[3].chars().next().unwrap(), bans }
    }

    fn of(&self, side: char) -> Vec<&'static str> {
        self.men.iter().filter(|&(_, &s)| s == side).map(|(&name, _)| name).collect()
    }

    fn total(&self, side: char) -> usize {
        self.of(side).len() + self.hands[&side]
    }

    /// Returns whether the man on a point is in a mill.
    fn in_mill(&self, point: &str) -> bool {
        let side = self.men[point];
        self.mills.iter().any(|mill| mill.contains(&point) && mill.iter().all(|p| self.men.get(p) == Some(&side)))
    }

    /// Returns the side that has lost because of a mill or too few men.
    fn loser(&self) -> Option<char> {
        [self.side, opponent(self.side)].into_iter().find(|&side| {
            if self.game.mill_wins {
                self.of(opponent(side)).iter().any(|p| self.in_mill(p))
            } else {
                self.total(side) < 3
            }
        })
    }

    /// Returns the position after a man is placed or moved, before a capture.
    fn with_man_moved(&self, from: Option<&str>, to: &'static str) -> Self {
        let mut next = self.clone();
        match from {
            Some(from) => {
                next.men.remove(from);
            }
            None => *next.hands.get_mut(&self.side).unwrap() -= 1,
        }
        next.men.insert(to, self.side);
        next
    }

    pub fn legal_moves(&self) -> Vec<NaiveMove> {
        if self.loser().is_some() {
            return Vec::new();
        }
        let empty: Vec<&'static str> = self.game.points.split(' ').filter(|p| !self.men.contains_key(p)).collect();
        let own = self.of(self.side);
        let hand = self.hands[&self.side];
        let mut steps: Vec<(Option<&'static str>, &'static str)> = Vec::new();
        if hand > 0 {
            steps.extend(empty.iter().map(|&to| (None, to)));
        }
        if hand == 0 || self.game.moves_with_hand {
            let flies = self.game.flying && hand == 0 && own.len() == 3;
            for &from in &own {
                for &to in &empty {
                    let adjacent = self.edges.contains(&[from, to]) || self.edges.contains(&[to, from]);
                    if (adjacent || flies) && self.bans.get(&self.side) != Some(&format!("{from}-{to}")) {
                        steps.push((Some(from), to));
                    }
                }
            }
        }
        let mut moves = Vec::new();
        for (from, to) in steps {
            let next = self.with_man_moved(from, to);
            let others = self.of(opponent(self.side));
            let mut victims: Vec<&'static str> = others.iter().copied().filter(|p| !self.in_mill(p)).collect();
            if self.game.captures_any || victims.is_empty() && !self.game.protected {
                victims = others;
            }
            if next.in_mill(to) && !victims.is_empty() && !self.game.mill_wins {
                moves.extend(victims.into_iter().map(|p| NaiveMove { from, to, captured: Some(p) }));
            } else {
                moves.push(NaiveMove { from, to, captured: None });
            }
        }
        moves
    }

    pub fn after(&self, m: &NaiveMove) -> Self {
        let mut next = self.with_man_moved(m.from, m.to);
        next.bans.remove(&self.side);
        if let Some(from) = m.from
            && self.game.no_return
            && self.in_mill(from)
            && next.in_mill(m.to)
        {
            next.bans.insert(self.side, format!("{}-{from}", m.to));
        }
        if let Some(captured) = m.captured {
            next.men.remove(captured);
        }
        next.side = opponent(self.side);
        // A ban without effect is removed.
        if let Some(ban) = next.bans.get(&next.side) {
            let (from, to) = ban.split_once('-').unwrap();
            if next.men.get(from) != Some(&next.side) || next.men.contains_key(to) {
                next.bans.remove(&next.side);
            }
        }
        next
    }

    /// Returns the score for the side to move in a position without a legal move.
    pub fn final_score(&self) -> i32 {
        match self.loser() {
            Some(loser) if loser == opponent(self.side) => 1,
            None if self.game.blocked_draw => 0,
            None if self.game.full_draw && self.men.len() == self.game.points.split(' ').count() => 0,
            _ => -1,
        }
    }

    /// Counts the leaves. If `counts_ended` is true, a game that ended earlier counts once.
    pub fn perft(&self, depth: u32, counts_ended: bool) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal_moves();
        if moves.is_empty() {
            return u64::from(counts_ended);
        }
        moves.iter().map(|m| self.after(m).perft(depth - 1, counts_ended)).sum()
    }

    /// Returns the position in seed notation.
    pub fn text(&self) -> String {
        let points = |side| {
            let names = self.of(side);
            if names.is_empty() { "-".to_owned() } else { names.join(",") }
        };
        let hands = format!("{},{}", self.hands[&'W'], self.hands[&'B']);
        let mut text = format!("{hands} {} {} {}", points('W'), points('B'), self.side);
        if !self.bans.is_empty() {
            let ban = |side| self.bans.get(&side).map_or("-", String::as_str);
            text += &format!(" ban={},{}", ban('W'), ban('B'));
        }
        text
    }
}
