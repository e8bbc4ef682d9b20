//! The log and the games of a match, and its messages.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use anyhow::bail;
use morello_command::eprint_line;
use morello_command::progress::Progress;
use morello_core::game::{AnyGame, LineFormat};
use morello_play::tournament::{EndReason, FinishedGame, MatchEvent, MatchPlan, log_line};

use super::log_file::Log;

/// Writes what happens in a match.
pub(super) struct Outputs<'a> {
    pub plan: &'a MatchPlan,
    pub progress: &'a Progress,
    /// The identity of the match.
    pub identity: String,
    pub log: Option<Log>,
    /// A file of games, and its format; `None` for move lists.
    pub games: Option<(Box<dyn Write + Send>, Option<&'static LineFormat>)>,
    /// The players whose forfeits were reported, and their reasons.
    pub reported: HashSet<(usize, EndReason)>,
}

impl Outputs<'_> {
    /// Writes a game to the log when it ends, and to the games when it is counted.
    pub fn receive(&mut self, event: MatchEvent<'_>) -> io::Result<()> {
        let names = self.plan.names();
        match (event, &mut self.log, &mut self.games) {
            (MatchEvent::Finished(record), log, _) => {
                // A single write, so that a killed process leaves whole lines.
                let line = || log_line(record, &names, &self.identity, &self.plan.provenance) + "\n";
                let logged = log.as_mut().map(|log| log(&line()));
                self.report_forfeit(record, &names);
                logged.unwrap_or(Ok(()))
            }
            (MatchEvent::Counted(record), _, Some((file, format))) => {
                let game = self.plan.annotated(record);
                let text = format.and_then(|format| format.write_game(&game)?.ok());
                writeln!(file, "{}", text.unwrap_or_else(|| self.plan.game.write_moves(&game.game)))
            }
            (MatchEvent::Counted(_), _, None) => Ok(()),
            (MatchEvent::Slow { player, game, time }, ..) => {
                let (name, seconds) = (names[player], time.as_secs_f64());
                self.progress.suspend(|| {
                    eprint_line(format_args!("game {}: `{name}` has been thinking for {seconds:.1} s", game + 1));
                });
                Ok(())
            }
            (MatchEvent::Progress(tally), ..) => {
                let planned = Some(self.plan.schedule.planned());
                self.progress.set(tally.games(), planned, &|| tally.one_line(self.plan.sprt.as_ref()));
                Ok(())
            }
        }
    }

    fn report_forfeit(&mut self, record: &FinishedGame, names: &[&str]) {
        let (Some(problem), Some(loser)) = (&record.problem, record.forfeiter()) else { return };
        let output = match (record.conversation.is_empty(), self.log.is_some()) {
            (true, _) => "",
            (false, true) => "; its last lines are in the log as `conversation`",
            (false, false) => "; --log keeps its last lines",
        };
        if self.reported.insert((loser, record.end_reason)) {
            let (game, name, reason) = (record.game + 1, names[loser], record.end_reason);
            self.progress.suspend(|| {
                eprint_line(format_args!(
                    "game {game}: `{name}` forfeits ({reason}): {problem}{output} (later ones are only counted)"
                ));
            });
        }
    }

    /// Writes what is buffered.
    pub fn finish(self) -> io::Result<()> {
        self.games.map_or(Ok(()), |(mut file, _)| file.flush())
    }
}

/// The extensions of files of move lists.
const MOVE_LISTS: [&str; 3] = ["txt", "moves", "transcript"];

/// Returns the format of games whose name is the extension of a file; `None` for move lists.
pub(super) fn format_of_games(game: &dyn AnyGame, path: &Path) -> anyhow::Result<Option<&'static LineFormat>> {
    let Some(extension) = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()) else {
        return Ok(None);
    };
    let formats = || game.formats().iter().filter(|format| format.of_games && format.writer.game.is_some());
    match formats().find(|format| format.is_named(&extension)) {
        _ if MOVE_LISTS.contains(&&*extension) => Ok(None),
        None => {
            let known = formats().filter(|format| !MOVE_LISTS.contains(&format.name));
            let mut known: Vec<_> = known.map(|format| format!(".{}", format.name)).collect();
            let or = if known.is_empty() { "" } else { "or " };
            known.push(format!("{or}.txt for move lists"));
            bail!("--save-games `{}`: no game format has this extension; use {}", path.display(), known.join(", "));
        }
        format => Ok(format),
    }
}
