//! Plays a match of two players and estimates the difference of their strengths.
//!
//! `cargo run --release --example match --features tournament`

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use morello::game::{Cancel, DrawRules, EngineOptions, Limits, Player};
use morello::games;
use morello::players::EnginePlayer;
use morello::tournament::openings::OpeningSource;
use morello::tournament::{Match, MatchRules, Players, Schedule, Tally, run};

/// Depth 3 plays twenty games against depth 1.
pub fn main() -> Result<(), Box<dyn Error>> {
    let game = games::get("othello")?;
    let never = Cancel::new();
    let source = OpeningSource::Random(game.opening_policy());
    let openings = source.find(game, DrawRules::default(), 1, 1, &never, &mut |_, _| ())?.ok_or("cancelled")?;
    let schedule = Schedule::of_match(20, 1);
    let plan = Match {
        schedule: &schedule,
        openings: &openings,
        rules: MatchRules::new(game.standard_draw_rules()),
        move_limit: Duration::from_secs(60),
        played: &BTreeMap::new(),
    };
    let player = |depth| -> Result<Box<dyn Player>, Box<dyn Error>> {
        Ok(Box::new(EnginePlayer::new(game, &EngineOptions::new(1 << 20), Limits::depth(depth))?))
    };
    // One set of players for each thread.
    let players = (0..2).map(|_| Ok(vec![player(3)?, player(1)?])).collect::<Result<Vec<Players>, Box<dyn Error>>>()?;
    let mut tally = Tally::new(2);
    run(&plan, players, &never, &never, &mut |game| {
        tally.add(&game);
        Ok(())
    })?;
    println!("{}", tally.one_line(None));
    Ok(())
}
