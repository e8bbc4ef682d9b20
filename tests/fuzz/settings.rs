//! Targets that read what a user types: engines, limits and rules of matches, the positions of a lesson; and what the
//! page asks its engine in the browser.

use std::sync::Arc;
use std::time::Duration;

use morello::analysis::trainer::{Cards, read_cards, write_cards};
use morello::game::{Cancel, EngineOptions};
use morello::players::Spec;
use morello::text::ParticipantSpec;
use morello::tournament::{Parameter, ScoreRule, Sprt};
use morello::web::LocalService;

use super::{Target, texts};

#[test]
fn fuzz_settings() {
    let seeds = texts(&[
        "name=a,depth=6,hash=16,exact=12,time=0.5s,tc=60+0.6",
        "cmd=./engine -x,protocol=gtp,init=boardsize 8;komi 0,start-timeout=30s,tc=40/60",
        "level=club,book=x.book,variety=2,weights=a.weights,threads=2,nodes=1000000",
        "random",
        "engine:5",
        "human",
        "elo0=0,elo1=5,alpha=0.05,beta=0.05",
        "4:10",
        "corner:-20:-100:100:4",
    ]);
    let words =
        &["=", ",", ":", "+", "/", "1e18", "-1", "nan", "inf", "99999999999999999999", "0", "ms", "hash=", "tc="];
    Target { words, ..Target::new("settings", seeds) }.run(|input| {
        let text = String::from_utf8_lossy(input);
        if let Ok(spec) = text.parse::<Spec>() {
            assert!(!spec.name().is_empty() && spec.text() == text && !spec.to_string().is_empty(), "{text}");
        }
        if let Err(error) = text.parse::<Spec>() {
            assert!(error.column >= 1 && error.column <= text.chars().count() + 1, "{text}: {}", error.column);
        }
        let _ = (text.parse::<ParticipantSpec>(), text.parse::<Sprt>(), text.parse::<ScoreRule>());
        let _ = text.parse::<Parameter>();
    });
}

#[test]
fn fuzz_cards() {
    let seeds = texts(&[
        "{\"format\":\"morello cards\",\"version\":1}\n\
         {\"game\":\"othello\",\"position\":\"x\",\"box\":2,\"due\":9,\"answer\":\"f5\",\"right\":1,\"wrong\":0}\n",
        "{\"format\":\"morello cards\",\"version\":1}\n",
    ]);
    let words = &["\"box\":", "\"due\":", "18446744073709551615", "-1", "null", "\n", "}"];
    Target { words, ..Target::new("cards", seeds) }.run(|input| {
        let Ok(cards) = read_cards(input) else { return };
        assert_eq!(read_cards(write_cards(&cards).as_bytes()).expect("they were written"), cards);
        let mut all = Cards::default();
        for card in cards {
            let answered = [card.answered(Some("f5"), card.due), card.answered(None, u64::MAX)];
            answered.into_iter().for_each(|card| all.set(card));
        }
    });
}

#[test]
fn fuzz_engine_of_the_page() {
    let game = r#""game":"othello-4x4","moves":["b1","a1"]"#;
    let mut seeds = texts(&[
        "/api/open/othello/0\nmoves,black\nf5d6,Anna\n",
        "/api/open/nine-mens-morris/1\nd2 f4\nd2 d6\n",
        "/api/cards\n{\"text\":\"\"}",
        "/api/exercise\n{\"game\":\"othello-4x4\",\"empties\":10}",
        "/api/exercise\n{\"game\":\"three-mens-morris\",\"difficulty\":\"easy\"}",
        "/api/refute\n{\"game\":\"othello-4x4\",\"start\":\"-----OX--XO----- X\",\"move\":\"b1\"}",
        "/api/lesson\n{\"game\":\"othello\",\"side\":\"black\",\"now\":9,\"new\":2,\"max_loss\":1,\"cards\":[]}",
        "/api/arrange\n{\"game\":\"othello-4x4\",\"pieces\":[null,\"black\"],\"in_hand\":[0,0],\"side\":\"white\"}",
    ]);
    for (path, more) in [
        ("view", r#""ply":1"#),
        ("line", r#""line":["b1"]"#),
        ("move", r#""touched":[3,4]"#),
        ("save", r#""format":"transcript","names":["a","b"]"#),
        ("choose", r#""level":1"#),
        ("analyze", r#""lines":2,"depth":2,"time_ms":5"#),
        ("values", r#""time_ms":5"#),
        ("review", r#""nodes":100,"level":1"#),
    ] {
        seeds.push(format!("/api/{path}\n{{{game},{more}}}").into_bytes());
    }
    let service = LocalService::new(Arc::new(|_| Ok(EngineOptions::new(1 << 16))), Duration::from_millis(5));
    let words =
        &["/api/", "null", "-1", "1e99", "18446744073709551615", "\"game\":", "\"othello\"", "[", "{", "\\u0000"];
    Target { words, cost: 200, ..Target::new("engine of the page", seeds) }.run(|input| {
        let text = String::from_utf8_lossy(input);
        let (path, body) = text.split_once('\n').unwrap_or((&text, ""));
        let mut lines = Vec::new();
        service.answer(path, body.as_bytes(), 1, &Cancel::new(), &mut |line| lines.push(line.to_vec()));
        let all = lines.iter().map(|line| serde_json::from_slice::<serde_json::Value>(line));
        assert!(
            !lines.is_empty() && all.into_iter().all(|line| line.is_ok_and(|line| line.is_object() || line.is_array()))
        );
    });
}
