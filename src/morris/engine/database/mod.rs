//! Endgame databases.

mod bits;
mod cells;
mod classes;
mod index;
mod ruleset;
mod sector;
mod solve;
mod subsets;
mod table;
mod value;

pub use ruleset::{BansInForce, Ruleset};
pub use sector::{ParseSectorError, Sector, Unit, plan, with_men_up_to};
pub use table::{Counts, Table, TableError};
pub use value::{Metric, Value};

/// scratch
pub fn try_build<V: crate::morris::Variant>(sectors: &[Sector], print: bool) {
    use std::collections::HashMap;
    use std::time::Instant;
    let rules = Ruleset::of::<V>().unwrap();
    let geometry = classes::Geometry::new(rules.board);
    let mut tables: HashMap<Sector, Table> = HashMap::new();
    for unit in plan(sectors, &rules) {
        let start = Instant::now();
        for s in unit.sectors() { geometry.classes(s.own); geometry.classes(s.other); }
        let monitor = solve::Monitor::default();
        let solved = solve::solve(unit, Metric::End, &rules, &geometry, &|s| tables.get(&s), &monitor, &Default::default()).unwrap();
        let t1 = start.elapsed();
        let mut slots = 0;
        let mut size = 0;
        for s in solved {
            let mut to = std::io::Cursor::new(Vec::new());
            let counts = table::pack(&rules, &geometry, s.sector, Metric::End, &|i| s.values.load(i), &mut to).unwrap();
            slots += s.sector.slots(&geometry);
            let bytes = to.into_inner();
            size += bytes.len();
            if print { println!("{} {:?}", s.sector, counts); }
            tables.insert(s.sector, Table::in_memory(bytes, &rules, &geometry, s.sector, Metric::End));
        }
        let t2 = start.elapsed();
        if slots > 100_000 { println!("   {slots} slots solve {:.2}s {:.1} M/s, pack {:.2}s, {:.2} bytes a slot, levels {}", t1.as_secs_f64(), slots as f64 / 1e6 / t1.as_secs_f64(), (t2-t1).as_secs_f64(), size as f64 / slots as f64, monitor.level.load(std::sync::atomic::Ordering::Relaxed)); }
    }
}
