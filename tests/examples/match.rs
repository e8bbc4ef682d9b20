//! Plays a match of two players and estimates the difference of their strengths.
//!
//! `cargo run --release --example match --features play`

use std::error::Error;
use std::str::FromStr;

use morello::games;
use morello::players::Spec;
use morello::tournament::MatchPlan;

/// Depth 3 plays twenty games against depth 1.
pub fn main() -> Result<(), Box<dyn Error>> {
    let entrants = vec![Spec::from_str("depth=3,hash=1")?.into(), Spec::from_str("depth=1,hash=1")?.into()];
    let plan = MatchPlan { threads: 2, ..MatchPlan::new(games::get("othello")?, entrants, 20) };
    println!("{}", plan.play_all()?.summary);
    Ok(())
}
