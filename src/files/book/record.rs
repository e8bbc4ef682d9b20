//! The binary form of an entry. The guide describes it.
//!
//! A record consists of the length of the rest, the key and the body. The key is the packed
//! canonical position without its zero bytes; the body is an entry.

use morello_core::game::{AnyPosition, Confidence, Packed, Score};

use super::entry::{BookEntry, BookMove, BookScore, CERTAINTIES, GameCounts, Provenance, Source};

/// The bits of the first byte of the body.
const HAS_REST: u8 = 1;
const HAS_GAMES: u8 = 2;

/// The bits in the flags of a score. The lowest two bits are the certainty.
const IS_LINKED: u8 = 4;
/// The score is a whole number of points, in one byte; otherwise it is in thousandths, as a
/// variable-length number.
const IS_WHOLE: u8 = 8;
/// The score has its own provenance; otherwise it has the provenance of the entry.
const HAS_PROVENANCE: u8 = 16;
/// The score has a number of plies.
const HAS_PLIES: u8 = 32;

/// The first byte of the keys of Othello positions. Both boards follow, 16 bytes, and this byte is
/// the third word.
const PLAIN_KEYS: [u64; 2] = [0, 1];
/// The first byte of other keys. A mask of the nonzero bytes follows, three bytes, and then these
/// bytes.
const MASKED_KEY: u8 = 2;

/// The maximum score in a book, in points: the number of squares of the largest board. The scores
/// of the mill games are at most 1.
pub(super) const MAX_POINTS: u32 = 64;

/// A record or page that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damaged;

/// Returns a uniform hash of a packed position. The file format depends on it.
pub(super) fn hash(packed: Packed) -> u64 {
    packed.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash, word| {
        let z = (hash ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 32)
    })
}

/// Returns the key of a packed position.
pub(super) fn key(packed: Packed) -> Vec<u8> {
    let boards = packed.map(u64::to_le_bytes);
    let boards = boards.as_flattened();
    let used: Vec<u8> = boards.iter().copied().filter(|&byte| byte != 0).collect();
    // With fewer bytes, the mask and the bytes are shorter than both boards.
    if PLAIN_KEYS.contains(&packed[2]) && used.len() >= 13 {
        return [&[packed[2] as u8], &boards[..16]].concat();
    }
    let mask = boards.iter().enumerate().fold(0u32, |mask, (at, &byte)| mask | u32::from(byte != 0) << at);
    [&[MASKED_KEY], &mask.to_le_bytes()[..3], &used].concat()
}

/// Reads a key from the start of `bytes` and removes it.
pub(super) fn read_key(bytes: &mut &[u8]) -> Result<Packed, Damaged> {
    let kind = byte(bytes)?;
    let mut key = [0; 24];
    if kind == MASKED_KEY {
        let mask = u32::from(byte(bytes)?) | u32::from(byte(bytes)?) << 8 | u32::from(byte(bytes)?) << 16;
        for (at, place) in key.iter_mut().enumerate() {
            if mask & 1 << at != 0 {
                *place = byte(bytes)?;
            }
        }
    } else if kind < MASKED_KEY {
        key[..16].copy_from_slice(bytes.split_off(..16).ok_or(Damaged)?);
        key[16] = kind;
    } else {
        return Err(Damaged);
    }
    let (words, _) = key.as_chunks();
    Ok([0, 1, 2].map(|at| u64::from_le_bytes(words[at])))
}

/// Writes the body of an entry.
pub(super) fn write_body(entry: &BookEntry, to: &mut Vec<u8>) {
    let has_games = entry.games != GameCounts::default();
    to.push(if entry.rest.is_some() { HAS_REST } else { 0 } | if has_games { HAS_GAMES } else { 0 });
    write_number(entry.day.into(), to);
    let scores = entry.moves.iter().map(|known| &known.score).chain(&entry.rest);
    let mut common: Vec<(Provenance, usize)> = Vec::new();
    for &BookScore { provenance, .. } in scores {
        match common.iter_mut().find(|(known, _)| *known == provenance) {
            Some((_, count)) => *count += 1,
            None => common.push((provenance, 1)),
        }
    }
    // Any of the most frequent provenances would do, but the output must depend only on the entry.
    let most = common.iter().map(|&(_, count)| count).max();
    let common = common.iter().find(|&&(_, count)| Some(count) == most).map(|&(provenance, _)| provenance);
    write_number(entry.moves.len() as u64, to);
    if let Some(provenance) = common {
        write_provenance(provenance, to);
    }
    for known in &entry.moves {
        write_number(u16::from(known.m).into(), to);
        write_score(&known.score, known.is_linked, common, to);
    }
    if let Some(rest) = &entry.rest {
        write_score(rest, false, common, to);
    }
    if has_games {
        let GameCounts { wins, draws, losses, unknown } = entry.games;
        [wins, draws, losses, unknown].into_iter().for_each(|count| write_number(count.into(), to));
    }
}

/// Reads the body of the entry of a position.
pub(super) fn read_body(mut bytes: &[u8], position: &AnyPosition) -> Result<BookEntry, Damaged> {
    let from = &mut bytes;
    let flags = byte(from)?;
    let day = u16::try_from(read_number(from)?).map_err(|_| Damaged)?;
    let count = read_number(from)? as usize;
    let has_scores = count > 0 || flags & HAS_REST != 0;
    let common = if has_scores { Some(read_provenance(from)?) } else { None };
    // A wrong count must not reserve more space than the position can have moves.
    let moves = Vec::with_capacity(count.min(from.len()));
    let mut entry = BookEntry { moves, day, ..BookEntry::default() };
    for _ in 0..count {
        let number = u16::try_from(read_number(from)?).map_err(|_| Damaged)?;
        let (score, is_linked) = read_score(from, common)?;
        let m = position.numbered_move(number).ok_or(Damaged)?;
        entry.moves.push(BookMove { m, score, is_linked });
    }
    if flags & HAS_REST != 0 {
        entry.rest = Some(read_score(from, common)?.0);
    }
    if flags & HAS_GAMES != 0 {
        let mut count = || u32::try_from(read_number(from)?).map_err(|_| Damaged);
        entry.games = GameCounts { wins: count()?, draws: count()?, losses: count()?, unknown: count()? };
    }
    if bytes.is_empty() { Ok(entry) } else { Err(Damaged) }
}

fn write_provenance(provenance: Provenance, to: &mut Vec<u8>) {
    to.extend([provenance.source.code(), provenance.depth, provenance.confidence.index()]);
}

fn read_provenance(from: &mut &[u8]) -> Result<Provenance, Damaged> {
    let (source, depth, confidence) = (byte(from)?, byte(from)?, byte(from)?);
    Ok(Provenance { source: Source::from_code(source), depth, confidence: Confidence::from_index(confidence) })
}

fn write_score(score: &BookScore, is_linked: bool, common: Option<Provenance>, to: &mut Vec<u8>) {
    let Score { thousandths, certainty, plies } = score.score;
    let whole = i8::try_from(thousandths / Score::POINT).ok().filter(|_| thousandths % Score::POINT == 0);
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let has_own = common != Some(score.provenance);
    let certainty = CERTAINTIES.iter().position(|&(known, _)| known == certainty).expect("all are in the list");
    to.push(
        certainty as u8
            | flag(is_linked, IS_LINKED)
            | flag(whole.is_some(), IS_WHOLE)
            | flag(has_own, HAS_PROVENANCE)
            | flag(plies.is_some(), HAS_PLIES),
    );
    match whole {
        Some(whole) => to.push(whole as u8),
        None => write_number(u64::from((thousandths << 1 ^ thousandths >> 31) as u32), to),
    }
    if has_own {
        write_provenance(score.provenance, to);
    }
    if let Some(plies) = plies {
        write_number(plies.into(), to);
    }
}

/// Reads a score, and whether its move is linked.
fn read_score(from: &mut &[u8], common: Option<Provenance>) -> Result<(BookScore, bool), Damaged> {
    let flags = byte(from)?;
    let certainty = CERTAINTIES[usize::from(flags & 3)].0;
    let thousandths = if flags & IS_WHOLE != 0 {
        i32::from(byte(from)? as i8) * Score::POINT
    } else {
        let number = u32::try_from(read_number(from)?).map_err(|_| Damaged)?;
        (number >> 1) as i32 ^ -((number & 1) as i32)
    };
    if thousandths.unsigned_abs() > MAX_POINTS * Score::POINT.unsigned_abs() {
        return Err(Damaged);
    }
    let provenance = if flags & HAS_PROVENANCE != 0 { read_provenance(from)? } else { common.ok_or(Damaged)? };
    let plies = match flags & HAS_PLIES {
        0 => None,
        _ => Some(u32::try_from(read_number(from)?).map_err(|_| Damaged)?),
    };
    Ok((BookScore { score: Score { thousandths, certainty, plies }, provenance }, flags & IS_LINKED != 0))
}

/// Writes a number in groups of seven bits, lowest group first. The highest bit of a byte is set if
/// another byte follows.
pub(super) fn write_number(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Reads a number written by [`write_number`].
pub(super) fn read_number(from: &mut &[u8]) -> Result<u64, Damaged> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(from)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Damaged)
}

fn byte(from: &mut &[u8]) -> Result<u8, Damaged> {
    from.split_off_first().copied().ok_or(Damaged)
}

#[cfg(test)]
mod tests {
    use morello_core::game::{AnyGame, Certainty, Position as _, any_game};
    use morello_core::morris::{self, NineMensMorris};
    use morello_core::othello;
    use proptest::prelude::*;

    use super::*;

    fn games() -> [&'static dyn AnyGame; 3] {
        [
            any_game::<othello::Position>(),
            any_game::<othello::SizedPosition<6>>(),
            any_game::<morris::Position<NineMensMorris>>(),
        ]
    }

    fn score() -> impl Strategy<Value = BookScore> {
        let thousandths = prop_oneof![(-64..=64i32).prop_map(|points| 1000 * points), -64_000..=64_000i32];
        let certainty = prop_oneof![
            Just(Certainty::Exact),
            Just(Certainty::AtLeast),
            Just(Certainty::AtMost),
            Just(Certainty::Heuristic)
        ];
        let source =
            prop_oneof![Just(Source::Unknown), Just(Source::Edax), Just(Source::THIS), Just(Source::Engine(9))];
        (thousandths, certainty, prop::option::of(0..900u32), source, 0..3u8, 0..6u8).prop_map(
            |(thousandths, certainty, plies, source, depth, confidence)| BookScore {
                score: Score { thousandths, certainty, plies },
                provenance: Provenance { source, depth, confidence: Confidence::from_index(confidence) },
            },
        )
    }

    proptest! {
        #[test]
        fn entries_round_trip(
            seed in 0..10_000u64,
            index in 0..3usize,
            scores in prop::collection::vec((score(), any::<bool>()), 0..6),
            rest in prop::option::of(score()),
            counts in prop::array::uniform4(prop_oneof![Just(0), 0..400u32, any::<u32>()]),
            day in any::<u16>(),
        ) {
            let game = games()[index].random_game(seed, (seed % 40) as usize);
            let position = game.position().canonical();
            let moves = position.legal_moves().zip(&scores);
            let moves = moves.map(|(m, &(score, is_linked))| BookMove { m, score, is_linked }).collect();
            let [wins, draws, losses, unknown] = counts;
            let entry = BookEntry { moves, rest, games: GameCounts { wins, draws, losses, unknown }, day };
            let mut bytes = Vec::new();
            write_body(&entry, &mut bytes);
            prop_assert_eq!(read_body(&bytes, &position), Ok(entry));
            // Truncated and longer bodies are rejected, and neither causes another failure.
            for end in 0..bytes.len() {
                prop_assert!(read_body(&bytes[..end], &position).is_err());
            }
            bytes.push(0);
            prop_assert!(read_body(&bytes, &position).is_err());
        }

        #[test]
        fn keys_round_trip(seed in 0..10_000u64, index in 0..3usize) {
            let packed = games()[index].random_game(seed, (seed % 60) as usize).position().canonical().packed();
            let mut bytes = key(packed);
            bytes.push(77);
            let mut rest = &bytes[..];
            prop_assert_eq!(read_key(&mut rest), Ok(packed));
            prop_assert_eq!(rest, &[77]);
        }

        #[test]
        fn numbers_round_trip(number in any::<u64>(), shift in 0..64u32) {
            let mut bytes = Vec::new();
            write_number(number >> shift, &mut bytes);
            let mut rest = &bytes[..];
            prop_assert_eq!(read_number(&mut rest), Ok(number >> shift));
            prop_assert!(rest.is_empty());
        }
    }

    #[test]
    fn impossible_scores_are_refused() {
        let provenance = Provenance { source: Source::THIS, depth: 1, confidence: Confidence::LOWEST };
        for (thousandths, is_possible) in
            [(64_000, true), (-64_000, true), (64_001, false), (i32::MAX, false), (i32::MIN, false)]
        {
            let score = Score { thousandths, certainty: Certainty::Heuristic, plies: None };
            let mut bytes = Vec::new();
            write_score(&BookScore { score, provenance }, false, None, &mut bytes);
            assert_eq!(read_score(&mut &bytes[..], None).is_ok(), is_possible, "{thousandths}");
        }
    }

    #[test]
    fn a_usual_position_takes_less_than_40_bytes() {
        // Three moves with whole scores from one search, and the limit of the other moves, late
        // enough in the game for full keys.
        let game = any_game::<othello::Position>().random_game(3, 24);
        let position = game.position().canonical();
        let provenance = Provenance { source: Source::THIS, depth: 24, confidence: Confidence::LOWEST };
        let scored = |points: i32| BookScore { score: Score::of(points, Certainty::Heuristic), provenance };
        let moves = position.legal_moves().take(3).zip(1..);
        let moves = moves.map(|(m, points)| BookMove { m, score: scored(points), is_linked: true }).collect();
        let entry = BookEntry { moves, rest: Some(scored(-2)), day: 2500, ..BookEntry::default() };
        let mut bytes = key(position.packed());
        write_body(&entry, &mut bytes);
        assert_eq!(entry.moves.len(), 3);
        assert!(bytes.len() + 2 < 40, "{}", bytes.len());
    }
}
