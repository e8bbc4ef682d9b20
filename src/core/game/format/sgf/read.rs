//! Reads SGF.

use thiserror::Error;

use crate::game::format::brackets::{Property, PropertyError, take_property, take_value};
use crate::game::format::colored_game::{ColoredGame, ColoredMoveError};
use crate::game::format::label::normalized_date;
use crate::game::{
    AnnotatedGame, AnyGame, AnyPosition, Color, Failure, GameResult, MoveTree, Note, ParseError, Position as _,
    Scoring, Tags, Termination, UnreadKind, UnreadText, disc_result, is_pass_word,
};

/// The games that have numbers in SGF, starting with number 1.
const GAMES: [&str; 40] = [
    "Go",
    "Othello",
    "Chess",
    "Gomoku",
    "Nine Men's Morris",
    "Backgammon",
    "Chinese Chess",
    "Shogi",
    "Lines of Action",
    "Ataxx",
    "Hex",
    "Jungle",
    "Neutron",
    "Philosopher's Football",
    "Quadrature",
    "Trax",
    "Tantrix",
    "Amazons",
    "Octi",
    "Gess",
    "Twixt",
    "Zertz",
    "Plateau",
    "Yinsh",
    "Punct",
    "Gobblet",
    "Hive",
    "Exxit",
    "Hnefatafl",
    "Kuba",
    "Tripples",
    "Chase",
    "Tumbling Down",
    "Sahara",
    "Byte",
    "Focus",
    "Dvonn",
    "Tamsk",
    "Gipf",
    "Kropki",
];

/// The SGF number of Othello.
const OTHELLO: usize = 2;

/// A text that is not a game in SGF.
pub(super) type ParseSgfError = ParseError<SgfErrorKind>;

/// Why the text is not a game in SGF.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SgfErrorKind {
    /// The text does not begin with `(;`.
    #[error("expected `(;` at the start of a game")]
    MissingGame,
    /// The text ends before the end of the game.
    #[error("expected `)` at the end of the game")]
    MissingEnd,
    /// A property is missing.
    #[error("expected a property such as `B[f5]`")]
    MissingProperty,
    /// A value is not closed.
    #[error("missing `]` after the value of `{0}`")]
    MissingBracket(String),
    /// The record is for another game.
    #[error("the game is {found}, not {expected}")]
    OtherGame {
        /// The game of the record.
        found: String,
        /// The game that was expected.
        expected: &'static str,
    },
    /// The record has the rules of another variant.
    #[error("the rules are `{found}`, but the game is {expected}; name the game of the rules, or remove `RU`")]
    OtherRules {
        /// The rules of the record.
        found: String,
        /// The game that was expected.
        expected: &'static str,
    },
    /// The board size is wrong.
    #[error("expected a board of {expected}x{expected} squares, found `{found}`")]
    BoardSize {
        /// The expected size.
        expected: usize,
        /// The text found instead.
        found: String,
    },
    /// The point does not exist on the board.
    #[error("`{0}` is not a point of the board")]
    Point(String),
    /// A value is not a side.
    #[error("expected a side, `B` or `W`, found `{0}`")]
    Side(String),
    /// Pieces are set up after the first move.
    #[error("the board is changed after the first move (`{0}`): only start positions are supported")]
    LateSetUp(String),
    /// The start position is invalid.
    #[error("the start position is invalid: {0}")]
    Start(String),
    /// A value is not a result.
    #[error("expected a result such as `B+12`, `W+R` or `0`, found `{0}`")]
    Result(String),
    /// The opponent is to move.
    #[error("{0} is not to move")]
    WrongSide(Color),
    /// A move is illegal.
    #[error("illegal move `{0}`")]
    IllegalMove(String),
    /// More text follows the game.
    #[error("unexpected text after the game")]
    TrailingText,
}

type SgfResult<'a, T> = Result<T, Failure<'a, SgfErrorKind>>;

/// Reads all games of the text, at least one, for the game with this SGF number.
pub(super) fn read_all(
    game: &'static dyn AnyGame,
    number: usize,
    text: &str,
) -> Result<Vec<AnnotatedGame>, ParseSgfError> {
    let mut rest = text;
    let mut read = || -> SgfResult<'_, Vec<AnnotatedGame>> {
        let mut games = Vec::new();
        loop {
            let mut reader = GameReader::new(game, number);
            let begin = rest;
            reader.read(&mut rest)?;
            let (annotated, record) = (reader.finish()?, &begin[..begin.len() - rest.len()]);
            let (mut tree, unread) = read_tree(number, *annotated.game.start(), record);
            // Move times may follow from the remaining times.
            tree.set_notes(&annotated.notes);
            let unread = unread.iter().map(|value| UnreadText::at(text, value, UnreadKind::words(value))).collect();
            games.push(AnnotatedGame { tree: Some(tree).filter(|tree| !tree.is_plain()), unread, ..annotated });
            rest = rest.trim_start();
            match rest.chars().next() {
                None => return Ok(games),
                Some('(') => {}
                Some(_) => return Err((rest, SgfErrorKind::TrailingText)),
            }
        }
    };
    read().map_err(|(part, kind)| ParseSgfError::at(text, part, kind))
}

/// The setup of a start position.
#[derive(Debug, Default)]
struct SetUp<'a> {
    /// The first property of the setup.
    first: Option<&'a str>,
    /// The points and their new contents.
    points: Vec<(usize, Option<Color>)>,
    side: Option<Color>,
    in_hand: Option<[u32; 2]>,
}

/// The values in a node that belong to its move.
#[derive(Debug, Default)]
struct NodeValues {
    /// The side of the last move in the node.
    mover: Option<Color>,
    for_black: Option<f64>,
    seconds: Option<f64>,
    /// The seconds left for Black and White.
    left: [Option<f64>; 2],
}

/// The state of the parser.
struct GameReader<'a> {
    game: &'static dyn AnyGame,
    number: usize,
    tags: Tags,
    /// The place, used as the tournament if there is none.
    place: Option<String>,
    /// The points for Black of a game that ended early.
    score: Option<f64>,
    set_up: SetUp<'a>,
    /// The game; `None` before the first move.
    played: Option<ColoredGame<AnyPosition>>,
    node: NodeValues,
    /// The seconds left for Black and White after their last moves.
    left: [Option<f64>; 2],
}

impl<'a> GameReader<'a> {
    fn new(game: &'static dyn AnyGame, number: usize) -> Self {
        Self {
            game,
            number,
            tags: Tags::default(),
            place: None,
            score: None,
            set_up: SetUp::default(),
            played: None,
            node: NodeValues::default(),
            left: [None; 2],
        }
    }

    /// Reads a game from the start of the text: the nodes up to the first end of a variation, which
    /// are the main line.
    fn read(&mut self, rest: &mut &'a str) -> SgfResult<'a, ()> {
        let start = rest.trim_start();
        let begun = start.strip_prefix('(').filter(|game| game.trim_start().starts_with(';'));
        *rest = begun.ok_or((start, SgfErrorKind::MissingGame))?;
        let mut depth = 1;
        loop {
            *rest = rest.trim_start();
            match rest.chars().next() {
                Some(';') => self.end_node(),
                Some('(') => depth += 1,
                Some(')') => break,
                _ => {
                    self.property(rest)?;
                    continue;
                }
            }
            *rest = &rest[1..];
        }
        self.end_node();
        while depth > 0 {
            *rest = rest.trim_start();
            match rest.chars().next() {
                Some(';') => {}
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                _ => {
                    take(rest)?;
                    continue;
                }
            }
            *rest = &rest[1..];
        }
        Ok(())
    }

    fn property(&mut self, rest: &mut &'a str) -> SgfResult<'a, ()> {
        let (Property { start, name, value }, values) = take(rest)?;
        let name = capitals(name);
        match name.as_str() {
            "GM" => self.check_game(value)?,
            "SZ" => self.check_size(value)?,
            "RU" => self.check_rules(value)?,
            "RE" => {
                let (result, termination) = self.result(value)?;
                self.tags.result = result;
                self.tags.termination = self.tags.termination.or(termination);
            }
            "AB" | "AW" | "AE" | "PL" | "HB" | "HW" => self.set_up(start, &name, &values)?,
            "B" => self.play(Color::Black, value)?,
            "W" => self.play(Color::White, value)?,
            _ => self.value(&name, value),
        }
        Ok(())
    }

    /// Reads a property whose value cannot be wrong.
    fn value(&mut self, name: &str, value: &str) {
        match name {
            "PB" => self.tags.names[Color::Black.index()] = known_text(value),
            "PW" => self.tags.names[Color::White.index()] = known_text(value),
            "BR" => self.tags.ratings[Color::Black.index()] = number_of(value),
            "WR" => self.tags.ratings[Color::White.index()] = number_of(value),
            "EV" => self.tags.tournament = known_text(value),
            "PC" => self.place = known_text(value),
            "DT" => self.tags.date = known_text(value).as_deref().map(normalized_date),
            "TE" => self.tags.termination = Termination::read(value).or(self.tags.termination),
            "SCORE" => self.score = number_of(value),
            "TM" => self.left = [number_of(value); 2],
            "BL" => self.node.left[Color::Black.index()] = number_of(value),
            "WL" => self.node.left[Color::White.index()] = number_of(value),
            "ET" => self.node.seconds = number_of(value),
            "V" => self.node.for_black = number_of(value),
            _ => {}
        }
    }

    fn check_game(&self, value: &'a str) -> SgfResult<'a, ()> {
        let number = value.trim().parse().unwrap_or(0);
        let name = |number: usize| GAMES.get(number.wrapping_sub(1)).copied();
        if number == self.number || name(self.number).is_some_and(|name| name.eq_ignore_ascii_case(value.trim())) {
            return Ok(());
        }
        let found =
            name(number).map_or_else(|| format!("`{}`", value.trim()), |name| format!("{name} (`GM[{number}]`)"));
        let expected = name(self.number).unwrap_or_default();
        Err((value, SgfErrorKind::OtherGame { found, expected }))
    }

    fn check_size(&self, value: &'a str) -> SgfResult<'a, ()> {
        let expected = self.game.layout().columns;
        let is_size = self.number != OTHELLO || value.split(':').all(|size| size.trim().parse() == Ok(expected));
        let found = value.trim().to_owned();
        if is_size { Ok(()) } else { Err((value, SgfErrorKind::BoardSize { expected, found })) }
    }

    /// Compares the rules of a mill game with the expected rules. The names match if one begins
    /// with the other; only letters and digits are compared, ignoring case.
    fn check_rules(&self, value: &'a str) -> SgfResult<'a, ()> {
        let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let (found, own) = (letters(value), letters(self.game.name()));
        if self.number == OTHELLO || own.starts_with(&found) || found.starts_with(&own) {
            return Ok(());
        }
        Err((value, SgfErrorKind::OtherRules { found: value.trim().to_owned(), expected: self.game.name() }))
    }

    /// Reads a result. A side that resigns or otherwise forfeits gets no squares, as in `play`.
    fn result(&self, value: &'a str) -> SgfResult<'a, (Option<GameResult>, Option<Termination>)> {
        let squares = self.game.layout().points.len() as u32;
        let (is_margin, wrong) =
            (self.game.info().scoring == Scoring::Margin, || SgfErrorKind::Result(value.trim().to_owned()));
        let word = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        let points = |points| Ok((Some(GameResult { points }), None));
        let Some((winner, margin)) = word.split_once('+').filter(|(winner, _)| !winner.is_empty()) else {
            return match word.as_str() {
                "" | "?" | "void" => Ok((None, None)),
                "0" | "draw" | "jigo" => points(0.0),
                _ => match disc_result(&word, squares).filter(|_| is_margin) {
                    Some(Ok(discs)) => points(discs),
                    _ => Err((value, wrong())),
                },
            };
        };
        let sign = match winner.parse().map_err(|_| (value, wrong()))? {
            Color::Black => 1.0,
            Color::White => -1.0,
        };
        let all = GameResult::of_winner(self.game, Some(Color::Black)).points;
        let termination = match margin {
            "" if is_margin => Some(Termination::Other),
            _ => termination(margin),
        };
        let points = match number_of(margin).filter(|_| is_margin) {
            Some(points) if (0.0..=f64::from(squares)).contains(&points) => points,
            None if termination.is_some() || !is_margin => all,
            _ => return Err((value, wrong())),
        };
        Ok((Some(GameResult { points: sign * points }), termination))
    }

    fn set_up(&mut self, start: &'a str, name: &str, values: &[&'a str]) -> SgfResult<'a, ()> {
        if self.played.is_some() {
            return Err((start, SgfErrorKind::LateSetUp(name.to_owned())));
        }
        self.set_up.first.get_or_insert(start);
        let color = match name {
            "AB" => Some(Color::Black),
            "AW" => Some(Color::White),
            _ => None,
        };
        for &value in values {
            match name {
                "PL" => self.set_up.side = Some(side(value).ok_or((value, SgfErrorKind::Side(value.to_owned())))?),
                "HB" | "HW" => {
                    let side = if name == "HB" { Color::Black } else { Color::White };
                    let men = value.trim().parse().map_err(|_| (value, SgfErrorKind::Start(value.to_owned())))?;
                    self.set_up.in_hand.get_or_insert_default()[side.index()] = men;
                }
                _ => {
                    let points = self.points(value).ok_or((value, SgfErrorKind::Point(value.to_owned())))?;
                    self.set_up.points.extend(points.into_iter().map(|point| (point, color)));
                }
            }
        }
        Ok(())
    }

    /// Returns the points of a value: a single point, or the corners of a rectangle, `a1:c3`.
    fn points(&self, value: &str) -> Option<Vec<usize>> {
        let layout = self.game.layout();
        let point = |text: &str| layout.point_named(&point_name(self.number, text));
        let Some((first, last)) = value.split_once(':') else { return Some(vec![point(value)?]) };
        let (first, last) = (&layout.points[point(first)?], &layout.points[point(last)?]);
        let (rows, columns) = (first.row..=last.row, first.column..=last.column);
        let is_within =
            |&at: &usize| rows.contains(&layout.points[at].row) && columns.contains(&layout.points[at].column);
        Some((0..layout.points.len()).filter(is_within).collect())
    }

    /// Returns the start position. `mover` is the side to move unless the record names another.
    fn start(&self, mover: Option<Color>) -> SgfResult<'a, AnyPosition> {
        let (start, set_up) = (self.game.start(), &self.set_up);
        let Some(place) = set_up.first else { return Ok(start) };
        let is_occupied = |&(point, _): &(usize, _)| start.piece_at(point).is_some();
        let is_whole = set_up.points.iter().any(is_occupied);
        let count = self.game.layout().points.len();
        let mut pieces: Vec<_> = (0..count).map(|point| start.piece_at(point).filter(|_| !is_whole)).collect();
        set_up.points.iter().for_each(|&(point, color)| pieces[point] = color);
        let usual_hand = Color::ALL.map(|color| start.in_hand(color).filter(|_| set_up.points.is_empty()).unwrap_or(0));
        let side = set_up.side.or(mover).unwrap_or(start.side_to_move());
        let arranged = self.game.arrange(&pieces, set_up.in_hand.unwrap_or(usual_hand), side);
        arranged.map_err(|error| (place, SgfErrorKind::Start(error.to_string())))
    }

    fn play(&mut self, color: Color, value: &'a str) -> SgfResult<'a, ()> {
        let text = point_name(self.number, value);
        let is_pass = is_pass(&text);
        let started = self.played.take().map_or_else(|| self.start(Some(color)).map(ColoredGame::new), Ok);
        let played = self.played.insert(started?);
        let plies = played.notes.len();
        let find = |position: &AnyPosition| if is_pass { position.forced_pass() } else { position.find_move(&text) };
        let result = played.play(color, is_pass, Note::default(), find);
        self.node.mover = Some(color).filter(|_| played.notes.len() > plies);
        result.map_err(|error| match error {
            ColoredMoveError::WrongSide => (value, SgfErrorKind::WrongSide(color)),
            ColoredMoveError::Illegal => (value, SgfErrorKind::IllegalMove(value.trim().to_owned())),
        })
    }

    /// Adds the values of a node to its move.
    fn end_node(&mut self) {
        let node = std::mem::take(&mut self.node);
        let Some((color, note)) = node.mover.zip(self.played.as_mut().and_then(|played| played.notes.last_mut()))
        else {
            return;
        };
        note.eval = node.for_black.map(|value| if color == Color::Black { value } else { -value });
        let left = node.left[color.index()];
        let before = std::mem::replace(&mut self.left[color.index()], left);
        let used = before.zip(left).map(|(before, left)| before - left).filter(|used| *used >= 0.0);
        note.seconds = node.seconds.or(used);
    }

    fn finish(mut self) -> SgfResult<'a, AnnotatedGame> {
        let started = self.played.take().map_or_else(|| self.start(None).map(ColoredGame::new), Ok);
        let ColoredGame { game, notes } = started?;
        let mut tags = self.tags;
        tags.tournament = tags.tournament.or(self.place);
        if let (Some(result), Some(points)) = (&mut tags.result, self.score) {
            let is_same_winner = points != 0.0 && points.is_sign_positive() == (result.points > 0.0);
            result.points = if is_same_winner { points } else { result.points };
        }
        Ok(AnnotatedGame { tags, notes, ..AnnotatedGame::from(game) })
    }
}

/// Reads the comments and variations of a game. Also returns the illegal moves, each ends a
/// variation.
fn read_tree(number: usize, start: AnyPosition, mut rest: &str) -> (MoveTree, Vec<&str>) {
    let (mut tree, mut illegal) = (MoveTree::new(start), Vec::new());
    // `None` after an illegal move, up to the end of the variation.
    let (mut at, mut before) = (Some(0), Vec::new());
    loop {
        rest = rest.trim_start();
        match rest.chars().next() {
            Some('(') => {
                before.push(at);
                at = at.filter(|_| before.len() <= MoveTree::MAX_DEPTH);
            }
            Some(')') => at = before.pop().flatten(),
            Some(';') => {}
            _ => {
                let Ok((Property { name, value, .. }, _)) = take(&mut rest) else { break };
                let (name, Some(from)) = (capitals(name), at) else { continue };
                match name.as_str() {
                    "B" | "W" => {
                        let text = point_name(number, value);
                        let is_over = tree.node(from).position.is_over();
                        at = tree.play(from, |position| match is_pass(&text) {
                            true => position.forced_pass(),
                            false => position.find_move(&text),
                        });
                        // Some programs write passes after the end of the game.
                        at = at.or_else(|| (is_over && is_pass(&text)).then_some(from));
                        illegal.extend((at.is_none() && illegal.len() < MoveTree::MAX_ILLEGAL).then_some(value));
                    }
                    // Among the moves, a setup ends its variation. The setup of the start position
                    // was already read.
                    "AB" | "AW" | "AE" | "PL" if from > 0 => {
                        at = None;
                        illegal.extend((illegal.len() < MoveTree::MAX_ILLEGAL).then_some(value));
                    }
                    "C" => tree.node_mut(from).add_comment(&known_text(value).unwrap_or_default()),
                    "V" => {
                        let mover = tree.parent(from).map(|parent| tree.node(parent).position.side_to_move());
                        let sign = if mover == Some(Color::Black) { 1.0 } else { -1.0 };
                        tree.node_mut(from).note.eval = number_of(value).map(|value| sign * value);
                    }
                    "ET" => tree.node_mut(from).note.seconds = number_of(value),
                    _ => {}
                }
                continue;
            }
        }
        rest = &rest[1..];
    }
    (tree, illegal)
}

/// Returns the name of a property. In older versions, names contain lower-case letters, which are
/// ignored.
fn capitals(name: &str) -> String {
    let capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
    if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals }
}

/// Returns the name of a point in the notation of the game with this SGF number.
fn point_name(number: usize, text: &str) -> String {
    let text = text.trim().to_ascii_lowercase();
    match *text.as_bytes() {
        [column @ b'a'..=b'h', row @ b'a'..=b'h'] if number == OTHELLO => {
            format!("{}{}", char::from(column), row - b'a' + 1)
        }
        _ => text,
    }
}

fn is_pass(text: &str) -> bool {
    matches!(text, "" | "tt" | "-" | "--") || is_pass_word(text)
}

/// Takes a property with its values.
fn take<'a>(rest: &mut &'a str) -> SgfResult<'a, (Property<'a>, Vec<&'a str>)> {
    if rest.is_empty() {
        return Err((rest, SgfErrorKind::MissingEnd));
    }
    let property = take_property(rest, true).map_err(|(part, error)| match error {
        PropertyError::Missing => (part, SgfErrorKind::MissingProperty),
        PropertyError::Unclosed(name) => (part, SgfErrorKind::MissingBracket(name.to_owned())),
    })?;
    let mut values = vec![property.value];
    while rest.trim_start().starts_with('[') {
        let unclosed = || (property.start, SgfErrorKind::MissingBracket(property.name.to_owned()));
        values.push(take_value(rest, true).ok_or_else(unclosed)?);
    }
    Ok((property, values))
}

/// Returns the value, unescaped, on one line; `None` if it is empty or `?`.
fn known_text(value: &str) -> Option<String> {
    let (mut text, mut chars) = (String::new(), value.trim().chars());
    while let Some(c) = chars.next() {
        match c {
            // A line break after a backslash is ignored.
            '\\' => text.extend(chars.next().filter(|c| !c.is_ascii_control())),
            c if c.is_whitespace() => text.push(' '),
            c => text.push(c),
        }
    }
    let text = text.trim();
    (!text.is_empty() && text != "?").then(|| text.to_owned())
}

fn number_of(value: &str) -> Option<f64> {
    value.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the side that `PL` names, as a word, a letter, or in the form of old versions.
fn side(value: &str) -> Option<Color> {
    match value.trim() {
        "1" => Some(Color::Black),
        "2" => Some(Color::White),
        value => value.parse().ok(),
    }
}

/// Returns why a game ended early, from the text after the winner.
fn termination(margin: &str) -> Option<Termination> {
    match margin {
        "r" | "resign" | "resignation" => Some(Termination::Resignation),
        "t" | "time" => Some(Termination::Timeout),
        "f" | "forfeit" => Some(Termination::Other),
        _ => None,
    }
}
