//! The information in labels, and where labels end.

use super::*;
use crate::othello::SizedPosition;
use crate::othello::formats::transcript;

const RULES: LabelRules = LabelRules { first: Color::Black, squares: Some(64) };

/// Reads the label of a game with these moves.
fn read_with(moves: &str, label: &str) -> AnnotatedGame<SizedPosition<8>> {
    let mut annotated = AnnotatedGame::from(transcript::read::<8>(moves).unwrap());
    add_labels(&mut annotated, RULES, label, &[label]);
    annotated
}

/// Writes the information in a label: names, ratings, date, points, and `?` before text that was
/// ignored.
fn said(annotated: &AnnotatedGame<SizedPosition<8>>) -> String {
    let tags = &annotated.tags;
    let mut words = Vec::new();
    for color in 0..2 {
        words.extend(tags.names[color].clone());
        words.extend(tags.ratings[color].map(|rating| format!("rating {rating}")));
    }
    words.extend(tags.date.clone());
    words.extend(tags.result.map(|result| result.to_string()));
    words.extend(annotated.unread.iter().map(|part| match &part.kind {
        UnreadKind::Words(text)
        | UnreadKind::Date(text)
        | UnreadKind::ImpossibleDate(text)
        | UnreadKind::Score(text) => {
            format!("?{text}")
        }
        UnreadKind::Continuation | UnreadKind::SeparateMoves => String::new(),
    }));
    words.join("; ")
}

fn read(label: &str) -> String {
    said(&read_with("", label))
}

#[test]
fn labels_have_names_dates_and_results() {
    for (label, expected) in [
        ("Anna - Bob", "Anna; Bob"),
        (" 3. É A 40-24 Bob", "É A; Bob; +16"),
        ("Anna vs Bob 1-0 ", "Anna; Bob; ?1-0"),
        ("40-24 Anna - Bob", "Anna; Bob; +16"),
        ("final 40-24", "+16; ?final"),
        ("3 Kings - Bob", "3 Kings; Bob"),
        ("12.05.2024 Anna - Maria 21-43", "Anna; Maria; 2024-05-12; -22"),
        ("Anna - Maria, 2024/5/31 14:30", "Anna; Maria; 2024-05-31 14:30"),
        ("5/31/2024: Anna - Maria", "Anna; Maria; 2024-05-31"),
        ("5/6/2024: Anna - Maria", "Anna; Maria; ?5/6/2024"),
        ("12. Mai 2024, Anna \u{2013} Maria (21:43)", "Anna; Maria; 2024-05-12; -22"),
        ("May 12, 2024 | Anna v. Maria | 21 - 43", "Anna; Maria; 2024-05-12; -22"),
        ("Game 6: Anna (12) vs. Maria (52)", "Anna; Maria; -40"),
        ("Anna (1834) - Maria (1790)", "Anna; rating 1834; Maria; rating 1790"),
        ("Anna 12 - Maria 52", "Anna; Maria; -40"),
        ("Anna (W) - Maria (B)", "Maria; Anna"),
        ("Black: Anna, White: Maria", "Anna; Maria"),
        ("White: Anna\nBlack: Maria\nDate: 2024-05-31\nResult: 40-24", "Maria; Anna; 2024-05-31; ?40-24"),
        ("Partie 3", ""),
        ("Round 2, Anna - Maria", "Anna; Maria"),
        ("Runde 3. Anna - Maria", "Anna; Maria"),
        ("#4 Anna - Maria", "Anna; Maria"),
        ("Kimura, Keigo - Takanashi, Yusuke", "Kimura, Keigo; Takanashi, Yusuke"),
        ("Hamburg, Anna - Maria", "Anna; Maria; ?Hamburg"),
        ("Final - Anna vs Maria", "Anna; Maria; ?Final"),
        ("WOC - Final - Anna - Maria", "?WOC - Final - Anna - Maria"),
        ("My games, spring 2024", "?My games, spring 2024"),
        ("Game 1\nAnna - Maria\n2024", "Anna; Maria; 2024"),
        ("Perpendicular", "?Perpendicular"),
        ("Anna-Lena - Maria 21-43", "Anna-Lena; Maria; -22"),
    ] {
        assert_eq!(read(label), expected, "{label}");
    }
}

#[test]
fn a_result_that_contradicts_the_board_is_left_out() {
    let moves = "f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5g3f7g4d8h6d2g6c2f8h5h4a7c6e2e1f1g1f2d1h2a5c7h3h7c8e8a6a4b7c1b1b2g2g7\
                 h8g8h1b8a2a1a3a8b4b3";
    for (label, expected) in
        [("48-16", "+32"), ("1-0", "+32"), ("40-24", "?40-24"), ("16-48", "?16-48"), ("0-1", "?0-1")]
    {
        assert_eq!(said(&read_with(moves, label)), expected, "{label}");
    }
}

#[test]
fn numbers_are_results_only_if_they_can_be_nothing_else() {
    for (label, expected) in [
        ("14:30", "?14:30"),
        ("Anna - Bob 0:45", "Anna; Bob; ?0:45"),
        ("Anna - Bob 20:44 Uhr", "Anna; Bob; ?20:44; ?Uhr"),
        ("Anna - Bob 20:44", "Anna; Bob; -24"),
        ("Anna - Bob 0-45", "Anna; Bob; -64"),
        ("Anna - Bob 64:0", "Anna; Bob; +64"),
        ("Anna - Bob 64:00", "Anna; Bob; ?64:00"),
        ("14.30 Anna - Bob", "Anna; Bob; ?14.30"),
        ("Anna - Bob 14:30", "Anna; Bob; ?14:30"),
        ("Anna - Bob 5-3", "Anna; Bob; ?5-3"),
        ("Anna - Bob +16", "Anna; Bob; ?+16"),
        ("Anna - Bob 40 : 24", "Anna; Bob; +16"),
        ("Anna \u{2013} Bob 40\u{2013}24", "Anna; Bob; +16"),
        ("Anna \u{2212} Bob 33\u{2212}0", "Anna; Bob; +64"),
        ("Anna - Bob ½-½", "Anna; Bob; +0"),
        ("Anna - Bob 1/2-1/2", "Anna; Bob; +0"),
        ("Anna - Bob, draw", "Anna; Bob; +0"),
        ("Anna - Bob remis", "Anna; Bob; +0"),
        ("Anna - Bob 40-20", "Anna; Bob; ?40-20"),
        ("level 10 - level 12", "level 10; level 12"),
        ("Anna 1 - Bob 2", "Anna 1; Bob 2"),
        ("Anna 40 - Bob 20", "Anna; Bob; ?40; ?20"),
        ("Anna (1) - Bob (2)", "Anna; Bob; ?1; ?2"),
        ("Anna - Bob (2024)", "Anna; Bob; ?2024"),
        ("Anna - Bob 40 24", "Anna; Bob; +16"),
        ("Anna - Bob (36/28)", "Anna; Bob; +8"),
        ("White 40 - Black 24", "-16"),
        ("White 40 - 24", "?White 40 - 24"),
        ("Black - White 40-24", "+16"),
        ("40-24!", "+16"),
        ("31.5. Anna - Bob", "Anna; Bob; ?31.5"),
        ("5月31日 Anna - Bob", "Anna; Bob; ?5月31日"),
        ("31.05.2024 14:30 Uhr Anna - Bob", "Anna; Bob; 2024-05-31 14:30"),
        ("Anna - Bob (40-24) 30-34", "Anna; Bob; +16; ?30-34"),
        ("White wins 40-24", "?White wins 40-24"),
        ("Maria beat Anna 43-21", "?Maria beat Anna 43-21"),
        ("2024-05-31 40:24", "2024-05-31; +16"),
        ("2024-05-31 20:44", "2024-05-31; ?20:44"),
        ("2024-05-31 20:43", "2024-05-31 20:43"),
        ("31.02.2024 Anna - Bob", "Anna; Bob; ?31.02.2024"),
        ("31.05.2024 Anna - Bob 1.6.2024", "Anna; Bob; 2024-05-31; ?1.6.2024"),
    ] {
        assert_eq!(read(label), expected, "{label}");
    }
    // Black has 48 and White 16 discs at the end of this game; two squares are empty.
    let finished = "f5d6c3d3c4f4f6f3e6e7d7c5b6b5e3g5g3f7g4d8h6d2g6c2f8h5h4a7c6e2e1f1g1f2d1h2a5c7h3h7c8e8a6a4b7c1b1b2g2\
                    g7h8g8h1b8a2a1a3a8b4b3";
    for (label, expected) in
        [("Anna - Bob 1-0", "Anna; Bob; +32"), ("Anna (W) - Bob (B)\n48-16", "Bob; Anna; +32"), ("0-1", "?0-1")]
    {
        assert_eq!(said(&read_with(finished, label)), expected, "{label}");
    }
}

#[test]
fn names_have_colors_ratings_and_marks() {
    for (label, expected) in [
        ("Anna (W) - Bob (B) 24-40", "Bob; Anna; +16"),
        ("Anna (W) - Bob (B)\n24-40", "Bob; Anna; ?24-40"),
        ("White: Anna vs Black: Bob 24-40", "Bob; Anna; +16"),
        ("Anna (B, 1800) - Bob (W, 1750)", "Anna; rating 1800; Bob; rating 1750"),
        ("Anna [1800] - Bob [1750]", "Anna; rating 1800; Bob; rating 1750"),
        ("Zebra (andersson) - OO7 (buro)", "Zebra (andersson); OO7 (buro)"),
        ("Anna (weiß) - Bob (schwarz)", "Bob; Anna"),
        ("Schwarz: Anna, Weiß: Bob", "Anna; Bob"),
        ("Noir: Anna\nBlanc: Bob\nRésultat: 40-24", "Anna; Bob; +16"),
        ("黒:木村 白:高梨", "木村; 高梨"),
        ("●Anna - ○Bob", "Anna; Bob"),
        ("White - Anna", "Anna"),
        ("White 40 - Bob 24", "?White 40; ?Bob 24"),
        ("Anna (BLACK) 40 - Bob (WHITE) 24", "Anna; Bob; +16"),
        ("Saio 2500 - Zebra 2600", "Saio; rating 2500; Zebra; rating 2600"),
        ("Edax 4 - Zebra 1998", "Edax 4; Zebra 1998"),
        ("(3) Anna - Bob", "Anna; Bob"),
        ("黒 高梨 - 白 岡本 36-28", "高梨; 岡本; +8"),
        ("Weiß Anna - Schwarz Bob", "Bob; Anna"),
        ("Black Jack - Bob", "Black Jack; Bob"),
        ("A1", "?A1"),
        ("Black: Anna (1500)", "Anna; rating 1500"),
        ("Black: Anna 40", "Anna; ?40"),
        ("Black: Anna 40\nWhite: Bob 24", "Anna; Bob; +16"),
        ("Black: Anna, Round 3", "Anna"),
        ("Black: Anna, Black: Bob", "Anna; ?Bob"),
        ("Smith, J. - Bob", "Smith, J.; Bob"),
        ("Bob - Smith, J. R., Hamburg", "Bob; Smith, J. R.; ?Hamburg"),
        ("AC/DC - A//B", "AC/DC; A//B"),
        ("#1 Anna - Bob", "Anna; Bob"),
        ("Anna(W)-Bob(B) 24-40", "Bob; Anna; +16"),
        ("White (Anna) vs Black (Eva)", "Eva; Anna"),
        ("B: Anna\nW: Eva", "Anna; Eva"),
        ("Anna (5:00) - Bob (3:21)", "Anna; Bob; ?5:00; ?3:21"),
        ("Thor 1234, Feldborg K. 34 - 30 Berg M.", "Feldborg K.; Berg M.; +4; ?Thor 1234"),
        ("2022-05-14/15 Anna - Bob", "Anna; Bob; ?2022-05-14/15"),
        ("(金) 高梨 四段 40-24 岡本 五段", "高梨 四段; 岡本 五段; +16; ?(金)"),
        ("12h30 Anna - Bob 2024", "Anna; Bob; ?12h30; ?2024"),
        ("2024/5/31 (金) 高梨 - 岡本", "高梨; 岡本; 2024-05-31; ?(金)"),
        ("2024-05-31T12:30:00+02:00 Anna - Bob", "Anna; Bob; 2024-05-31 12:30:00+02:00"),
        ("Rossi contro Verdi 44 a 20", "Rossi; Verdi; +24"),
        ("R1 T2 Anna - Bob", "Anna; Bob"),
        ("第3局 木村 - 高梨", "木村; 高梨"),
        ("A1 - B2", "A1; B2"),
        ("Anna\u{2013}Bob", "Anna; Bob"),
        ("João x Maria", "João; Maria"),
        ("Anna (W) - Bob (W)", "?Anna (W); ?Bob (W)"),
        ("Anna - Bob\nEva - Tom", "Anna; Bob; ?Eva - Tom"),
    ] {
        assert_eq!(read(label), expected, "{label}");
    }
}

#[test]
fn headings_are_words_and_not_games() {
    for text in [
        "My games, spring 2024",
        "Game 1",
        "Partie 1",
        "第3局",
        "12.05.2024 Anna - Maria 21-43",
        "Endgames:",
        "Finale",
        "40-24",
        "(21:43)",
        "#1",
        "31.05.2024",
        "Anna [1800] - Bob",
    ] {
        assert!(is_heading(text), "{text}");
    }
    for text in ["hello", "f5d6x9", "---OX- X", "XXX OOO", "1. f5 d6", "12 - 13", "", "f5 d6 Tiger", "{\"a\": Word}"] {
        assert!(!is_heading(text), "{text}");
    }
}

#[test]
fn a_colon_in_a_result_does_not_end_a_label() {
    let begins = |text: &str| text.trim_start().starts_with("f5");
    assert_eq!(split_label("Anna 40:24 Bob: f5d6", begins), Some(("Anna 40:24 Bob", " f5d6")));
    assert_eq!(split_label("round 1: f5d6", begins), Some(("round 1", " f5d6")));
    for text in ["1: f5 2: f5", "f5", "{a: f5", "1:2"] {
        assert_eq!(split_label(text, begins), None, "{text}");
    }
    let label = |text| labels(text, begins).next().map(|(label, _)| label);
    assert_eq!(label("Anna - Maria 21-43 f5d6"), Some("Anna - Maria 21-43"));
    assert_eq!(label("Name | f5d6"), Some("Name "));
    assert_eq!((label("7,8 f5"), label("-OX- f5"), label("7,8 B moves f5")), (None, None, None));
}

proptest::proptest! {
    #[test]
    fn no_part_of_a_label_is_lost(
        label in "(Anna|Maria| - | vs |, |: |[(]12[)]|21-43|12[.]05[.]2024|Game 3|\n|é|[|]|2024| ){0,12}",
    ) {
        let found = read(&label);
        for word in ["Anna", "Maria", "é"] {
            proptest::prop_assert_eq!(found.matches(word).count(), label.matches(word).count(), "{} in {}", word, found);
        }
    }
}
