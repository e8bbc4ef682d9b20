//! Checks of the help of a program, for its tests.

/// Checks the commands and options of a program, their help and its examples.
///
/// # Panics
/// If something is missing or too long, or an example is not a command.
pub fn check(program: &clap::Command) {
    program.clone().debug_assert();
    the_short_help_of_every_command_fits_a_screen(program);
    every_option_has_one_line_of_help_and_a_heading(program);
    an_option_has_the_same_heading_in_every_command(program);
    every_command_has_examples_and_they_are_commands(program);
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
        for option in command.get_opts().filter(|option| option.get_long() != Some("help")) {
            // An option with another value is another option: `--games FILE` and `--games N`.
            let heading = option.get_help_heading().map(str::to_owned);
            let (first, known) = headings.entry(option.to_string()).or_insert_with(|| (path.clone(), heading.clone()));
            assert_eq!(heading, *known, "{option} of {path} and {first}");
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
