//! [`GameView`] describes a game in progress for display. [`BoardView`] describes what is the same
//! in every position of a game, such as the board. Pairs have values for Black and White.

use morello_core::game::{
    AnyGame, AnyMove, AnyPosition, Color, DEFAULT_LEVEL, Game, LEVELS, Layout, NAMED_LEVELS, Position as _,
    RuleSummary, Scoring, Terminology,
};
use morello_files::book::{Book, BookMove, BookScore, move_images};
use serde::Serialize;

use super::end_view::EndView;
use super::game::Session;

/// A kind of game: its title, rules, board, terms and formats.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BoardView {
    /// The name of the game.
    pub game: &'static str,
    /// The title shown to users.
    pub title: &'static str,
    /// A one-line description, without a full stop.
    pub about: &'static str,
    /// The rules that players must know, in the order in which to explain them.
    pub rules: Vec<RuleSummary>,
    /// The board.
    pub layout: Layout,
    /// The words for the pieces and captures.
    pub words: Terminology,
    /// Whether the margin of a win counts, as in Othello.
    pub counts_margin: bool,
    /// The largest possible number of points.
    pub most_points: u32,
    /// The side that moves first.
    pub first: Color,
    /// The pieces in hand at the start, in games that have them.
    pub in_hand: Option<[u32; 2]>,
    /// The highest level of play.
    pub levels: u32,
    /// The names of the named levels, from the weakest.
    pub named_levels: Vec<&'static str>,
    /// The default level of play.
    pub default_level: String,
    /// The formats, in the order of detection.
    pub formats: Vec<FormatView>,
}

/// A format of positions or games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FormatView {
    /// Its name.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// Whether it is a format of games rather than positions.
    pub of_games: bool,
    /// Whether it can be written; all formats can be read.
    pub is_written: bool,
}

/// A game in progress.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GameView {
    /// The name of the game.
    pub game: &'static str,
    /// The start position; `None` for the standard start position.
    pub start: Option<String>,
    /// The moves, including undone ones.
    pub moves: Vec<String>,
    /// The number of moves played in the current position.
    pub ply: usize,
    /// The current position, in the notation of the game.
    pub position: String,
    /// The side to move in the start position.
    pub first: Color,
    /// The side to move.
    pub side: Color,
    /// The piece on each point of the layout.
    pub pieces: Vec<Option<Color>>,
    /// The number of pieces on the board.
    pub counts: [usize; 2],
    /// The number of pieces in hand, in games that have them.
    pub in_hand: Option<[u32; 2]>,
    /// The legal moves; empty if the game is over.
    pub legal: Vec<MoveView>,
    /// The last move.
    pub last: Option<MoveView>,
    /// The result, if the game is over.
    pub end: Option<EndView>,
    /// The last named opening up to the current position; `None` if there is none.
    pub opening: Option<OpeningView>,
    /// The moves of the built-in opening book, the best first. All symmetric moves are listed.
    pub book: Vec<BookMoveView>,
    /// An upper bound for the score of all other moves, in points for the side to move; `None` if
    /// it is not below the score of the best move.
    pub book_others: Option<f64>,
}

/// A move of the opening book.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BookMoveView {
    /// The move, as text.
    pub text: String,
    /// The score, in points for the side to move.
    pub score: f64,
    /// Whether the score is proved.
    pub is_exact: bool,
    /// The number of plies to the end of the game, if a win or loss is proved.
    pub plies: Option<u32>,
    /// The search depth, in plies.
    pub depth: u8,
}

/// A named opening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OpeningView {
    /// The most common name.
    pub name: &'static str,
    /// Other names.
    pub other_names: Vec<&'static str>,
    /// The number of plies after which the game reached it.
    pub ply: usize,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MoveView {
    /// The move, as text.
    pub text: String,
    /// The points of the move, in the order in which a user selects them.
    pub points: Vec<usize>,
    /// All points that the move changes.
    pub changes: Vec<usize>,
    /// Whether it is a pass.
    pub is_pass: bool,
}

impl BoardView {
    /// Describes a kind of game.
    ///
    /// ```
    /// use morello::games;
    /// use morello::session::BoardView;
    ///
    /// let view = BoardView::new(games::get("nine-mens-morris")?);
    /// assert_eq!((view.layout.points.len(), view.in_hand, view.counts_margin), (24, Some([9, 9]), false));
    /// # Ok::<(), morello::games::UnknownGame>(())
    /// ```
    #[must_use]
    pub fn new(game: &dyn AnyGame) -> Self {
        let (start, layout, info) = (game.start(), game.layout(), game.info());
        let formats = game.formats().iter().map(|format| FormatView {
            name: format.name,
            about: format.about,
            of_games: format.of_games,
            is_written: format.writer.game.is_some() || format.writer.position.is_some(),
        });
        let counts_margin = info.scoring == Scoring::Margin;
        Self {
            game: info.name,
            title: info.title,
            about: info.about,
            rules: game.rules(),
            words: info.terminology,
            counts_margin,
            most_points: if counts_margin { layout.points.len() as u32 } else { 1 },
            layout,
            first: start.side_to_move(),
            in_hand: in_hand(&start),
            levels: LEVELS,
            named_levels: NAMED_LEVELS.iter().map(|level| level.name).collect(),
            default_level: DEFAULT_LEVEL.to_string(),
            formats: formats.collect(),
        }
    }
}

impl Session {
    /// Describes the current state of the game.
    ///
    /// ```
    /// use morello::games;
    /// use morello::session::Session;
    ///
    /// let mut session = Session::new(games::get("othello")?);
    /// session.load("f5f6")?;
    /// let view = session.view();
    /// assert_eq!((view.ply, view.counts, view.opening.map(|opening| opening.name)), (2, [3, 3], Some("Diagonal")));
    /// assert!(view.legal.iter().any(|m| m.text == "e6" && m.changes.len() == 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> GameView {
        let (rules, game) = (self.rules(), self.game());
        let (position, start) = (game.position(), game.start());
        let points = rules.layout().points.len();
        let pieces = pieces(position, points);
        let count = |color| pieces.iter().filter(|&&piece| piece == Some(color)).count();
        let moves = game.moves().iter().chain(self.undone.iter().rev());
        let end = game.end();
        let legal = position.legal_moves().filter(|_| end.is_none()).map(|m| MoveView::new(position, m, points));
        let (book, book_others) = if end.is_none() { book_moves(position) } else { (Vec::new(), None) };
        let last = game.moves().last().zip(game.positions().iter().rev().nth(1));
        GameView {
            game: rules.name(),
            start: (*start != rules.start()).then(|| start.to_string()),
            moves: moves.map(ToString::to_string).collect(),
            ply: game.moves().len(),
            position: position.to_string(),
            first: start.side_to_move(),
            side: position.side_to_move(),
            counts: Color::ALL.map(count),
            pieces,
            in_hand: in_hand(position),
            legal: legal.collect(),
            last: last.map(|(&m, before)| MoveView::new(before, m, points)),
            end: end.map(|end| EndView::new(game, end)),
            opening: OpeningView::new(game),
            book,
            book_others,
        }
    }
}

impl OpeningView {
    /// Describes the last named opening of a game.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::read_game;
    /// use morello::session::OpeningView;
    ///
    /// let opening = OpeningView::new(&read_game(games::get("othello")?, "f5f6e6")?).expect("it has a name");
    /// assert_eq!((opening.name, opening.ply), ("Diagonal", 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &Game) -> Option<Self> {
        let names = game.position().game().opening_names()?;
        let opening = names.at_ply(game, usize::MAX)?;
        let ply = game.positions().iter().rposition(|position| names.get(position) == Some(opening))?;
        let other_names = opening.other_names.split(';').filter(|name| !name.is_empty()).collect();
        Some(Self { name: opening.name, other_names, ply })
    }
}

impl MoveView {
    /// Describes a legal move on a board with `points` points.
    fn new(position: &AnyPosition, m: AnyMove, points: usize) -> Self {
        let after = pieces(&position.after(m), points);
        let changes =
            pieces(position, points).into_iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
        Self {
            text: m.to_string(),
            points: m.path().points().collect(),
            changes: changes.map(|(point, _)| point).collect(),
            is_pass: m.is_pass(),
        }
    }
}

/// Returns the moves of the built-in opening book, and the upper bound for other moves. If the book
/// cannot be read, returns no moves.
fn book_moves(position: &AnyPosition) -> (Vec<BookMoveView>, Option<f64>) {
    let book = Book::built_in(position.game()).and_then(Result::ok);
    let entry = book.and_then(|book| book.get(position).ok().flatten()).unwrap_or_default();
    let views = |known: &BookMove| {
        let BookScore { score, provenance } = known.score;
        let view = move |m: AnyMove| BookMoveView {
            text: m.to_string(),
            score: score.points(),
            is_exact: score.is_exact(),
            plies: score.plies,
            depth: provenance.depth,
        };
        move_images(position, known.m).into_iter().map(view).collect::<Vec<_>>()
    };
    let others = entry.rest.map(|rest| rest.score.points());
    let others = others.filter(|others| entry.best().is_some_and(|best| *others < best.score.score.points()));
    (entry.moves.iter().flat_map(views).collect(), others)
}

fn pieces(position: &AnyPosition, points: usize) -> Vec<Option<Color>> {
    (0..points).map(|point| position.piece_at(point)).collect()
}

fn in_hand(position: &AnyPosition) -> Option<[u32; 2]> {
    let [black, white] = Color::ALL.map(|color| position.in_hand(color));
    black.zip(white).map(|(black, white)| [black, white])
}
