//! `morello practice openings`: asks for the moves of openings.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use morello_analysis::collection::{GameFilter, NamePattern, SelectedGames};
use morello_analysis::trainer::{CardFile, Lesson, Question, Repertoire, RepertoireOptions, Replies};
use morello_command::input_arguments::FormatArguments;
use morello_command::progress::counted;
use morello_command::usage::PositionParser;
use morello_command::{eprint_line, files, help, numbers, values};
use morello_core::game::{AnyGame, AnyMove, Cancel, Color, EngineOptions, Game, Searcher};
use morello_files::book::{Book, BookGraph, learn};
use morello_files::input::GameRecord;
use morello_play::session::SEPARATE_TABLES;

use super::ColorArguments;
use super::prompt::{Answer, Prompt, Task, say};
use crate::cli::board_style::board_style;
use crate::cli::book::{game_parser, open_book};
use crate::cli::data_folder::data_folder;
use crate::cli::review::text::{WIDTH, loss_text, wrapped};
use crate::cli::variety_arguments::VARIETIES;

/// The plies of a refutation that are shown.
const SHOWN_PLIES: usize = 5;

const EXAMPLES: &str = "\
Examples:
  morello practice openings othello
  morello practice openings othello --side white --position Tiger --max-loss 0.5
  morello practice openings othello --replies tricky --new 5
  morello practice openings othello mygames.pgn --player anna
  morello practice openings othello --named-openings --position f5d6c3";

/// Learn openings by spaced repetition
///
/// morello plays the lines of a repertoire, asks for the moves of your side, and explains why a
/// move is wrong. A position that you know returns after a day, then after 2, 4 and more days, up
/// to 128; a position that you missed returns in the same session. Due positions come first, then
/// new positions. You learn one answer to each reply: the best move, or the last correct move that
/// you gave.
///
/// By default, the repertoire is the opening book, and moves within --max-loss points of the best
/// move are correct. With FILES, the repertoire contains the moves of their games; with
/// --named-openings, it contains the moves of the named openings.
#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game
    #[arg(value_parser = game_parser())]
    game: &'static dyn AnyGame,

    /// Files of games or lines whose moves are correct [default: the book]
    #[arg(conflicts_with = "named_openings")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArguments,

    /// Games of this player on the side that you learn, by any part of the name
    #[arg(long, value_name = "NAME", requires = "files", help_heading = help::FILTERS)]
    player: Vec<NamePattern>,

    /// Learn the moves of the named openings instead of the book moves
    #[arg(long, help_heading = help::OPENINGS)]
    named_openings: bool,

    /// Side that you learn: black or white
    #[arg(long, value_name = "SIDE", default_value = "black", help_heading = help::OPENINGS)]
    side: Color,

    /// Begin lines at this position, after these moves or after a named opening
    ///
    /// In Othello, r20:7 is a random position with 20 discs and seed 7, and xot:7 is the seventh
    /// XOT start, a balanced position after eight moves.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true,
        value_parser = PositionParser, help_heading = help::INPUT)]
    position: Option<String>,

    /// Accept book moves within this many points of the best move
    #[arg(long, value_name = "POINTS", default_value = "0",
        value_parser = numbers::real(VARIETIES), help_heading = help::BOOK,
        conflicts_with_all = ["files", "named_openings"])]
    max_loss: f64,

    /// Follow lines up to this ply
    #[arg(long, value_name = "PLIES", default_value = "20", help_heading = help::INPUT,
        value_parser = numbers::whole(1..=400_u32))]
    max_plies: u32,

    /// Which replies come first
    #[arg(long, value_enum, value_name = "ORDER", default_value = "frequency", help_heading = help::OPENINGS)]
    replies: ReplyOrder,

    /// Book file [default: the built-in book]
    #[arg(long, value_name = "FILE", help_heading = help::BOOK)]
    book: Option<PathBuf>,

    /// Ask at most N new positions
    #[arg(long, value_name = "N", default_value = "10", help_heading = help::OPENINGS,
        value_parser = numbers::whole(0..=usize::MAX))]
    new: usize,

    /// Save your progress in this file
    ///
    /// The file is created if it does not exist. The default is ~/.local/share/morello/cards.jsonl
    /// on Linux, ~/Library/Application Support/morello/cards.jsonl on macOS and
    /// %LOCALAPPDATA%\morello\data\cards.jsonl on Windows.
    #[arg(long, value_name = "FILE", help_heading = help::OUTPUT)]
    cards: Option<PathBuf>,

    #[command(flatten)]
    color: ColorArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReplyOrder {
    /// Most frequent replies first; without games, good moves first
    Frequency,
    /// Replies after which your moves lose most, weighted by how likely they are
    Tricky,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let repertoire = arguments.repertoire()?;
    let mut session = Session {
        game: arguments.game,
        cards: arguments.open_cards()?,
        prompt: Prompt::new(board_style(arguments.color.color)),
        task: arguments.task(),
        searcher: None,
        new: arguments.new,
        asked: 0,
        right: 0,
    };
    let left = loop {
        let lesson = repertoire.lesson(session.cards.cards(), now(), session.new)?;
        if lesson.positions == 0 {
            bail!(
                "the repertoire has no moves of {} to practice; choose another --position, --side or book, or a \
                    larger --max-plies",
                arguments.side
            );
        }
        if lesson.questions.is_empty() || !session.play(&lesson.questions)? {
            break repertoire.lesson(session.cards.cards(), now(), session.new)?;
        }
    };
    if session.asked > 0 {
        say(&format!("\n{} of {} right at the first try.", session.right, session.asked))?;
    }
    say(&status(&left, now()))?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Returns whether the repertoire is the book.
    fn is_of_book(&self) -> bool {
        self.files.is_empty() && !self.named_openings
    }

    fn task(&self) -> Task {
        let (text, solution) = match self.is_of_book() {
            true => ("find the best move", "The best move is"),
            false => ("find the move of the repertoire", "The repertoire has"),
        };
        Task { text: text.to_owned(), solution, shows_skipped: true }
    }

    fn repertoire(&self) -> anyhow::Result<Repertoire> {
        let game = self.game;
        let start = self.position.as_deref().map(|text| values::game(game, "--position", text)).transpose()?;
        let start = start.unwrap_or_else(|| Game::new(game.start()));
        let replies = match self.replies {
            ReplyOrder::Frequency => Replies::Frequency,
            ReplyOrder::Tricky => Replies::Tricky,
        };
        let (plies, error) = (self.max_plies as usize, self.max_loss);
        let options = RepertoireOptions { plies, error, replies, ..RepertoireOptions::new(self.side) };
        let has_book = self.book.is_some() || Book::built_in(game).is_some();
        if self.is_of_book() {
            return Ok(Repertoire::of_book(start, Arc::new(open_book(game, self.book.as_deref())?), options));
        }
        let book = if has_book { Some(Arc::new(open_book(game, self.book.as_deref())?)) } else { None };
        let games = if self.named_openings { self.named()? } else { self.played()? };
        Ok(Repertoire::of_games(start, games, book, options))
    }

    /// Returns the named openings as a book in memory.
    fn named(&self) -> anyhow::Result<BookGraph> {
        let Some(names) = self.game.opening_names() else {
            bail!("--named-openings: the openings of {} have no names; use othello, or FILES", self.game.name())
        };
        let mut graph = BookGraph::default();
        names.all().iter().for_each(|named| {
            learn(&mut graph, &named.game(self.game), self.max_plies as usize, None);
        });
        Ok(graph)
    }

    /// Returns the games of the files as a book in memory.
    fn played(&self) -> anyhow::Result<BookGraph> {
        let inputs = files::inputs(&self.files)?;
        let reader = files::reader(self.game, inputs, &self.format.input_format(self.game)?)?;
        let mut filter = GameFilter::default();
        filter.players.clone_from(&self.player);
        let (side, has_player) = (self.side as usize, !self.player.is_empty());
        let select = move |GameRecord { game, .. }: GameRecord| {
            let is_selected = filter.matches(&game) && (!has_player || filter.sides(&game.tags)[side]);
            is_selected.then_some(game.game)
        };
        let mut graph = BookGraph::default();
        for batch in SelectedGames::new(reader, 1, &Cancel::new(), select) {
            batch.invalid.iter().for_each(|(file, error)| files::report_invalid(file, error));
            if let Some(error) = batch.error {
                return Err(error.into());
            }
            batch.selected.iter().for_each(|game| {
                learn(&mut graph, game, self.max_plies as usize, None);
            });
        }
        if graph.is_empty() {
            bail!("the options select no game of `{}`", files::names(&self.files));
        }
        Ok(graph)
    }

    /// Opens the file of the cards.
    fn open_cards(&self) -> anyhow::Result<CardFile> {
        let path = match &self.cards {
            Some(path) => path.clone(),
            None => {
                let folder = data_folder()
                    .context("no home directory, which holds the cards by default; choose a file with --cards")?;
                fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
                folder.join("cards.jsonl")
            }
        };
        let cards = CardFile::open(&path, self.game).with_context(|| format!("--cards `{}`", path.display()))?;
        if cards.torn_bytes() > 0 {
            eprint_line(format_args!("`{}`: an incomplete last line was removed", path.display()));
        }
        Ok(cards)
    }
}

/// A session at the terminal.
struct Session {
    game: &'static dyn AnyGame,
    cards: CardFile,
    prompt: Prompt,
    task: Task,
    /// Made for the first wrong answer.
    searcher: Option<Box<dyn Searcher>>,
    /// The number of new positions that may still be asked.
    new: usize,
    asked: u64,
    right: u64,
}

impl Session {
    /// Asks the questions of a line; returns whether the user goes on.
    fn play(&mut self, questions: &[Question]) -> anyhow::Result<bool> {
        for question in questions {
            let kind = if question.card.is_new() { "new" } else { "review" };
            say(&format!("\nQuestion {} ({kind})", self.asked + 1))?;
            if let Some(source) = &question.exercise.source {
                wrapped(source.split(' ').map(str::to_owned), WIDTH).iter().try_for_each(|line| say(line))?;
            }
            let (cards, searcher, game) = (&mut self.cards, &mut self.searcher, self.game);
            let mut is_recorded = false;
            let answer = self.prompt.ask(&question.line, &question.exercise, &self.task, &mut |m| {
                if !std::mem::replace(&mut is_recorded, true) {
                    cards.add(question.card.answered(None, now())).context("cannot write the card")?;
                }
                wrong(question, m, game, searcher)
            })?;
            let answered = match answer {
                Answer::Quit if !is_recorded => return Ok(false),
                Answer::None if !is_recorded => {
                    self.cards.add(question.card.answered(None, now())).context("cannot write the card")?;
                    None
                }
                Answer::Right(m, true) => {
                    let card = question.answered(&m.to_string(), now());
                    self.cards.add(card).context("cannot write the card")?;
                    self.right += 1;
                    Some(m.to_string())
                }
                Answer::Right(m, false) => Some(m.to_string()),
                Answer::None | Answer::Quit => None,
            };
            self.asked += 1;
            self.new = self.new.saturating_sub(usize::from(question.card.is_new()));
            match answered {
                _ if matches!(answer, Answer::Quit) => return Ok(false),
                // The line goes on elsewhere.
                Some(m) if m != question.exercise.best[0] => return Ok(true),
                _ => {}
            }
        }
        Ok(true)
    }
}

/// Says why a move is wrong.
fn wrong(
    question: &Question,
    m: AnyMove,
    game: &'static dyn AnyGame,
    searcher: &mut Option<Box<dyn Searcher>>,
) -> anyhow::Result<String> {
    let searcher = match searcher {
        Some(searcher) => searcher,
        none => none.insert(game.searcher(&EngineOptions::new(SEPARATE_TABLES))?),
    };
    let found = question.refute::<anyhow::Error>(m, &mut |game, limits| {
        searcher.clear();
        Ok(searcher.best(game, limits))
    })?;
    let mut words = vec![match found.loss {
        Some(loss) if loss > 0.0 => format!("{m} loses {}", loss_text(game.info().scoring, loss)),
        _ => format!("{m} is not in the repertoire, though no move is known to be better"),
    }];
    words.extend(found.reason.map(|reason| format!("it {}", reason.words(game))));
    if !found.line.is_empty() {
        let line: Vec<_> = found.line.iter().take(SHOWN_PLIES).map(ToString::to_string).collect();
        words.push(format!("then {}", line.join(" ")));
    }
    let text = format!("{}. Try again.", words.join("; "));
    Ok(wrapped(text.split(' ').map(str::to_owned), WIDTH).join("\n"))
}

/// Returns how many positions are learned, and when the next position is due.
fn status(lesson: &Lesson, now: u64) -> String {
    let learned = format!("{} of {} learned.", lesson.learnt, counted(lesson.positions as u64, "position"));
    let more = match (lesson.due, lesson.next_due) {
        (0, Some(due)) => format!(" Next review in {}.", time_text(due.saturating_sub(now))),
        (0, None) => String::new(),
        (due, _) => format!(" {} due.", if due == 1 { "1 is".to_owned() } else { format!("{due} are") }),
    };
    learned + &more
}

/// Returns a time in words, rounded up: `20 hours`.
fn time_text(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    let unit = UNITS.into_iter().find(|(unit, _)| seconds >= 2 * unit).unwrap_or((60, "minute"));
    counted(seconds.div_ceil(unit.0).max(1), unit.1)
}

/// Returns the time in seconds since the beginning of 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
