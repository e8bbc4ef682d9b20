//! Tests of the file: round trips, readers during writes, interrupted writes and damage.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use morello_core::game::{AnyGame, AnyPosition, Certainty, Confidence, Position as _, RandomNumbers, Score, any_game};
use morello_core::games;
use morello_core::othello;

use super::*;

fn othello() -> &'static dyn AnyGame {
    any_game::<othello::Position>()
}

fn score(points: i32, depth: u8) -> BookScore {
    let provenance = Provenance { source: Source::THIS, depth, confidence: Confidence::LOWEST };
    BookScore { score: Score::of(points, Certainty::Heuristic), provenance }
}

/// An entry with some moves in a position, determined by `seed`.
fn entry(position: &AnyPosition, seed: u64) -> BookEntry {
    let mut numbers = RandomNumbers::new(seed);
    let mut entry = BookEntry { day: 7, ..BookEntry::default() };
    for m in distinct_moves(position).into_iter().take(1 + numbers.below(4)) {
        let points = numbers.below(20) as i32 - 10;
        entry.moves.push(BookMove { m, score: score(points, 12), is_linked: numbers.below(2) == 0 });
    }
    entry.games.wins = numbers.below(3) as u32;
    entry.sort();
    entry
}

/// Distinct canonical positions.
fn positions(game: &'static dyn AnyGame, count: usize) -> Vec<AnyPosition> {
    let mut found = BTreeMap::new();
    for seed in 0.. {
        let position = game.random_game(seed, 4 + (seed % 20) as usize).position().canonical();
        if !position.is_over() {
            found.insert(position.to_string(), position);
        }
        if found.len() == count {
            break;
        }
    }
    found.into_values().collect()
}

struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("test.book")
    }

    fn writer(&self) -> BookWriter {
        BookWriter::open(&self.path(), othello()).unwrap()
    }
}

fn check(file: &BookFile, positions: &[AnyPosition], seed: u64) {
    for position in positions {
        assert_eq!(file.get(position).unwrap().as_ref(), Some(&entry(position, seed)), "{position}");
    }
}

#[test]
fn entries_of_every_game_are_found_again_under_every_symmetry() {
    for &game in games::all() {
        let folder = Folder::new();
        let positions = positions(game, 300);
        let mut writer = BookWriter::open(&folder.path(), game).unwrap();
        positions.iter().for_each(|&position| writer.put(position, entry(&position, 1)));
        writer.commit().unwrap();
        drop(writer);
        let book = Book::open(&folder.path(), game).unwrap();
        check(&book.file(), &positions, 1);
        for position in &positions {
            for k in 0..game.info().symmetries {
                let image = position.transform(k);
                let found = book.get(&image).unwrap().expect("it is in the book");
                let own = entry(position, 1);
                for (found, own) in found.moves.iter().zip(&own.moves) {
                    assert_eq!(image.after(found.m).canonical(), position.after(own.m).canonical());
                    assert_eq!(found.score, own.score);
                }
            }
        }
        assert_eq!(book.get(&game.start()).unwrap(), None);
        assert_eq!(BookFile::game_name(&folder.path()).unwrap(), game.name());
    }
}

/// Writes a book of 300 positions.
fn written() -> (Folder, Vec<AnyPosition>) {
    let (folder, positions) = (Folder::new(), positions(othello(), 300));
    let mut writer = folder.writer();
    positions.iter().for_each(|&position| writer.put(position, entry(&position, 1)));
    writer.commit().unwrap();
    drop(writer);
    (folder, positions)
}

#[test]
fn a_book_that_another_program_shortens_is_damaged() {
    let (folder, positions) = written();
    let book = Book::open(&folder.path(), othello()).unwrap();
    check(&book.file(), &positions, 1);
    for len in [4096, 70, 0] {
        fs::OpenOptions::new().write(true).open(folder.path()).unwrap().set_len(len).unwrap();
        let found: Vec<_> = positions.iter().map(|position| book.get(position)).collect();
        assert!(found.iter().any(Result::is_err), "{len}");
        let is_right = |(position, found): (&AnyPosition, &Option<BookEntry>)| *found == Some(entry(position, 1));
        let read = positions.iter().zip(&found).filter_map(|(position, found)| Some((position, found.as_ref().ok()?)));
        assert!({ read }.all(is_right), "{len}");
    }
}

#[test]
fn a_table_of_overlapping_pages_is_damaged_in_spite_of_its_checksum() {
    let (folder, _) = written();
    let whole = fs::read(folder.path()).unwrap();
    // The segment follows the header of the file. Its number of pages is at byte 16.
    let (start, table) = (96, 96 + 36);
    let pages = u64::from_le_bytes(*whole[start + 16..].first_chunk().unwrap()) as usize;
    let at = |page: usize| table + 8 * page..table + 8 * page + 8;
    let changes: [fn(u64) -> u64; 3] = [|_| 0, |end| end, |end| end + 1];
    for change in changes {
        let mut bytes = whole.clone();
        let end = u64::from_le_bytes(*bytes[at(pages)].first_chunk().unwrap());
        bytes[at(pages / 2)].copy_from_slice(&change(end).to_le_bytes());
        let checksum = crc32fast::hash(&bytes[start..at(pages).end]).to_le_bytes();
        let footer = bytes.len() - 8;
        bytes[footer..footer + 4].copy_from_slice(&checksum);
        fs::write(folder.path(), &bytes).unwrap();
        assert!(matches!(BookFile::open(&folder.path(), othello()), Err(BookError::Damaged { .. })), "{end}");
    }
    // Each second page holds all records, with a right checksum, but the footer is wrong.
    let mut bytes = whole;
    let (first, end) = (at(pages).end, u64::from_le_bytes(*bytes[at(pages)].first_chunk().unwrap()));
    (0..=pages).for_each(|page| bytes[at(page)].copy_from_slice(&[0, end][page % 2].to_le_bytes()));
    let records = first + 4..first + end as usize;
    let checksum = crc32fast::hash(&bytes[records]).to_le_bytes();
    bytes[first..first + 4].copy_from_slice(&checksum);
    fs::write(folder.path(), &bytes).unwrap();
    let book = BookFile::open_damaged(&folder.path(), othello()).unwrap();
    let mut found = 0;
    assert!(book.for_each_readable(&mut |_, _| found += 1) > 0);
    // Two pages as long as the segment, each read up to its first damaged record.
    assert!((1..=40).contains(&found), "{found}");
}

#[test]
fn a_book_of_very_many_segments_is_damaged() {
    let (folder, positions) = written();
    let bytes = fs::read(folder.path()).unwrap();
    let with = |count| {
        fs::write(folder.path(), [&bytes[..96], &bytes[96..].repeat(count)].concat()).unwrap();
        BookFile::open(&folder.path(), othello())
    };
    check(&with(256).unwrap(), &positions, 1);
    assert!(matches!(with(257), Err(BookError::Damaged { .. })));
    let saved = BookFile::open_damaged(&folder.path(), othello()).unwrap();
    let mut found = 0;
    assert_eq!((saved.for_each_readable(&mut |_, _| found += 1), found), (0, 300));
}

#[test]
fn more_records_than_bytes_are_damage() {
    let (folder, _) = written();
    let mut bytes = fs::read(folder.path()).unwrap();
    bytes[96 + 8..96 + 16].copy_from_slice(&u64::MAX.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[96..96 + 32]).to_le_bytes();
    bytes[96 + 32..96 + 36].copy_from_slice(&checksum);
    fs::write(folder.path(), &bytes).unwrap();
    assert!(matches!(BookFile::open(&folder.path(), othello()), Err(BookError::Damaged { .. })));
    assert_eq!(BookFile::open_damaged(&folder.path(), othello()).unwrap().most_positions(), 0);
}

#[cfg(unix)]
#[test]
fn a_book_that_is_a_link_remains_one_and_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let (folder, positions) = (Folder::new(), positions(othello(), 30));
    drop(folder.writer());
    let real = folder.folder.path().join("real.book");
    fs::rename(folder.path(), &real).unwrap();
    symlink(&real, folder.path()).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    // The remains of an interrupted process make the writer replace the file.
    fs::OpenOptions::new().append(true).open(&real).unwrap().write_all(b"x").unwrap();
    let mut writer = folder.writer();
    positions.iter().for_each(|&position| writer.put(position, entry(&position, 1)));
    writer.compact().unwrap();
    drop(writer);
    assert!(fs::symlink_metadata(folder.path()).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    check(&BookFile::open(&real, othello()).unwrap(), &positions, 1);
}

#[test]
fn the_last_change_of_many_commits_is_found() {
    let folder = Folder::new();
    let all = positions(othello(), 400);
    let (mut writer, mut numbers) = (folder.writer(), RandomNumbers::new(5));
    let mut expected = BTreeMap::new();
    for round in 0..120 {
        for _ in 0..numbers.below(12) {
            let position = all[numbers.below(all.len())];
            writer.put(position, entry(&position, round));
            expected.insert(position.to_string(), (position, round));
        }
        if numbers.below(3) > 0 {
            writer.commit().unwrap();
        }
        if numbers.below(40) == 0 {
            writer.compact().unwrap();
        }
        if numbers.below(10) == 0 {
            writer.commit().unwrap();
            drop(writer);
            writer = folder.writer();
        }
        let mut found = BTreeMap::new();
        writer.for_each(&mut |position, entry| drop(found.insert(position.to_string(), entry))).unwrap();
        assert_eq!(found.len(), expected.len());
        for (text, (position, round)) in &expected {
            assert_eq!(found[text], entry(position, *round));
            assert_eq!(writer.get(position).unwrap(), Some(entry(position, *round)));
        }
    }
    writer.commit().unwrap();
    assert!(writer.committed().segments.len() < 8, "{}", writer.committed().segments.len());
    assert!(expected.len() > 200);
    // Rewriting removes replaced entries, and keeps all current ones.
    let before = fs::metadata(folder.path()).unwrap().len();
    writer.compact().unwrap();
    assert!(fs::metadata(folder.path()).unwrap().len() < before);
    assert_eq!(writer.committed().most_positions(), expected.len() as u64);
    for (position, round) in expected.values() {
        assert_eq!(writer.get(position).unwrap(), Some(entry(position, *round)));
    }
}

#[test]
fn readers_see_commits_but_not_pending_changes_and_a_second_writer_is_refused() {
    let folder = Folder::new();
    let positions = positions(othello(), 60);
    let mut writer = folder.writer();
    assert!(matches!(BookWriter::open(&folder.path(), othello()), Err(BookError::InUse(_))));
    let reader = Book::open(&folder.path(), othello()).unwrap();
    let old = reader.file();
    for (round, part) in positions.chunks(20).enumerate() {
        part.iter().for_each(|&position| writer.put(position, entry(&position, 1)));
        reader.refresh().unwrap();
        assert_eq!(reader.get(&part[0]).unwrap(), None, "it is not committed");
        if round == 1 {
            writer.compact().unwrap()
        } else {
            writer.commit().unwrap()
        }
        reader.refresh().unwrap();
        check(&reader.file(), &positions[..20 * (round + 1)], 1);
        // The lock also excludes a writer in another process, which opens the new file.
        assert!(matches!(BookWriter::open(&folder.path(), othello()), Err(BookError::InUse(_))));
    }
    // A reader that does not refresh sees the previous state of the book.
    assert_eq!(old.get(&positions[0]).unwrap(), None);
    drop(writer);
    assert!(BookWriter::open(&folder.path(), othello()).is_ok());
}

#[test]
fn a_write_that_was_interrupted_at_any_byte_loses_only_its_own_changes() {
    let folder = Folder::new();
    let all = positions(othello(), 70);
    let (first, second) = all.split_at(40);
    let mut writer = folder.writer();
    first.iter().for_each(|&position| writer.put(position, entry(&position, 1)));
    writer.commit().unwrap();
    let before = fs::read(folder.path()).unwrap().len();
    second.iter().take(10).for_each(|&position| writer.put(position, entry(&position, 2)));
    first.iter().take(1).for_each(|&position| writer.put(position, entry(&position, 2)));
    writer.commit().unwrap();
    drop(writer);
    let whole = fs::read(folder.path()).unwrap();
    assert!(whole.len() > before + 100);
    for end in before..whole.len() {
        let crashed = [&whole[..end], &vec![0; (end % 3) * 50]].concat();
        for bytes in [&whole[..end], &crashed] {
            fs::write(folder.path(), bytes).unwrap();
            // Readers and the next writer see the previous state.
            check(&BookFile::open(&folder.path(), othello()).unwrap(), first, 1);
        }
        let mut writer = folder.writer();
        assert_eq!(fs::metadata(folder.path()).unwrap().len(), before as u64);
        if end % 16 == 0 {
            second.iter().for_each(|&position| writer.put(position, entry(&position, 3)));
            writer.commit().unwrap();
            check(writer.committed(), first, 1);
            check(writer.committed(), second, 3);
        }
    }
    // A new file whose header was not completed is started afresh only if it is empty.
    fs::write(folder.path(), b"").unwrap();
    drop(folder.writer());
    fs::write(folder.path(), &whole[..10]).unwrap();
    assert!(matches!(BookWriter::open(&folder.path(), othello()), Err(BookError::NotABook(_))));
}

#[test]
fn every_changed_byte_is_noticed_or_does_not_matter() {
    let folder = Folder::new();
    let positions = positions(othello(), 40);
    let mut writer = folder.writer();
    positions.iter().for_each(|&position| writer.put(position, entry(&position, 1)));
    writer.commit().unwrap();
    drop(writer);
    let whole = fs::read(folder.path()).unwrap();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(folder.path(), &changed).unwrap();
        let Ok(file) = BookFile::open(&folder.path(), othello()) else { continue };
        // Each entry is either correct or an error, or all are missing because the last segment
        // looks incomplete.
        let found: Vec<_> = positions.iter().map(|position| file.get(position)).collect();
        if found.iter().all(|found| matches!(found, Ok(None))) {
            assert!(at + 8 >= whole.len(), "byte {at} of {}", whole.len());
            continue;
        }
        for (position, found) in positions.iter().zip(found) {
            match found {
                Err(BookError::Damaged { .. }) => {}
                Err(error) => panic!("{error}"),
                Ok(found) => assert_eq!(found, Some(entry(position, 1)), "byte {at}"),
            }
        }
    }
}

#[test]
fn foreign_files_are_refused_with_a_remedy() {
    let folder = Folder::new();
    let refused = |bytes: &[u8], message: &str| {
        fs::write(folder.path(), bytes).unwrap();
        let reader = BookFile::open(&folder.path(), othello()).unwrap_err().to_string();
        assert!(reader.contains(message), "{reader}");
        let writer = BookWriter::open(&folder.path(), othello()).unwrap_err().to_string();
        assert_eq!(writer, reader);
        assert_eq!(fs::read(folder.path()).unwrap(), bytes, "the file is unchanged");
    };
    refused(b"XADEKOOB1234567890", "`morello book import` reads Edax and Egaroucid books");
    refused(&[7; 200], "is not a morello book");
    let mut other = file::header(othello(), 1);
    refused(&other[..40], "damaged at byte 0");
    other[14] = 9;
    refused(&other, "has format version 9");
    refused(&file::header(any_game::<othello::SizedPosition<6>>(), 1), "is a book for othello-6x6, not othello");
    let error = BookFile::open(folder.folder.path(), othello()).unwrap_err().to_string();
    assert!(error.contains("is not a morello book"), "{error}");
    let error = BookFile::open(&folder.folder.path().join("none"), othello()).unwrap_err().to_string();
    assert!(error.contains("cannot access the book"), "{error}");
}

#[test]
fn moves_are_chosen_by_weight_within_the_budget() {
    let folder = Folder::new();
    let start = othello().start().canonical();
    let position = start.after(distinct_moves(&start)[0]).canonical();
    let moves = distinct_moves(&position);
    let mut writer = folder.writer();
    let known = |m, points| BookMove { m, score: score(points, 10), is_linked: false };
    let entry =
        BookEntry { moves: vec![known(moves[0], 2), known(moves[1], 1), known(moves[2], -3)], ..BookEntry::default() };
    writer.put(position, entry);
    writer.commit().unwrap();
    let book = Book::open(&folder.path(), othello()).unwrap();
    let mut numbers = RandomNumbers::new(1);
    let mut counts = |variety: f64| {
        let mut counts = [0; 3];
        for _ in 0..600 {
            let chosen = book.choose(&position, variety, &mut numbers).unwrap().unwrap();
            counts[moves.iter().position(|&m| m == chosen.m).unwrap()] += 1;
        }
        counts
    };
    assert_eq!(counts(0.0), [600, 0, 0]);
    let one = counts(1.0);
    assert!(one[0] > 500 && (20..100).contains(&one[1]) && one[2] == 0, "{one:?}");
    let five = counts(5.0);
    assert!(five[0] > five[1] && five[1] > five[2] && five[2] > 0, "{five:?}");
    assert_eq!(book.choose(&start, 1.0, &mut RandomNumbers::new(1)).unwrap(), None);
}
