//! Tests of readers that read one of several parts.

use super::*;

/// Returns the lines and contents of the records of a part.
fn part(input: &Input, part: u64, parts: u64) -> Vec<ReadOutcome> {
    let reader = Reader::of(any_game::<Othello4>(), input.clone()).unwrap().sharded(part, parts);
    let records = reader.map(Result::unwrap).filter(|record| record.is_selected);
    records.map(|record| said(&record)).collect()
}

/// Checks that all parts together contain every record once, and returns the sizes of the parts.
fn check_parts(bytes: &[u8], parts: u64) -> Vec<usize> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let input = Input::File(file.path().to_owned());
    let all = part(&input, 0, 1);
    let dealt: Vec<_> = (0..parts).map(|number| part(&input, number, parts)).collect();
    assert!(dealt.iter().all(|records| records.is_sorted_by_key(|(line, _)| *line)));
    let mut joined = dealt.concat();
    joined.sort_by_key(|(line, _)| *line);
    assert_eq!(joined, all);
    dealt.iter().map(Vec::len).collect()
}

#[test]
fn all_parts_together_have_every_record_once() {
    let line = |number: usize| if number % 7 == 3 { format!("# comment\n\n{START}\n") } else { format!("{START}\n") };
    let lines: String = (0..500).map(line).collect();
    // Most positions are not quoted; some rows extend over several lines.
    let row = |number: usize| match number % 7 {
        0 => format!("\"a\nb\",{START}\n"),
        1 => format!("\n\"{number}\",{START}\n"),
        _ => format!("{number},{START}\n"),
    };
    let csv = "id,position\n".to_owned() + &(0..500).map(row).collect::<String>();
    let object = |number: usize| format!("{{\"id\":{number},\"position\":\"{START}\"}}\n");
    let json: String = (0..500).map(object).collect();
    let late_errors = csv.clone() + "9,\"unclosed\n10,-----OX--XO----- X\nx,b9\n";
    let windows = lines.replace('\n', "\r\n");
    let bare = lines.replace('\n', "\r");
    let array = format!("[{}]", json.trim().replace('\n', ",\n"));
    for text in [&lines, &csv, &json, &late_errors, &windows, &bare, &array] {
        for parts in [2, 3, 7] {
            let sizes = check_parts(text.as_bytes(), parts);
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(most - least <= 2, "{sizes:?} of {:?}", &text[..60]);
        }
        check_parts(&zstd::encode_all(text.as_bytes(), 1).unwrap(), 3);
    }
    // Games, and positions among them, are distributed record by record.
    check_parts("b1a1\nb1 c1 d1\nnone\n[\"b1\"]\n".repeat(50).as_bytes(), 3);
    check_parts(format!("{START}\n{START}\nb1\nmy games\nb1a1\n").repeat(50).as_bytes(), 3);
    #[cfg(feature = "parquet")]
    for (rows, parts) in [(1000, 3), (2, 5), (0, 2), (2500, 2)] {
        let sizes = check_parts(&parquet::file(rows), parts);
        assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
    }
}

#[test]
fn small_inputs_go_to_different_parts() {
    let inputs: Vec<_> = (0..6).map(|_| Input::Text(format!("{START}\n"))).collect();
    let count = |part| {
        let reader = Reader::open(any_game::<Othello4>(), inputs.clone(), &InputFormat::default()).unwrap();
        reader.sharded(part, 3).filter(|record| record.as_ref().unwrap().is_selected).count()
    };
    assert_eq!([0, 1, 2].map(count), [2, 2, 2]);
}

#[test]
fn other_parts_are_not_parsed() {
    let text = format!("{START}\n").repeat(300) + &"nonsense\n".repeat(2);
    let reader = Reader::of(any_game::<Othello4>(), Input::Text(text)).unwrap().sharded(0, 2);
    let records: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(records.len(), 151);
    assert!(records.iter().all(|record| record.is_selected && record.line % 2 == 1));
}
