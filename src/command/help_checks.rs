//! Checks of the help of a program, for its tests.

/// The options of all programs: the name, the name of the value (nothing for a switch) and words of the
/// meaning, which are in the help of each command that has the option. One name has one meaning, and a
/// new option that means the same as one of these has its name.
///
/// The exceptions are `--to`, a format of a conversion and the last position of a suite, and
/// `--output`, which is a directory in `man`.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("adjudicate-database", "", "End a game when the endgame database contains its result"),
    ("adjudicate-draw", "POINTS:MOVES", "End a game as a draw by the scores of both engines"),
    ("adjudicate-win", "POINTS:MOVES", "End a game as a win by the scores of both engines"),
    ("all-depths", "", "Count each depth from 1 to DEPTH"),
    ("all-games", "", "Use all games, for data that was not used to fit the weights"),
    ("all-moves", "", "Score all moves"),
    ("all-openings", "", "Use all positions after --opening-plies, in random order"),
    ("all-sectors", "", "Build all sectors of the game"),
    ("alpha", "POINTS", "Lower bound of the exact search"),
    ("anchor", "NAME=ELO", "Fixed rating of a player"),
    ("batch", "N", "Games per step, an even number"),
    ("best-plies", "PLIES", "Follow lines of best moves up to this ply"),
    ("beta", "POINTS", "Upper bound of the exact search"),
    ("black", "PLAYER", "Black"),
    ("board", "", "Draw the board after every move"),
    ("book", "FILE", "book"),
    ("book-exits", "", "Use the positions where the opening book ends, in random order"),
    ("book-openings", "", "Use balanced positions of the opening book, in random order"),
    ("budget", "POINTS", "Maximum total loss along a line, in points"),
    ("burst", "N", "Maximum number of random discs after engine moves"),
    ("cache", "FILE", "Store results in this file and reuse those of earlier runs"),
    ("cards", "FILE", "Save your progress in this file"),
    ("change", "NUMBER", "Expected squared change of a weight from ply to ply"),
    ("checkpoint", "FILE", "Save finished parts of the count to this file and resume from them"),
    ("clock", "PLIES", "Plies since the last capture, for the ten-move draw"),
    ("color", "WHEN", "Whether to use colors"),
    ("column", "NAME", "CSV column or JSON key"),
    ("compare", "FILE", "Compare with the moves and counts that another program printed"),
    ("compare-command", "COMMAND", "Run this command to get the moves and counts to compare with"),
    ("confidence", "PERCENT", "Confidence of selective search"),
    ("convention", "NAME", "Counting rule for passes and finished games"),
    ("csv", "FILE", "this file, as CSV"),
    ("csv-safe", "", "Escape CSV fields that a spreadsheet would run as formulas"),
    ("data", "FILE", "game file"),
    ("database", "DIR", "Directory of the endgame databases"),
    ("depth", "PLIES", "search depth"),
    ("deterministic", "", "the same output on every run"),
    ("difficulty", "DIFFICULTY", "of this difficulty"),
    ("divide", "", "Also print the count below each move"),
    ("draws", "N", "Games drawn"),
    ("empties", "RANGE", "empty squares"),
    ("engine", "SPEC", "Engine"),
    ("engines", "FILE", "engines in this TOML file"),
    ("epochs", "N", "number of passes"),
    ("event", "NAME", "Games of this tournament, match or place"),
    ("every", "N", "Verify only every N-th block of positions, one position at a time"),
    ("exact", "", "Search until the score is proved"),
    ("exact-from", "N", "solve positions with at most"),
    ("example", "", "Add a position with the longest win"),
    ("exercises", "FILE", "Write the mistakes to this .jsonl file"),
    ("follow", "", "Follow the best moves of the search instead of the moves of the game"),
    ("force", "", "Replace existing output files"),
    ("format", "FORMAT", "format"),
    ("from", "N", "Number of the first position"),
    ("game-rows", "FILE", "Write a row per game to this file: losses and turning point"),
    ("games", "N", "Number of games"),
    ("hash", "MIB", "Size in MiB of the"),
    ("host", "HOST", "Address to listen on"),
    ("init", "FILE", "Start from these"),
    ("input", "FILE", "Check the counts in these files of positions"),
    ("input-format", "FORMAT", "Input format"),
    ("keep", "RANGE", "Keep only the weights for these numbers of empty squares"),
    ("lambda", "SHARE", "Share of the next label of the line in each label"),
    ("length", "RANGE", "Games of this many plies (60) or of a range (10..60)"),
    ("level", "LEVEL", "level"),
    ("limit", "N", "at most N"),
    ("lines", "N", "Number of best moves to score"),
    ("load", "FILE", "Continue the game, or play from the position, in this file"),
    ("log", "FILE", "to this new file, as JSON lines"),
    ("losses", "N", "Games lost"),
    ("max-leaves", "N", "Skip the counts above N in files"),
    ("max-loss", "POINTS", "within this many points of the best move"),
    ("max-men", "N", "Build all sectors with at most this many men in total and none in hand"),
    ("max-plies", "PLIES", "up to this ply"),
    ("max-positions", "N", "Maximum number of positions"),
    ("memory", "MIB", "Memory limit in MiB"),
    ("min-games", "N", "games"),
    ("min-share", "SHARE", "with at least this share of the position's games"),
    ("move-limit", "TIME", "Time per move after which any player forfeits the game"),
    ("moves", "MOVES", "The moves, instead of a file"),
    ("name", "NAME", "Your name in saved games"),
    ("named-openings", "", "named openings"),
    ("new", "N", "new positions"),
    ("no-book", "", "Search every position, even if the opening book proves its result"),
    ("no-database", "", "not use"),
    ("no-openings", "", "Do not include the named openings"),
    ("no-progress", "PLIES", "Draw after this many plies without progress, or `none`"),
    ("nodes", "N", "Node limit per"),
    ("one-by-one", "", "Verify one position at a time, with the game's move generator"),
    ("opening", "MOVES", "Games that begin with these moves"),
    ("opening-depth", "PLIES", "Search depth for opening scores"),
    ("opening-plies", "PLIES", "Length of"),
    ("opening-score", "POINTS", "Reject openings with a higher score for either side"),
    ("openings", "FILE", "Use the openings in this file, in order"),
    ("opponent", "NAME", "Games against this player"),
    ("output", "DIR", "to this directory"),
    ("output", "FILE", "to this"),
    ("pairs", "COUNTS", "Game pairs by their results"),
    ("parameter", "NAME=NUMBERS", "Parameter, such as"),
    ("plan", "", "Add the tables that are still to be built for each row"),
    ("played-in", "FILE", "the games in this file or directory"),
    ("player", "NAME", "Games of this player"),
    ("plies", "RANGE", "Use game positions starting at this ply (20) or in a range (20..40)"),
    ("plot", "FILE", "Write an SVG plot of the result to this file"),
    ("ply-cap", "PLIES", "Draw after this many plies, or `none`"),
    ("port", "PORT", "Port"),
    ("position", "POSITION", "position"),
    ("positions", "FILE", "OBF files of positions with exact scores"),
    ("prior", "NUMBER", "Weight of a sample behind --init, relative to a new sample"),
    ("progress", "WHEN", "When to show progress"),
    ("protocol", "NAME", "Protocol"),
    ("public", "", "Let anyone who can reach the address use the page"),
    ("random-plies", "RANGE", "number of random discs"),
    ("rate", "NUMBER", "Learning rate"),
    ("rating", "RANGE", "Games in which both players have a rating in this range (1800..)"),
    ("repetition", "N", "Draw when a position occurs this many times, or `none`"),
    ("replies", "ORDER", "Which replies come first"),
    ("report", "FILE", "HTML report"),
    ("result", "RESULT", "result"),
    ("results", "SHARE", "Share of game results in the targets, from 0 to 1"),
    ("resume", "", "Resume"),
    ("round", "DISCS", "Round the weights to multiples of this many discs"),
    ("sample", "N", "Select N of the matching games at random, in input order"),
    ("save", "FILE", "Write the game to this file after every move"),
    ("save-games", "FILE", "Write the games to this file, in order"),
    ("sectors", "LIST", "sectors"),
    ("seed", "N", "Seed of"),
    ("sha256", "", "Add the SHA-256 checksum of each file"),
    ("shapes", "SET", "Set of patterns"),
    ("shard", "I/N", "only the I-th of N equal parts"),
    ("sort", "ORDER", "Order of the rows"),
    ("sprt", "SETTINGS", "SPRT"),
    ("side", "SIDE", "Side that you learn"),
    ("static", "DIR", "static files"),
    ("statistics", "", "Print statistics of the games to standard error"),
    ("strict", "", "Stop at the first"),
    ("style", "STYLE", "User interface"),
    ("summary", "FILE", "to this file [default: standard error]"),
    ("theme", "THEME", "Only exercises whose best move has this theme"),
    ("thorough", "", "Search longer"),
    ("threads", "N", "Number of"),
    ("time", "TIME", "Time limit per"),
    ("time-limit", "TIME", "Time limit of the whole run"),
    ("time-margin", "TIME", "Time by which an engine may exceed its own time [default: 50ms for tc=]"),
    ("to", "FORMAT", "Output format"),
    ("to", "N", "Number of the last position"),
    ("token", "TOKEN", "Require this token, or a random one, in the address of the page"),
    ("tournament", "FORMAT", "Pairing of three or more engines"),
    ("umigame", "", "Count the lines that each side must remember"),
    ("unique", "", "Analyze equal and symmetric positions only once"),
    ("use-book", "", "Also use book scores from searches that are at least as deep"),
    ("values", "VALUES", "What the tables store"),
    ("variety", "POINTS", "Play book moves within this many points of the best book move"),
    ("verified", "FILE", "Add each verified table to this CSV file, and skip tables in the file"),
    ("verify", "", "Compare with the known counts"),
    ("weights", "FILE", "weights"),
    ("white", "PLAYER", "White"),
    ("wins", "N", "Games won"),
    ("wld", "", "Prove only who wins"),
    ("year", "RANGE", "Games of this year (2010) or of a range (2010..2015, 2010..)"),
];

/// The names in [`OPTIONS`] with two values.
const TWO_VALUES: [&str; 2] = ["output", "to"];

/// The options that select games where a command has filters.
const OF_FILTERS: [&str; 3] = ["black", "position", "white"];

/// Checks the commands and options of a program, their help and its examples.
///
/// # Panics
/// If something is missing or too long, or an example is not a command.
pub fn check(program: &clap::Command) {
    program.clone().debug_assert();
    the_short_help_of_every_command_fits_a_screen(program);
    every_option_has_one_line_of_help_and_a_heading(program);
    an_option_has_the_same_heading_in_every_command(program);
    an_option_has_the_same_meaning_in_every_command(program);
    every_command_has_examples_and_they_are_commands(program);
    absurd_numbers_are_errors_that_name_the_limits(program);
}

/// Returns all commands but `help`, built, each with its path.
fn all_commands(program: &clap::Command) -> Vec<(String, clap::Command)> {
    let mut tree = program.clone().term_width(100);
    tree.build();
    let (mut waiting, mut all) = (vec![tree], Vec::new());
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands().filter(|command| command.get_name() != "help").cloned());
        all.push((command.get_bin_name().unwrap_or(program.get_name()).to_owned(), command));
    }
    all
}

fn the_short_help_of_every_command_fits_a_screen(program: &clap::Command) {
    for (path, mut command) in all_commands(program) {
        let help = command.render_help().to_string();
        assert!(help.lines().count() <= 40, "{path} -h has {} lines:\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        assert!(help.contains("--help"), "{help}");
        let about = command.get_about().unwrap_or_else(|| panic!("{path} has no help")).to_string();
        assert!(about.len() <= 90 && !about.contains('\n') && !about.ends_with('.'), "{path}: {about}");
    }
}

fn every_option_has_one_line_of_help_and_a_heading(program: &clap::Command) {
    for (path, command) in all_commands(program) {
        for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
            let name = format!("{path} {option}");
            let help = option.get_help().unwrap_or_else(|| panic!("{name} has no help")).to_string();
            assert!(help.len() <= 75 && !help.contains('\n') && !help.ends_with('.'), "{name}: {help}");
            assert!(help.starts_with(|c: char| c.is_ascii_uppercase() || c == '\''), "{name}: {help}");
            let is_grouped = option.get_help_heading().is_some() || option.is_positional();
            assert!(is_grouped || ["help", "version"].contains(&option.get_id().as_str()), "{name}");
        }
    }
}

fn an_option_has_the_same_heading_in_every_command(program: &clap::Command) {
    let mut headings = std::collections::BTreeMap::new();
    for (path, command) in all_commands(program) {
        for option in command.get_opts().filter(|option| !OF_FILTERS.contains(&option.get_long().unwrap_or_default())) {
            let heading = option.get_help_heading().map(str::to_owned);
            let (first, known) = headings.entry(option.to_string()).or_insert_with(|| (path.clone(), heading.clone()));
            assert_eq!(heading, *known, "{option} of {path} and {first}");
        }
    }
}

fn an_option_has_the_same_meaning_in_every_command(program: &clap::Command) {
    for pair in OPTIONS.windows(2) {
        assert!(pair[0].0 != pair[1].0 || TWO_VALUES.contains(&pair[0].0), "{pair:?}");
    }
    for (path, command) in all_commands(program) {
        for option in command.get_arguments() {
            let Some(name) = option.get_long().filter(|name| !["help", "version"].contains(name)) else { continue };
            let takes_value = option.get_action().takes_values();
            let value = option.get_value_names().filter(|_| takes_value).map_or("", |names| names[0].as_str());
            let known = OPTIONS.iter().find(|known| known.0 == name && known.1 == value);
            let (.., words) = known.unwrap_or_else(|| panic!("{path} --{name} {value} is not in the table of options"));
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.to_lowercase().contains(&words.to_lowercase()), "{path} --{name}: `{help}` without `{words}`");
        }
    }
}

/// The names of values that are numbers, times or ranges.
const NUMBERS: [&str; 13] =
    ["DEPTH", "DISCS", "I/N", "LEVEL", "MIB", "N", "NUMBER", "PERCENT", "PLIES", "POINTS", "PORT", "RANGE", "SHARE"];

/// Values that nobody means.
const ABSURD: [&str; 13] = [
    "-1",
    "-1.5",
    "0",
    "1.5",
    "NaN",
    "inf",
    "1e18",
    "1000000000000000000",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999",
    "",
    "x",
];

/// The values of [`ABSURD`] that no number accepts.
const NEVER: [&str; 4] = ["99999999999999999999", "NaN", "", "x"];

/// Returns why the parser of an argument rejects a value; nothing if it accepts the value.
fn rejection(program: &clap::Command, path: &str, argument: &clap::Arg, value: &str) -> Option<String> {
    use clap::error::ErrorKind;

    let mut line: Vec<String> = path.split(' ').map(str::to_owned).collect();
    match argument.get_long() {
        Some(name) => line.push(format!("--{name}")),
        // The only positional numbers come after the game.
        None => line.push("othello".to_owned()),
    }
    line.push(value.to_owned());
    let error = program.clone().try_get_matches_from(line).err()?;
    match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::UnknownArgument => {
            Some(super::usage::in_plain_words(error).to_string())
        }
        _ => None,
    }
}

/// Returns the number after `words` in a text.
fn number_after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let rest = text.split_once(words)?.1;
    rest.split(|c: char| c.is_whitespace() || c == ',').next().filter(|number| number.parse::<f64>().is_ok())
}

fn absurd_numbers_are_errors_that_name_the_limits(program: &clap::Command) {
    for (path, command) in all_commands(program) {
        for argument in command.get_arguments().filter(|argument| argument.get_action().takes_values()) {
            let is_number = argument.get_value_names().is_some_and(|names| NUMBERS.contains(&names[0].as_str()))
                && argument.get_possible_values().is_empty();
            for value in ABSURD {
                let rejected = rejection(program, &path, argument, value);
                let name = format!("{path} {argument} with `{value}`: {rejected:?}");
                let Some(text) = rejected else {
                    assert!(!is_number || !NEVER.contains(&value), "{name}");
                    continue;
                };
                let words = ["must be at ", "expected ", "levels: ", "a value is required", "possible values"];
                assert!(!is_number || words.iter().any(|words| text.contains(words)), "{name}");
                assert!(argument.is_positional() || !text.contains("unexpected argument"), "{name}");
                for (words, step) in [("must be at least ", -1), ("must be at most ", 1)] {
                    let Some(limit) = number_after(&text, words) else { continue };
                    assert_eq!(rejection(program, &path, argument, limit), None, "{name}");
                    let Some(beyond) = limit.parse::<i128>().ok().map(|limit| limit + step) else { continue };
                    let beyond = rejection(program, &path, argument, &beyond.to_string());
                    assert_eq!(beyond.as_deref().and_then(|text| number_after(text, words)), Some(limit), "{name}");
                }
                let is_huge = value.len() > 18 && is_number;
                assert!(!is_huge || text.chars().any(|c| c.is_ascii_digit()), "{name}");
            }
        }
    }
}

/// Splits a line as a shell does, up to a comment, a redirection or a pipe.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(mark)) if c == mark => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('|' | '>' | '<', None) => break,
            ('#', None) if word.is_none() => break,
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    assert_eq!(quote, None, "{line}");
    words.extend(word);
    words
}

fn every_command_has_examples_and_they_are_commands(program: &clap::Command) {
    let start = format!("{} ", program.get_name());
    for (path, command) in all_commands(program) {
        // The help itself has long lines broken.
        let help = command.get_before_long_help().map(ToString::to_string).unwrap_or_default();
        let list = help.strip_prefix("Examples:\n").unwrap_or_else(|| panic!("{path} has no examples"));
        assert!(list.lines().all(|line| line.starts_with("  ") && line.chars().count() <= 100), "{list}");
        // In clap's help, this text is a line break.
        assert!(!list.contains("{n}"), "{list}");
        // The program may come after others in a pipe.
        let lines: Vec<_> = list
            .lines()
            .filter_map(|line| line.split(" | ").map(str::trim).find(|part| part.starts_with(start.as_str())))
            .collect();
        assert!(list.lines().count() >= 2 && lines.iter().any(|line| line.starts_with(&path)), "{path}: {lines:?}");
        for line in lines {
            if let Err(error) = program.clone().try_get_matches_from(words(line)) {
                panic!("`{line}` in the help of {path}: {error}");
            }
        }
    }
}
