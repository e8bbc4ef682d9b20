//! The advice that an error of the command line gives: what to type instead.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use morello_command::{help, usage};
use morello_core::game::Level;
use morello_core::games;

/// Words that people type instead of a command, and the advice they get.
const OTHER_COMMANDS: [(&[&str], &str); 7] = [
    (&["solve", "exact"], "`morello analyze GAME FILES --exact` solves positions"),
    (
        &["hint", "eval", "evaluate", "best"],
        "`morello analyze GAME FILES` finds the best moves; so does `hint` in `play`",
    ),
    (&["gtp", "uci", "nboard", "ugi"], "`morello engine` speaks the protocols of engines"),
    (&["tournament", "gauntlet", "arena"], "`morello selfplay` plays matches and tournaments of engines"),
    (&["web", "gui", "server", "browser"], "`morello serve` shows the page for the browser"),
    (&["train", "learn", "exercise"], "`morello practice` has exercises; `morello-train` trains the evaluation"),
    (&["mill", "mills", "morris"], "`morello play nine-mens-morris-flying` plays this game"),
];

/// Options that people type, and what other commands call the same. The first that a command has is
/// advised.
const OTHER_OPTIONS: [(&[&str], &[&str]); 9] = [
    (&["depth", "plies", "ply", "strength", "skill", "elo", "engine"], &["level", "depth", "thorough", "engine"]),
    (&["time", "movetime", "seconds", "timeout", "limit"], &["time", "time-control", "thorough", "level"]),
    (&["memory", "tt", "cache-size"], &["hash", "memory"]),
    (&["jobs", "cores", "workers", "concurrency", "cpus"], &["threads"]),
    (&["json", "jsonl", "csv", "format", "type"], &["format", "to"]),
    (&["out", "output", "save", "log", "pgn"], &["output", "log"]),
    (&["rounds", "count", "n", "number"], &["games", "count"]),
    (&["solve", "perfect", "exact"], &["exact", "level"]),
    (&["multipv", "pv", "top"], &["lines", "all-moves"]),
];

/// The argument of most commands.
const GAME: [&str; 2] = ["<GAME>", "[GAME]"];

/// Gives an error of the command line `words` the advice that people need.
pub(super) fn advised(mut error: clap::Error, program: &Command, words: &[String]) -> clap::Error {
    help::remove_value_tip(&mut error);
    let (path, command) = command_of(program, words);
    let typed = |kind| match error.get(kind) {
        Some(ContextValue::String(typed)) => typed.clone(),
        _ => String::new(),
    };
    let concerns_game = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => GAME.contains(&argument.as_str()),
        Some(ContextValue::Strings(arguments)) => arguments.iter().any(|argument| GAME.contains(&argument.as_str())),
        _ => false,
    };
    let advice = match error.kind() {
        ErrorKind::InvalidSubcommand => instead_of_command(&path, command, &typed(ContextKind::InvalidSubcommand)),
        ErrorKind::UnknownArgument => {
            let (wrong, similar) = (typed(ContextKind::InvalidArg), typed(ContextKind::SuggestedArg));
            if !similar.is_empty() && differing_letters(&wrong, &similar) > 2 {
                error.remove(ContextKind::SuggestedArg);
                error.insert(
                    ContextKind::Usage,
                    ContextValue::StyledStr(command.clone().bin_name(&path).render_usage()),
                );
            }
            instead_of_word(command, &wrong).or_else(|| {
                let is_similar = error.get(ContextKind::SuggestedArg).is_some();
                instead_of_option(&path, command, &wrong).filter(|_| !is_similar)
            })
        }
        _ if concerns_game => instead_of_game(&mut error, &path),
        _ => None,
    };
    if let Some(advice) = advice {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    usage::in_plain_words(error)
}

/// Returns the command that a command line is for, with the words up to it.
fn command_of<'a>(program: &'a Command, words: &[String]) -> (String, &'a Command) {
    let (mut path, mut command) = (program.get_name().to_owned(), program);
    for word in words.iter().skip(1).filter(|word| !word.starts_with('-')) {
        let Some(inner) = command.find_subcommand(word) else { break };
        (path, command) = (format!("{path} {}", inner.get_name()), inner);
    }
    (path, command)
}

/// Returns whether a command has an option of this name.
fn has_option(command: &Command, name: &str) -> bool {
    command.get_opts().any(|option| option.get_long() == Some(name))
}

/// Returns whether a command takes a game.
fn takes_game(command: &Command) -> bool {
    command.get_positionals().any(|argument| argument.get_id() == "game")
}

/// Returns the number of arguments and groups of options that a command requires.
fn requirements(command: &Command) -> usize {
    let arguments = command.get_arguments().filter(|argument| argument.is_required_set()).count();
    arguments + command.get_groups().filter(|group| group.is_required_set()).count()
}

/// Returns advice for a word where a command is expected.
fn instead_of_command(path: &str, command: &Command, typed: &str) -> Option<String> {
    if games::get(&typed.to_lowercase()).is_ok() {
        let takes_only_a_game = |inner: &&Command| takes_game(inner) && requirements(inner) <= 1;
        let first = command.find_subcommand("play").or_else(|| command.get_subcommands().find(takes_only_a_game));
        let first = first?.get_name();
        return Some(format!("the command comes before the game, such as `{path} {first} {}`", typed.to_lowercase()));
    }
    if path.contains(' ') {
        return None;
    }
    let (_, advice) = OTHER_COMMANDS.iter().find(|(names, _)| names.contains(&typed))?;
    Some((*advice).to_owned())
}

/// Returns advice for a word that no argument takes: the option that it may be the value of.
fn instead_of_word(command: &Command, typed: &str) -> Option<String> {
    let is_number = typed.parse::<u16>().is_ok();
    let option = match typed {
        _ if is_number && has_option(command, "port") => "port",
        _ if typed.parse::<Level>().is_ok() && has_option(command, "level") => "level",
        _ if is_number && has_option(command, "depth") => "depth",
        _ => return None,
    };
    Some(format!("to set the {option}, write `--{option} {typed}`"))
}

/// Returns advice for an option that a command does not have.
fn instead_of_option(path: &str, command: &Command, typed: &str) -> Option<String> {
    let typed = typed.strip_prefix("--")?;
    let (_, others) = OTHER_OPTIONS.iter().find(|(names, _)| names.contains(&typed))?;
    let other = others.iter().find(|other| **other != typed && has_option(command, other))?;
    Some(format!("this command has `--{other}`; `{path} --help` describes it"))
}

/// Returns the number of letters of two words that the other one does not have.
fn differing_letters(one: &str, other: &str) -> usize {
    let mut rest: Vec<_> = other.chars().collect();
    let missing = one.chars().filter(|letter| match rest.iter().position(|found| found == letter) {
        Some(index) => rest.swap_remove(index) != *letter,
        None => true,
    });
    missing.count() + rest.len()
}

/// Returns advice for a game that is missing or unknown. A part of the name of a game stands for the
/// first game with it, the one that most people play.
fn instead_of_game(error: &mut clap::Error, path: &str) -> Option<String> {
    let typed = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(typed)) if !typed.is_empty() => typed.to_lowercase(),
        _ => return Some(format!("the game comes first, such as `{path} othello`; `{path} --help` lists all games")),
    };
    let part = if typed.starts_with("mill") { "morris" } else { &*typed };
    if let Some(game) = games::all().iter().find(|game| part.len() > 2 && game.name().contains(part)) {
        error.insert(ContextKind::SuggestedValue, ContextValue::Strings(vec![game.name().to_owned()]));
    }
    if error.get(ContextKind::SuggestedValue).is_some() {
        return None;
    }
    // Files and numbers come after the game; another word may be the name of a game that is not there.
    let is_later = !typed.contains(' ') && typed.contains(|c: char| c.is_ascii_digit() || "./-".contains(c));
    Some(if is_later {
        format!("the game comes first, such as `{path} othello {typed}`; `{path} --help` lists all games")
    } else {
        format!("`{path} --help` lists all games")
    })
}

#[cfg(test)]
mod tests {
    use super::super::command;
    use super::*;

    fn error(line: &str) -> String {
        let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
        let error = command().try_get_matches_from(&words).expect_err("wrong usage");
        advised(error, &command(), &words).render().to_string()
    }

    #[test]
    fn mistyped_commands_and_options_get_advice() {
        assert!(error("morello solve othello").contains("tip: `morello analyze GAME FILES --exact` solves positions"));
        assert!(error("morello reviw othello").contains("'review'"));
        assert!(error("morello play othello --levle 5").contains("'--level'"));
        assert!(!error("morello perft othello --levle 5").contains("as a value"));
        assert!(error("morello play othelo").contains("'othello'"));
        assert!(error("morello perft othello --hash 1GiB").contains("'--hash <MIB>': expected a whole number of MiB"));
        assert!(error("morello selfplay othello --games 1e9").contains("expected a whole number in digits"));
        let words = "morello match Othello --engine random --engine depth=1".split(' ');
        assert!(command().try_get_matches_from(words).is_ok());
    }

    #[test]
    fn a_missing_or_unknown_game_gets_advice_for_the_command_in_use() {
        for (line, tip) in [
            ("morello play", "the game comes first, such as `morello play othello`; `morello play --help` lists"),
            ("morello book lines", "such as `morello book lines othello`; `morello book lines --help` lists"),
            ("morello review mygames.txt", "such as `morello review othello mygames.txt`; `morello review --help`"),
            ("morello perft 5", "such as `morello perft othello 5`"),
            ("morello match --games 4 --engine random --engine random", "such as `morello selfplay othello`"),
        ] {
            assert!(error(line).contains(tip), "{}", error(line));
        }
        for typed in ["nine", "Morris", "mills", "mill", "mens-morris"] {
            let text = error(&format!("morello play {typed}"));
            assert!(text.contains("'nine-mens-morris-flying'") && !text.contains("tip: the game"), "{text}");
        }
        assert!(error("morello play lasker").contains("tip: a similar value exists: 'lasker-morris'"));
    }

    #[test]
    fn words_in_the_wrong_place_get_advice() {
        for (line, tip) in [
            ("morello othello", "the command comes before the game, such as `morello play othello`"),
            ("morello othello play", "such as `morello play othello`"),
            ("morello games othello", "such as `morello games list othello`"),
            ("morello book othello", "such as `morello book show othello`"),
            ("morello database nine-mens-morris", "such as `morello database info nine-mens-morris`"),
            ("morello mills", "`morello play nine-mens-morris-flying` plays this game"),
            ("morello serve 9000", "to set the port, write `--port 9000`"),
            ("morello play othello 3", "to set the level, write `--level 3`"),
            ("morello play othello club", "to set the level, write `--level club`"),
        ] {
            assert!(error(line).contains(tip), "{}", error(line));
        }
        for (line, tip) in [
            (
                "morello review othello x --depth 6",
                "this command has `--thorough`; `morello review --help` describes it",
            ),
            ("morello convert othello x --format pgn", "this command has `--to`"),
            ("morello selfplay othello --rounds 6", "this command has `--games`"),
        ] {
            let text = error(line);
            assert!(text.contains(tip) && !text.contains("similar"), "{text}");
        }
        assert!(!error("morello serve nowhere").contains("tip:"), "{}", error("morello serve nowhere"));
    }
}
