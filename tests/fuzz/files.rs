//! Targets that read persistent files: checkpoints, logs, caches, training games, weights, tables.

use std::fs;

use morello::analysis::Cache;
use morello::analysis::checkpoint::AnalysisCheckpoint;
use morello::game::{AnyPosition, Cancel, EngineOptions, Game, Limits};
use morello::games;
use morello::morris::engine::database::{Build, BuildProgress, Database, Metric, StoredValues};
use morello::othello::engine::network::NetworkParameters;
use morello::othello::engine::patterns::{FULL, ORDER, SampleCounts, Weights};
use morello::perft::{Convention, PerftCheckpoint, perft_of};
use morello::tournament::read_log;

use super::target_files::{run_with_file, written};
use super::{Target, folder, texts};

#[test]
fn fuzz_analysis_checkpoints() {
    let valid = written(|path| AnalysisCheckpoint::new("a".to_owned()).write(path).expect("a checkpoint"));
    let mut seeds = vec![valid];
    seeds.extend(texts(&["{\"version\":2,\"depths\":{\"3\":5}}"]));
    run_with_file(&Target::new("analysis-checkpoints", seeds), |path| {
        if let Ok(Some(checkpoint)) = AnalysisCheckpoint::read(path, "a") {
            assert_eq!((checkpoint.records, checkpoint.rows_bytes), (0, 0));
            let summary = checkpoint.statistics.summary("othello", None, &checkpoint.play);
            assert_eq!(summary.positions, 0);
        }
    });
}

#[test]
fn fuzz_perft_checkpoints() {
    let othello = games::get("othello").expect("a game");
    let root: AnyPosition = othello.start();
    let perft = perft_of::<morello::othello::Position>();
    let frontier =
        perft.frontier(&root, 5, Convention::PassesCount, 1 << 20, &Cancel::new(), &|_, _| ()).expect("a frontier");
    let valid = written(|path| {
        let mut checkpoint = PerftCheckpoint::open(path, &root, &*frontier).expect("a checkpoint");
        checkpoint.add(0, 7).expect("a chunk");
        checkpoint.add(1, 9).expect("a chunk");
    });
    run_with_file(&Target::new("perft-checkpoints", vec![valid]), |path| {
        if let Ok(checkpoint) = PerftCheckpoint::open(path, &root, &*frontier) {
            for (chunk, nodes) in checkpoint.known().iter().enumerate() {
                let expected = [Some(7), Some(9)].get(chunk).copied().flatten();
                assert!(nodes.is_none() || *nodes == expected, "chunk {chunk}: {nodes:?}");
            }
        }
    });
}

#[test]
fn fuzz_match_logs() {
    let seeds = texts(&[concat!(
        r#"{"match":"id","rules":"othello-4x4","game":0,"opening":0,"black":"a","white":"b","result":"black","score":8,"#,
        r#""end_reason":"rules","problem":null,"#,
        r#""start":null,"opening_moves":"b1 a1","moves":"a2 a3","engines":[{"name":"a","moves":1,"nodes":null,"moves_with_nodes":0,"#,
        r#""depths":null,"moves_with_depth":0,"mean_depth":null,"time_ms":1.5,"max_time_ms":1.5}],"checksum":"0123456789abcdef"}"#,
        "\n"
    )]);
    let game = games::get("othello-4x4").expect("a game");
    Target::new("match-logs", seeds).run(|input| {
        if let Ok((records, bytes)) = read_log(game, input, &["a", "b"], "id") {
            assert!(records.is_empty() && bytes <= input.len() as u64, "no mutated line has a correct checksum");
        }
    });
}

#[test]
fn fuzz_caches() {
    let any = games::get("othello-4x4").expect("a game");
    let all: Vec<Game> = (0..4).map(|seed| any.random_game(seed, 4)).collect();
    let mut searcher = any.searcher(&EngineOptions::new(1 << 16)).expect("a searcher");
    let reports: Vec<_> = all.iter().map(|game| searcher.best(game, &Limits::depth(3))).collect();
    let valid = written(|path| {
        let cache = Cache::open(path, "a", true).expect("a cache");
        all.iter().zip(&reports).for_each(|(game, report)| cache.add(game, report));
    });
    run_with_file(&Target::new("caches", vec![valid, vec![0]]), |path| {
        let Ok(cache) = Cache::open(path, "a", true) else { return };
        for (game, report) in all.iter().zip(&reports) {
            if let Some(found) = cache.find(game) {
                assert_eq!((found.nodes, &found.lines), (report.nodes, &report.lines));
            }
            cache.add(game, report);
        }
    });
}

#[test]
fn fuzz_weights() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/core/data/weights/othello-order.weights");
    let order = fs::read(file).expect("the weights");
    // Whole weights would make each input slow; their beginning has the header and the first
    // blocks.
    let seeds =
        vec![order[..300].to_vec(), [b"MORNETWK\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec(), order[20..200].to_vec()].concat()];
    Target::new("weights", seeds).run(|input| {
        assert!(Weights::decode(&FULL, input).is_err() && NetworkParameters::decode(input).is_err());
        let _ = (Weights::decode(&ORDER, input), SampleCounts::decode(&ORDER, input));
    });
}

#[test]
fn fuzz_tables() {
    let mill = games::mill("three-mens-morris").expect("a mill game");
    let rules = mill.ruleset().expect("rules");
    let sector = "2-2+1-1".parse().expect("a sector");
    let folder = folder();
    let build = Build::open(folder.path(), rules, &[sector], StoredValues::Distances).expect("a build");
    build.run(&BuildProgress::default(), &Cancel::new(), |_| ()).expect("tables");
    let path = folder.path().join("2-2+1-1.table");
    let valid = fs::read(&path).expect("the table");
    let game = games::get("three-mens-morris").expect("a game");
    let played = (0..40).map(|seed| game.random_game(seed, 4));
    let positions: Vec<AnyPosition> = played.flat_map(|game| game.positions().to_vec()).collect();
    let positions: Vec<_> = positions.into_iter().filter(|position| mill.sector_of(position) == sector).collect();
    // The other tables were not changed, so a position has the right result or none.
    let read = |database: &Database| -> Vec<_> {
        let probe = |position| database.probe(position, 0).ok().flatten();
        positions.iter().map(|position| probe(position).map(|probe| probe.value)).collect()
    };
    let expected = read(&Database::open(folder.path(), rules).expect("a database"));
    assert!(expected.len() > 10 && expected.iter().all(Option::is_some), "{expected:?}");
    Target { cost: 4, max_len: 4000, ..Target::new("tables", vec![valid]) }.run(|input| {
        fs::write(&path, input).expect("a file");
        let database = Database::open(folder.path(), rules).expect("a database");
        let found = read(&database);
        assert!(found.iter().zip(&expected).all(|(found, expected)| found.is_none() || found == expected));
        if let Some(table) = database.table(sector, Metric::End) {
            let _ = table.check_all();
        }
    });
}
