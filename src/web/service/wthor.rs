//! [`games`]: reads the files of a WTHOR database that are opened together.
//!
//! Games refer to players and tournaments by number. The page sends the games files (`.wtb`) and
//! the names files (`.jou`, `.trn`) one after another; the header of each file contains its length.

use morello_core::game::AnnotatedGame;
use morello_core::othello::formats::wthor::{
    HEADER_BYTES, Header, NameKind, NameTable, Names, ParseWthorError, RECORD_BYTES, read,
};

/// The maximum number of files: more than are published, at one per year.
const MAX_FILES: usize = 100;

/// Returns the games with their names; `None` if the bytes are not several files.
pub fn games(bytes: &[u8]) -> Option<impl Iterator<Item = Result<AnnotatedGame, ParseWthorError>>> {
    let files = split(bytes, &[NameKind::Players, NameKind::Tournaments], MAX_FILES).filter(|files| files.len() > 1)?;
    let table = |kind| {
        let file = files.iter().find(|file| file.0 == Some(kind));
        file.map_or(Some(NameTable::default()), |file| NameTable::read(file.1, kind).ok())
    };
    let names = Names { players: table(NameKind::Players)?, tournaments: table(NameKind::Tournaments)? };
    let records = files.into_iter().filter(|file| file.0.is_none()).flat_map(|(_, file)| {
        let header = file.first_chunk().and_then(|head| Header::read(head).ok());
        header.into_iter().flat_map(|header| {
            file[HEADER_BYTES..].as_chunks::<RECORD_BYTES>().0.iter().map(move |record| (header, record))
        })
    });
    Some(records.map(move |(header, record)| Ok(read(record, &header, &names)?.into_any())))
}

/// Splits the bytes into at most `most` files: The kind `None` means a games file. A names file
/// does not say which of the `kinds` it has; only one of them fits the following files.
fn split<'a>(bytes: &'a [u8], kinds: &[NameKind], most: usize) -> Option<Vec<(Option<NameKind>, &'a [u8])>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let header = Header::read(bytes.first_chunk()?).ok().filter(|_| most > 0)?;
    let with_rest = |kind: Option<NameKind>| {
        let names_bytes = |kind: NameKind| (HEADER_BYTES + kind.record_bytes() * usize::from(header.names)) as u64;
        let size = kind.map_or(header.file_bytes(), names_bytes);
        let (file, rest) = bytes.split_at_checked(usize::try_from(size).ok()?)?;
        let kinds: Vec<_> = kinds.iter().copied().filter(|&other| Some(other) != kind).collect();
        Some([vec![(kind, file)], split(rest, &kinds, most - 1)?].concat())
    };
    if header.names == 0 { with_rest(None) } else { kinds.iter().find_map(|&kind| with_rest(Some(kind))) }
}

#[cfg(test)]
mod tests {
    use morello_core::othello::formats::wthor::Date;

    use super::*;

    #[test]
    fn files_in_any_order_give_games_with_names() {
        let created = Date::new(2026, 1, 31).unwrap();
        let head = |games, names| {
            Header { created, games, names, year: 1977, board_size: 8, kind: 0, depth: 0 }.write().to_vec()
        };
        let table = |texts: [&str; 2], kind: NameKind| {
            let mut bytes = head(0, 2);
            for (text, count) in texts.iter().zip(1..) {
                bytes.extend(text.bytes());
                bytes.resize(HEADER_BYTES + count * kind.record_bytes(), 0);
            }
            bytes
        };
        let mut record = [0; RECORD_BYTES];
        record[..11].copy_from_slice(&[1, 0, 1, 0, 0, 0, 34, 0, 56, 64, 33]);
        let game = [head(1, 0), record.to_vec()].concat();
        let players = table(["Anna", "Bob"], NameKind::Players);
        let tournaments = table(["???", "Open"], NameKind::Tournaments);
        for files in [[&tournaments, &game, &players], [&players, &tournaments, &game]] {
            let bytes = files.into_iter().flatten().copied().collect::<Vec<_>>();
            let found: Vec<_> = games(&bytes).unwrap().map(Result::unwrap).collect();
            assert_eq!((found.len(), found[0].game.moves().len()), (1, 3));
            assert_eq!(found[0].tags.names, [Some("Bob".to_owned()), Some("Anna".to_owned())]);
            assert_eq!(found[0].tags.tournament.as_deref(), Some("Open"));
        }
        assert!(games(&game).is_none() && games(b"f5d6").is_none() && games(&[]).is_none());
    }
}
