//! Targets that read books: ours, with and without right checksums, those of other programs, and
//! rows.

use std::fs;
use std::path::Path;

use morello::book::foreign::{read_edax, read_egaroucid, write_edax, write_egaroucid};
use morello::book::{
    Book, BookEntry, BookError, BookFile, BookGraph, BookWriter, canonical, lines, memorized_lines, read_rows,
};
use morello::game::{AnyGame, AnyPosition, EngineOptions, Game, Limits, Position as _};
use morello::games;
use morello::othello::formats::wthor::Date;

use super::{Target, folder, texts};

/// Returns some positions of a game with entries from searches.
fn entries(game: &'static dyn AnyGame, count: u64) -> Vec<(AnyPosition, BookEntry)> {
    let mut searcher = game.searcher(&EngineOptions::new(1 << 16)).expect("a searcher");
    let mut found = |seed| {
        let played = game.random_game(seed, (seed % 6) as usize);
        let (position, _) = canonical(played.position());
        let report = searcher.best(&Game::new(position), &Limits::depth(2));
        (position, BookEntry::of_report(&position, &report, 7))
    };
    (0..count).map(&mut found).filter(|(position, _)| !position.is_over()).collect()
}

/// Writes a book with two segments.
fn write_book(path: &Path, game: &'static dyn AnyGame, entries: &[(AnyPosition, BookEntry)]) {
    let mut writer = BookWriter::open(path, game).expect("a book");
    for part in entries.chunks(entries.len() / 2 + 1) {
        part.iter().for_each(|(position, entry)| writer.put(*position, entry.clone()));
        writer.commit().expect("the entries are written");
    }
}

/// Gives the header, the segments and their pages the checksums that the guide describes, as far as
/// the structure allows.
fn sign(book: &mut [u8]) {
    const HEADER: usize = 96;
    const SEGMENT: usize = 36;
    let set = |bytes: &mut [u8], at: usize, crc: u32| {
        if let Some(place) = bytes.get_mut(at..at + 4) {
            place.copy_from_slice(&crc.to_le_bytes());
        }
    };
    let word = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..at + 8)?;
        usize::try_from(u64::from_le_bytes(word.try_into().expect("eight bytes"))).ok()
    };
    if book.len() < HEADER {
        return;
    }
    let crc = crc32fast::hash(&book[..HEADER - 4]);
    set(book, HEADER - 4, crc);
    let mut start = HEADER;
    while let Some(head) = book.get(start..start + SEGMENT - 4) {
        let crc = crc32fast::hash(head);
        set(book, start + SEGMENT - 4, crc);
        let (Some(pages), Some(length)) = (word(book, start + 16), word(book, start + 24)) else { return };
        let Some(first) = pages.checked_add(1).and_then(|count| count.checked_mul(8)?.checked_add(start + SEGMENT))
        else {
            return;
        };
        let Some(footer) = first.checked_add(length).filter(|&end| end + 8 <= book.len()) else { return };
        for page in 0..pages {
            let offset =
                |page: usize| word(book, start + SEGMENT + 8 * page).and_then(|offset| first.checked_add(offset));
            if let (Some(from), Some(to)) = (offset(page), offset(page + 1))
                && let Some(records) = from.checked_add(4).and_then(|records| book.get(records..to))
            {
                let crc = crc32fast::hash(records);
                set(book, from, crc);
            }
        }
        let crc = crc32fast::hash(&book[start..first]);
        set(book, footer, crc);
        start = footer + 8;
    }
}

/// Does everything with a book that a reader and a writer do.
fn use_book(path: &Path, game: &'static dyn AnyGame) -> Result<(), BookError> {
    let book = Book::open(path, game)?;
    let start = Game::new(game.start());
    let _ = lines(&book, &start, 4, 64.0, 64.0, 5);
    let _ = memorized_lines(&book, start.position(), 4, 1.0);
    let writer = BookWriter::open(path, game)?;
    let mut graph = BookGraph::load(&writer)?;
    graph.negamax();
    for (position, entry) in graph.iter() {
        let _ = (entry.score(position), entry.best(), entry.search_depth(), entry.is_complete(position));
    }
    graph.fix();
    Ok(())
}

#[test]
fn fuzz_books() {
    let games = ["othello-4x4", "three-mens-morris"].map(|name| games::get(name).expect("a game"));
    let known = games.map(|game| entries(game, 40));
    let folder = folder();
    let path = folder.path().join("book");
    let seeds = games.iter().zip(&known).map(|(&game, entries)| {
        let _ = fs::remove_file(&path);
        write_book(&path, game, entries);
        fs::read(&path).expect("the book")
    });
    let seeds: Vec<_> = seeds.collect();
    for seed in &seeds {
        let mut signed = seed.clone();
        sign(&mut signed);
        assert!(signed == *seed, "the checksums are those of the writer");
    }
    Target { cost: 5, ..Target::new("books", seeds) }.run(|input| {
        for (&game, known) in games.iter().zip(&known) {
            fs::write(&path, input).expect("a file");
            let _ = BookFile::game_name(&path);
            if let Ok(book) = BookFile::open(&path, game) {
                for (position, entry) in known {
                    let found = book.get(position);
                    assert!(!matches!(&found, Ok(Some(found)) if found != entry), "a damaged entry is believed");
                }
            }
            if let Ok(book) = BookFile::open_damaged(&path, game) {
                book.for_each_readable(&mut |position, entry| {
                    assert!(known.iter().any(|known| *known == (position, entry.clone())), "a damaged entry is read");
                });
            }
            let _ = use_book(&path, game);
            // With right checksums, everything that the readers do not check is believed.
            let mut signed = input.to_vec();
            sign(&mut signed);
            fs::write(&path, signed).expect("a file");
            let _ = use_book(&path, game);
        }
    });
}

#[test]
fn fuzz_foreign_books() {
    let game = games::get("othello").expect("a game");
    let mut graph = BookGraph::default();
    entries(game, 6).into_iter().for_each(|(position, entry)| graph.merge(position, &entry));
    graph.negamax();
    let (mut edax, mut egaroucid) = (Vec::new(), Vec::new());
    let date = Date::new(2026, 1, 2).expect("a date");
    write_edax(&graph, date, &mut edax).expect("a vector can be written");
    write_egaroucid(&graph, &mut egaroucid).expect("a vector can be written");
    Target::new("foreign-books", vec![edax, egaroucid]).run(|input| {
        let mut graph = BookGraph::default();
        let _ = (read_edax(input, &mut graph), read_egaroucid(input, &mut graph));
        graph.negamax();
        let mut output = Vec::new();
        write_edax(&graph, date, &mut output).expect("a vector can be written");
        assert!(read_edax(&output, &mut BookGraph::default()).is_ok(), "what is written is read back");
    });
}

#[test]
fn fuzz_rows_of_books() {
    let seeds = texts(&[
        "position,kind,move,score,certainty,plies,depth,confidence,source,linked,wins,draws,losses,unknown,day\n-----OX--XO----- \
            X,move,b1,-1.5,estimate,,12,73,morello,true,,,,,9\n-----OX--XO----- X,games,,,,,,,,,1,2,3,4,9\n",
        "{\"position\":\"-----OX--XO----- \
            X\",\"kind\":\"rest\",\"score\":3,\"certainty\":\"at-most\",\"depth\":8,\"confidence\":100,\"source\":\"edax\",\"day\":1}\n",
    ]);
    let game = games::get("othello-4x4").expect("a game");
    Target { cost: 2, ..Target::new("rows-of-books", seeds) }.run(|input| {
        let mut graph = BookGraph::default();
        let _ = (read_rows(game, input, false, &mut graph), read_rows(game, input, true, &mut graph));
        graph.negamax();
        graph.fix();
    });
}
