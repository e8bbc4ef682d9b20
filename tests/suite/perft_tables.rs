//! The known perft values of every game, as far as they are counted in no time.

use morello::game::{Command, Playable};
use morello::games;
use morello::perft::{self, Reference};

/// The leaves that are counted for a known value, at most.
const MOST: u64 = 3_000_000;

struct Check(&'static str);

impl Command for Check {
    type Output = ();

    fn run<P: Playable>(self) {
        let table = Reference::<P>::parse_table(self.0).expect("the table is well formed");
        for known in table.iter().filter(|known| known.nodes <= MOST) {
            let nodes = perft::count(&known.position, known.depth, known.convention);
            assert_eq!(nodes, known.nodes, "{} {known:?}", P::NAME);
        }
    }
}

#[test]
fn every_game_counts_what_is_known() {
    for name in games::NAMES {
        games::run(name, Check(games::perft_table(name).unwrap())).unwrap();
    }
}
