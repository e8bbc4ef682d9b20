//! `morello book fix`, `merge` and `prune`: changes that need no search.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use morello_command::progress::counted;
use morello_command::{FAILED, eprint_line, files, help, numbers};
use morello_core::game::Game;
use morello_files::book::{BookFile, BookGraph, Breadth};
use morello_files::input::Input;

use super::book_arguments::{WriteArguments, root};

const FIX_EXAMPLES: &str = "\
Examples:
  morello book fix othello mine.book
  morello book fix othello imported.book     # after an import";

const MERGE_EXAMPLES: &str = "\
Examples:
  morello book merge othello mine.book yours.book
  morello book merge othello saved.book damaged.book";

const PRUNE_EXAMPLES: &str = "\
Examples:
  morello book prune othello mine.book --max-loss 4 --budget 8
  morello book prune othello mine.book --max-plies 20 --min-games 10";

/// Recompute the scores of a book and remove impossible entries
///
/// Removes illegal and duplicate moves, links moves to the positions that they lead to, recomputes
/// all negamax scores, and rewrites the file, sorted and without outdated entries.
#[derive(Debug, Args)]
#[command(before_long_help = FIX_EXAMPLES)]
pub(super) struct FixArguments {
    #[command(flatten)]
    book: WriteArguments,
}

/// Merge other books into a book
///
/// If two books have a score for the same move, the exact or deeper score is kept. Game counts are
/// added. The readable entries of a damaged book are merged.
#[derive(Debug, Args)]
#[command(before_long_help = MERGE_EXAMPLES)]
pub(super) struct MergeArguments {
    #[command(flatten)]
    book: WriteArguments,

    /// Books to merge into FILE
    #[arg(required = true)]
    others: Vec<PathBuf>,
}

/// Remove positions that bad moves lead to
///
/// Keeps the positions that moves within the limits reach from the start or from a position of a
/// named opening, and the positions with at least --min-games games.
#[derive(Debug, Args)]
#[command(before_long_help = PRUNE_EXAMPLES)]
pub(super) struct PruneArguments {
    #[command(flatten)]
    book: WriteArguments,

    /// Keep moves up to this ply [default: all]
    #[arg(long, value_name = "PLIES", help_heading = help::INPUT, value_parser = numbers::whole(0..=u32::MAX))]
    max_plies: Option<u32>,

    /// Keep moves within this many points of the best move [default: no limit]
    #[arg(long, value_name = "POINTS", value_parser = numbers::real(numbers::DIFFERENCES), help_heading = help::BOOK)]
    max_loss: Option<f64>,

    /// Maximum total loss along a line, in points [default: no limit]
    #[arg(long, value_name = "POINTS", value_parser = numbers::real(numbers::DIFFERENCES), help_heading = help::BOOK)]
    budget: Option<f64>,

    /// Also keep all positions with at least this many games
    #[arg(long, value_name = "N", help_heading = help::OUTPUT, value_parser = numbers::whole(0..=u64::MAX))]
    min_games: Option<u64>,
}

impl FixArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let mut writer = self.book.open(false)?;
        let mut graph = BookGraph::load(&writer)?;
        let (changed, positions) = (graph.fix(), graph.len());
        writer.rewrite(graph.into_entries())?;
        eprint_line(format_args!(
            "{} of {} changed",
            counted(changed as u64, "position"),
            counted(positions as u64, "position")
        ));
        Ok(ExitCode::SUCCESS)
    }
}

impl MergeArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let game = self.book.game;
        let inputs: Vec<_> = self.others.iter().map(|file| Input::File(file.clone())).collect();
        files::check_distinct(&inputs, &[&self.book.file])?;
        let others: Vec<_> =
            self.others.iter().map(|path| BookFile::open_damaged(path, game)).collect::<Result<_, _>>()?;
        let mut writer = self.book.open(true)?;
        let mut graph = BookGraph::load(&writer)?;
        let before = graph.len();
        let mut lost = false;
        for other in others {
            let mut read = 0u64;
            let damaged = other.for_each_readable(&mut |position, entry| {
                read += 1;
                graph.merge(position, &entry);
            });
            let unfinished = other.unfinished_bytes();
            lost |= damaged > 0 || unfinished > 0;
            let mut note =
                if damaged > 0 { format!(", {} skipped", counted(damaged, "damaged page")) } else { String::new() };
            if unfinished > 0 {
                note += &format!(", {} at the end cannot be read", counted(unfinished, "byte"));
            }
            eprint_line(format_args!("`{}`: {} read{note}", other.path().display(), counted(read, "position")));
        }
        graph.negamax();
        let added = graph.len() - before;
        graph.store(&mut writer)?;
        eprint_line(format_args!("{} added", counted(added as u64, "position")));
        Ok(if lost { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
    }
}

impl PruneArguments {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        if self.max_plies.is_none() && self.max_loss.is_none() && self.budget.is_none() {
            bail!("nothing limits the moves to keep; add --max-plies, --max-loss or --budget");
        }
        let game = self.book.game;
        let mut writer = self.book.open(false)?;
        let mut graph = BookGraph::load(&writer)?;
        let breadth = Breadth {
            plies: self.max_plies.unwrap_or(u32::MAX),
            error: self.max_loss.unwrap_or(f64::INFINITY),
            budget: self.budget.unwrap_or(f64::INFINITY),
            best_plies: 0,
        };
        let mut roots = vec![root(&Game::new(game.start()))];
        for opening in game.opening_names().into_iter().flat_map(|names| names.all()) {
            let mut line = Game::new(game.start());
            for &m in &opening.moves {
                line.play(m)?;
                roots.push(root(&line));
            }
        }
        let removed = graph.prune(&roots, &breadth, self.min_games);
        graph.negamax();
        let kept = graph.len();
        writer.rewrite(graph.into_entries())?;
        eprint_line(format_args!(
            "{} removed, {} kept",
            counted(removed as u64, "position"),
            counted(kept as u64, "position")
        ));
        Ok(ExitCode::SUCCESS)
    }
}
