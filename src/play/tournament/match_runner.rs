//! [`MatchRunner`]: plays a match from its plan to its result.

use std::time::Instant;

use morello_core::game::{Cancel, PlayerError};
use morello_files::output::plot::PlotError;

use super::match_progress::{MatchEvent, MatchProgress, OnMatchEvent};
use super::openings::{OpeningSet, OpeningSource};
use super::plot::{self, History};
use super::runner::{self, Players, RunError, RunEvent};
use super::watchdog::WatchedMove;
use super::{Entrant, FinishedGame, MatchError, MatchPlan, MatchSummary, ReadLogError};

/// A match whose players are ready and whose openings are known.
pub struct MatchRunner<'a> {
    plan: &'a MatchPlan,
    start: Instant,
    /// The players and openings; `None` if the match was stopped before they were ready. The games
    /// of an earlier run are still reported.
    ready: Option<(Vec<Players>, OpeningSet)>,
}

morello_core::debug_fields!(MatchRunner<'_> { plan });

/// The result of a match, possibly of an unfinished one.
#[derive(Debug)]
#[non_exhaustive]
pub struct MatchResult {
    /// The summary.
    pub summary: MatchSummary,
    /// Whether all games were played, or the SPRT has decided.
    pub is_complete: bool,
    /// The number of rounds if there are fewer openings than rounds, so that openings are reused.
    pub rounds_of_reused_openings: Option<usize>,
    /// The error that aborted the match, if any.
    pub outcome: Result<(), RunError>,
    history: History,
}

impl MatchResult {
    /// Draws the history of a match, or the ratings of a tournament, as SVG.
    ///
    /// ```
    /// use morello::games;
    /// use morello::players::Spec;
    /// use morello::tournament::MatchPlan;
    ///
    /// let entrants = vec!["depth=1,hash=1".parse::<Spec>()?.into(), "random".parse::<Spec>()?.into()];
    /// let result = MatchPlan::new(games::get("three-mens-morris")?, entrants, 8).play_all()?;
    /// assert!(result.plot()?.starts_with("<svg"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlotError`] if the plotting library fails.
    pub fn plot(&self) -> Result<String, PlotError> {
        match self.summary.standing {
            Some(_) => self.history.svg(&self.summary),
            None => plot::ratings_svg(&self.summary),
        }
    }
}

impl MatchPlan {
    /// Plays the match. Raising `cancel` aborts the running games. Returns `None` if cancelled
    /// before the first game.
    ///
    /// ```
    /// use morello::game::Cancel;
    /// use morello::games;
    /// use morello::players::Spec;
    /// use morello::tournament::{MatchEvent, MatchPlan};
    ///
    /// let entrants = ["depth=1,hash=1", "random"].map(|text| text.parse::<Spec>().map(Into::into));
    /// let entrants = entrants.into_iter().collect::<Result<_, _>>()?;
    /// let plan = MatchPlan::new(games::get("three-mens-morris")?, entrants, 4);
    /// // A signal handler may raise it.
    /// let cancel = Cancel::new();
    /// let mut counted = Vec::new();
    /// let result = plan.play(&cancel, &mut |event| {
    ///     if let MatchEvent::Counted(game) = event {
    ///         counted.push(game.game);
    ///     }
    ///     Ok(())
    /// })?;
    /// assert!(result.is_some_and(|result| result.is_complete));
    /// assert_eq!(counted, [0, 1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatchError`] if the match cannot be played.
    pub fn play(&self, cancel: &Cancel, on_event: &mut OnMatchEvent<'_>) -> Result<Option<MatchResult>, MatchError> {
        let runner = MatchRunner::new(self, cancel, &mut |_, _, _| ())?;
        Ok(runner.map(|runner| runner.run(cancel, on_event)))
    }

    /// Plays all games, without cancellation and without events.
    ///
    /// ```
    /// use morello::games;
    /// use morello::players::Spec;
    /// use morello::tournament::MatchPlan;
    ///
    /// let entrants = ["depth=1,hash=1", "depth=2,hash=1", "random"].map(|text| text.parse::<Spec>().map(Into::into));
    /// let entrants = entrants.into_iter().collect::<Result<_, _>>()?;
    /// let plan = MatchPlan::new(games::get("three-mens-morris")?, entrants, 12);
    /// let summary = plan.play_all()?.summary;
    /// assert_eq!((summary.encounters.len(), summary.engines.len()), (3, 3));
    /// assert!(summary.engines.iter().all(|engine| engine.rating.is_some()));
    /// let alone = MatchPlan::new(plan.game, vec![], 2);
    /// assert_eq!(alone.play_all().unwrap_err().to_string(), "a match requires at least two engines; add another");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatchError`] if the match cannot be played.
    pub fn play_all(&self) -> Result<MatchResult, MatchError> {
        let never = Cancel::new();
        Ok(self.play(&never, &mut |_| Ok(()))?.expect("nothing stops the match before its first game"))
    }

    /// Creates the players of every thread and checks that each can play; `None` if cancelled.
    pub(super) fn players(&self, cancel: &Cancel) -> Result<Option<Vec<Players>>, MatchError> {
        let player = |entrant: &Entrant| {
            let failed = |source| MatchError::Player { name: entrant.name.clone(), source };
            let player = (entrant.player)(self.game, self.database.as_ref());
            let mut player = player.map_err(|error| failed(error.into()))?;
            match player.prepare(0, cancel) {
                Err(PlayerError::Cancelled) => Ok(None),
                ready => ready.map(|()| Some(player)).map_err(|error| failed(error.into())),
            }
        };
        let players = (0..self.thread_count()).map(|_| self.entrants.iter().map(player).collect());
        let players: Option<Vec<Players>> = players.collect::<Result<_, MatchError>>()?;
        Ok(players.filter(|_| !cancel.is_cancelled()))
    }

    /// Finds the openings, and draws the openings used by an earlier run; `None` if cancelled.
    pub(super) fn find_openings(
        &self,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(&str, usize, usize),
    ) -> Result<Option<OpeningSet>, MatchError> {
        let (draws, threads) = (self.rules.settings, self.thread_count());
        if let OpeningSource::Random(policy) = &self.openings
            && draws.ply_cap.is_some_and(|cap| cap <= *policy.plies.end())
        {
            return Err(MatchError::OpeningEnds { number: 1, plies: *policy.plies.end() as usize });
        }
        let mut searched = |done, all| on_progress("positions searched", done, all);
        let found = self.openings.find(self.game, draws, self.schedule.seed, threads, cancel, &mut searched)?;
        let Some(found) = found else { return Ok(None) };
        if let Some((number, opening)) = found.first_ending(draws) {
            return Err(MatchError::OpeningEnds { number: number + 1, plies: opening.moves.len() });
        }
        let rounds = self.replayed().next_back().map_or(0, |last| self.schedule.pairing(last.game).round + 1);
        found.draw(rounds, threads, cancel, &mut |done| on_progress("openings drawn", done, rounds));
        Ok(Some(found).filter(|_| !cancel.is_cancelled()))
    }

    /// Checks that the games of an earlier run match the schedule. Their openings are checked only
    /// if they are known.
    fn check_played(&self, openings: Option<&OpeningSet>) -> Result<(), ReadLogError> {
        let is_scheduled = |record: &&FinishedGame| {
            let pairing = self.schedule.pairing(record.game);
            let opening = openings.and_then(|openings| openings.opening(pairing.round, &Cancel::new()));
            pairing.players == record.players && opening.is_none_or(|(number, _)| number == record.opening)
        };
        match self.replayed().find(|record| !is_scheduled(record)) {
            Some(record) => Err(ReadLogError::Game { game: record.game }),
            None => Ok(()),
        }
    }
}

impl<'a> MatchRunner<'a> {
    /// Creates the players and finds the openings. `on_progress` receives what is being done, how
    /// many are done and the total. Returns `None` if cancelled before the first game and there are
    /// no games of an earlier run.
    ///
    /// # Errors
    /// [`MatchError`] if the match cannot be played.
    pub fn new(
        plan: &'a MatchPlan,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(&str, usize, usize),
    ) -> Result<Option<Self>, MatchError> {
        plan.check()?;
        let start = Instant::now();
        let players = plan.players(cancel)?;
        let openings = players.as_ref().map(|_| plan.find_openings(cancel, on_progress)).transpose()?.flatten();
        plan.check_played(openings.as_ref())?;
        let ready = players.zip(openings);
        let has_games = ready.is_some() || plan.replayed().next().is_some();
        Ok(has_games.then_some(Self { plan, start, ready }))
    }

    /// Counts the games of an earlier run and plays the others. Raising `cancel` aborts the running
    /// games.
    #[must_use]
    pub fn run(self, cancel: &Cancel, on_event: &mut OnMatchEvent<'_>) -> MatchResult {
        let plan = self.plan;
        let abort = &cancel.child();
        let mut progress = MatchProgress::new(plan);
        let replayed = plan.replayed().cloned().try_for_each(|record| progress.add(record, on_event));
        if progress.is_decided {
            abort.cancel();
        }
        let mut keep = |event: RunEvent| {
            let mut record = match event {
                RunEvent::Finished(record) => *record,
                RunEvent::Slow(WatchedMove { player, game, .. }, time) => {
                    return on_event(MatchEvent::Slow { player, game, time });
                }
            };
            if !plan.has_times {
                record.clear_times();
            }
            on_event(MatchEvent::Finished(&record))?;
            progress.add(record, on_event)?;
            if progress.is_decided {
                abort.cancel();
            }
            on_event(MatchEvent::Progress(&progress.tally))
        };
        let (players, openings) = self.ready.unzip();
        let played = match (replayed, players, &openings) {
            (Ok(()), Some(players), Some(openings)) => {
                runner::run(plan, 0..plan.schedule.games, openings, players, abort, &mut keep)
            }
            (replayed, ..) => replayed.map_err(RunError::Event),
        };
        let ended = progress.end(on_event).map_err(RunError::Event);
        let tally = &progress.tally;
        // A shard has games from all rounds, but not all their openings have been drawn.
        let is_whole = plan.schedule.shard.1 == 1;
        let rounds = plan.schedule.rounds_of(if is_whole { tally.games() } else { plan.schedule.games });
        let summary = match &openings {
            Some(openings) => openings.summary(rounds),
            None => plan.openings.interrupted(plan.replayed()),
        };
        let is_reused = is_whole && openings.is_some() && summary.count < rounds;
        let elapsed = plan.has_times.then(|| self.start.elapsed());
        MatchResult {
            is_complete: tally.games() >= plan.schedule.planned() || progress.is_decided,
            summary: MatchSummary::new(plan, summary, tally, elapsed),
            rounds_of_reused_openings: is_reused.then_some(rounds),
            outcome: played.and(ended),
            history: progress.history,
        }
    }
}
