//! The command lines of the README and the guide, with their output.
//!
//! A `console` block is a shell session. Lines that begin with `$ ` (continued by `> `) are
//! commands; `sh` runs them in a temporary folder, one per page, with links to the repository's
//! `data` and `scripts`. The other lines are the expected output, standard output and standard
//! error combined. There, a line `...` matches any number of lines, and `[..]` any text within a
//! line. Comments before the block give directives:
//!
//! * `<!-- varies: nodes time_ms elapsed -->`: table columns and labels whose values are not
//!   compared
//! * `<!-- exit: 1 -->`: the exit code of the last command (default: 0)
//!
//! A `sh` block is not run. Its first line gives the reason: `# Not tested: ...`.
//!
//! `GUIDE=write cargo test --test suite guide` updates blocks that differ. `MORELLO` selects
//! another build of the program.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const NOT_TESTED: &str = "# Not tested: ";

/// The width of the terminal that pages show, in characters.
const WIDTH: usize = 90;

/// Defines a test for each page.
macro_rules! pages {
    ($($name:ident: $path:literal,)+) => {
        const PAGES: &[&str] = &[$($path),+];

        $(
            #[test]
            fn $name() {
                run_page($path);
            }
        )+
    };
}

pages! {
    readme: "README.md",
    contents: "src/guide/README.md",
    getting_started: "src/guide/getting-started.md",
    tutorial: "src/guide/tutorial.md",
    analyze: "src/guide/analyze.md",
    games: "src/guide/games.md",
    perft: "src/guide/perft.md",
    selfplay: "src/guide/selfplay.md",
    play: "src/guide/play.md",
    python: "src/guide/python.md",
    databases: "src/guide/databases.md",
    books: "src/guide/books.md",
    training: "src/guide/training.md",
    engines: "src/guide/engines.md",
    formats: "src/guide/formats.md",
    file_formats: "src/guide/file-formats.md",
    cluster: "src/guide/cluster.md",
    rules: "src/guide/rules.md",
    measurements: "src/guide/measurements.md",
    safety: "src/guide/safety.md",
    library: "src/guide/library.md",
    own_game: "src/guide/own-game.md",
    tasks: "src/guide/tasks.md",
    faq: "src/guide/faq.md",
    glossary: "src/guide/glossary.md",
}

/// The directives in the comments before a block.
#[derive(Default)]
struct Directives {
    varies: Vec<String>,
    exit: i32,
}

/// A command of a session with its expected output.
struct Step {
    command: String,
    output: Vec<String>,
    exit: i32,
}

/// Returns the root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the sessions of a page and compares their output.
fn run_page(path: &str) {
    let file = root().join(path);
    let text = fs::read_to_string(&file).expect("the page can be read");
    let folder = page_folder();
    let mut page = String::new();
    let mut problems = String::new();
    let mut directives = Directives::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        page += &format!("{line}\n");
        if let Some(comment) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            directives.read(comment);
            continue;
        }
        let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language {
            "console" => {
                let steps = steps(&block, &directives);
                assert!(!steps.is_empty(), "{path}: block without a command: {block:?}");
                for step in &steps {
                    let actual = run(folder.path(), step);
                    if let Err(problem) = compare(step, &actual, &directives.varies) {
                        problems += &format!("\n{path}: {problem}\n");
                        page += &session(&step.command, &actual.1);
                    } else {
                        page += &session(&step.command, &step.output);
                    }
                }
            }
            "sh" => {
                let reason = block.first().and_then(|line| line.strip_prefix(NOT_TESTED));
                assert!(
                    reason.is_some_and(|reason| !reason.is_empty()),
                    "{path}: block must begin with `{NOT_TESTED}`: {block:?}"
                );
                block.iter().for_each(|line| page += &format!("{line}\n"));
            }
            _ => block.iter().for_each(|line| page += &format!("{line}\n")),
        }
        page += "```\n";
        directives = Directives::default();
    }
    if std::env::var_os("GUIDE").is_some_and(|mode| mode == "write") {
        fs::write(file, page).expect("the page can be written");
    }
    assert!(problems.is_empty(), "{problems}");
}

/// Creates the folder in which the sessions of a page run.
fn page_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for name in ["data", "scripts"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).expect("a link can be created");
    }
    folder
}

impl Directives {
    fn read(&mut self, comment: &str) {
        if let Some(names) = comment.strip_prefix("varies: ") {
            self.varies.extend(names.split_whitespace().map(str::to_owned));
        } else if let Some(code) = comment.strip_prefix("exit: ") {
            self.exit = code.parse().expect("an exit code is a number");
        }
    }
}

/// Parses the commands of a session.
fn steps(block: &[&str], directives: &Directives) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in block {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), output: Vec::new(), exit: 0 });
        } else {
            let step = steps.last_mut().expect("a session begins with a command");
            match line.strip_prefix("> ") {
                Some(more) if step.output.is_empty() => {
                    write!(step.command, "\n{more}").expect("writing to a string cannot fail")
                }
                _ => step.output.push((*line).to_owned()),
            }
        }
    }
    if let Some(last) = steps.last_mut() {
        last.exit = directives.exit;
    }
    steps
}

/// Formats a command and its output as a session.
fn session(command: &str, output: &[String]) -> String {
    let mut text = format!("$ {}\n", command.replace('\n', "\n> "));
    output.iter().for_each(|line| text += &format!("{line}\n"));
    text
}

/// Runs a command. Returns its exit code and output.
fn run(folder: &Path, step: &Step) -> (i32, Vec<String>) {
    let program =
        std::env::var_os("MORELLO").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_morello")), PathBuf::from);
    let programs = program.parent().expect("the program is in a folder").display();
    let path = format!("{programs}:{}", std::env::var("PATH").expect("PATH is set"));
    let command = step.command.replace("cargo run --release -- ", "morello ");
    let output = tempfile::NamedTempFile::new().expect("a temporary file can be created");
    let file = || File::options().append(true).open(output.path()).expect("the file can be opened");
    let status = Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder)
        .env("PATH", path)
        // Ignore databases of the user.
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder.join("data-home"))
        .env("TERM", "dumb")
        .env("COLUMNS", WIDTH.to_string())
        .stdout(file())
        .stderr(file())
        .status()
        .expect("sh can be started");
    let text = fs::read_to_string(output.path()).expect("the output is UTF-8");
    let lines = text.lines().map(|line| line.trim_end().to_owned()).collect();
    (status.code().expect("the command exits"), lines)
}

/// Compares the output of a command with the expected output.
fn compare(step: &Step, (exit, actual): &(i32, Vec<String>), varies: &[String]) -> Result<(), String> {
    // Ignore trailing blank lines, which separate commands.
    let blanks = step.output.iter().rev().take_while(|line| line.is_empty()).count();
    let expected = &step.output[..step.output.len() - blanks];
    let blanks = actual.iter().rev().take_while(|line| line.is_empty()).count();
    if *exit == step.exit && lines_match(expected, &actual[..actual.len() - blanks], &[], varies) {
        return Ok(());
    }
    Err(format!(
        "`{}`\n--- expected, exit code {}:\n{}\n--- actual, exit code {exit}:\n{}",
        step.command,
        step.exit,
        step.output.join("\n"),
        actual.join("\n"),
    ))
}

/// Returns whether lines match. `columns` are those of the table above, if any.
fn lines_match(expected: &[String], actual: &[String], columns: &[&str], varies: &[String]) -> bool {
    let Some((line, rest)) = expected.split_first() else { return actual.is_empty() };
    if line == "..." {
        return (0..=actual.len()).any(|skipped| lines_match(rest, &actual[skipped..], columns, varies));
    }
    let Some((first, others)) = actual.split_first() else { return false };
    let cells = cells(line);
    // A line with the name of a varying column after its first cell is the header of a table.
    let is_header = cells.iter().skip(1).any(|cell| varies.contains(&cell.replace(' ', "_")));
    let columns = if is_header { &cells } else { columns };
    let matches = if is_header { cells == self::cells(first) } else { line_matches(line, first, columns, varies) };
    matches && lines_match(rest, others, columns, varies)
}

/// Splits a line into cells at two or more blanks.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// Returns whether a line matches, ignoring varying columns and labelled values.
fn line_matches(expected: &str, actual: &str, columns: &[&str], varies: &[String]) -> bool {
    let is_named = |name: &str| varies.iter().any(|other| other == name.trim_end_matches(':'));
    let label = |line: &'_ str| line.split_whitespace().next().map(str::to_owned);
    if label(expected).is_some_and(|word| is_named(&word)) && label(expected) == label(actual) {
        return true;
    }
    let (expected, actual) = (cells(expected), cells(actual));
    expected.len() == actual.len()
        && expected.iter().zip(&actual).enumerate().all(|(index, (expected, actual))| {
            columns.get(index).is_some_and(|name| is_named(&name.replace(' ', "_")))
                || words_match(expected, actual, &is_named)
        })
}

/// Returns whether the words of a cell match, ignoring those that follow the label of a varying
/// value.
fn words_match(expected: &str, actual: &str, is_named: &dyn Fn(&str) -> bool) -> bool {
    if expected.contains("[..]") {
        return text_matches(expected, actual);
    }
    let (expected, actual): (Vec<&str>, Vec<&str>) = (expected.split(' ').collect(), actual.split(' ').collect());
    expected.len() == actual.len()
        && (0..expected.len())
            .all(|index| expected[index] == actual[index] || (index > 0 && is_named(expected[index - 1])))
}

/// Returns whether a text matches a pattern in which `[..]` matches any text.
fn text_matches(expected: &str, actual: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == actual,
        Some((start, rest)) => actual.strip_prefix(start).is_some_and(|actual| {
            actual
                .char_indices()
                .map(|(index, _)| index)
                .chain([actual.len()])
                .any(|from| text_matches(rest, &actual[from..]))
        }),
    }
}

#[test]
fn every_page_of_the_guide_is_listed() {
    let pages = fs::read_dir(root().join("src/guide")).expect("the folder can be read");
    let pages =
        pages.map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("names are UTF-8"));
    let mut pages: Vec<String> =
        pages.filter(|name| name.ends_with(".md")).map(|name| format!("src/guide/{name}")).collect();
    pages.push("README.md".to_owned());
    pages.sort();
    let mut listed = PAGES.to_vec();
    listed.sort_unstable();
    assert_eq!(pages, listed);
}

#[test]
fn the_citation_has_the_version_of_the_package() {
    let text = fs::read_to_string(root().join("CITATION.cff")).expect("the file can be read");
    let version = concat!("version: ", env!("CARGO_PKG_VERSION"));
    assert!(text.lines().any(|line| line == version), "CITATION.cff lacks `{version}`");
}

/// Returns the targets of the links of a page: `](target)` and `[name]: target`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let defined = text.lines().filter(|line| line.starts_with('[')).filter_map(|line| Some(line.split_once("]: ")?.1));
    inline.chain(defined).filter(|target| !target.starts_with("https://"))
}

/// Returns the anchors of the headings of a page.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let letters = heading.to_lowercase().replace(' ', "-");
        letters.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn link_targets_exist() {
    for path in PAGES {
        let file = root().join(path);
        let text = fs::read_to_string(&file).expect("the page can be read");
        for link in links(&text) {
            let (name, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if name.is_empty() { file.clone() } else { file.with_file_name("").join(name) };
            assert!(target.exists(), "{path}: {link}");
            if !anchor.is_empty() {
                let text = fs::read_to_string(target).expect("the target can be read");
                assert!(anchors(&text).iter().any(|other| other == anchor), "{path}: {link}");
            }
        }
    }
}

#[test]
fn every_reference_link_is_defined_on_its_page() {
    for path in PAGES.iter().filter(|path| path.starts_with("src/guide/")) {
        let text = fs::read_to_string(root().join(path)).expect("the page can be read");
        let names = PAGES.iter().filter_map(|page| page.strip_prefix("src/guide/")?.strip_suffix(".md"));
        for name in names.filter(|name| text.contains(&format!("[{name}]"))) {
            assert!(text.contains(&format!("\n[{name}]: {name}.md")), "{path}: [{name}]");
        }
        // In the documentation of the library, only references lead to pages.
        assert!(!text.contains(".md)") && !text.contains(".md#"), "{path}: an inline link to a page");
    }
}

#[test]
fn detects_differences_except_in_varying_values() {
    let varies = ["time_ms".to_owned(), "elapsed".to_owned(), "in".to_owned()];
    let matches = |expected: &str, actual: &str| {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        lines_match(&lines(expected), &lines(actual), &[], &varies)
    };
    let table = "move  nodes  time_ms\nd3      100     1.25\n";
    assert!(matches(table, "move  nodes  time_ms\nd3      100    17.25\n"));
    assert!(!matches(table, "move  nodes  time_ms\nd3      101     1.25\n"));
    assert!(!matches(table, "move  nodes  time_us\nd3      100     1.25\n"));
    assert!(!matches(table, "move  nodes  time_ms\n"));
    assert!(matches("elapsed  1 s, 5 nodes/s", "elapsed  2 s, 4 nodes/s"));
    assert!(!matches("games  1 s", "games  2 s"));
    assert!(matches("2 games in 1.5 s", "2 games in 0.5 s") && !matches("2 games in 1.5 s", "3 games in 1.5 s"));
    assert!(matches("a\n...\nd", "a\nb\nc\nd") && !matches("a\n...\nd", "a\nb\nc"));
    assert!(matches("a [..] d", "a b c d") && !matches("a [..] d", "a b c"));
}

/// Figures that pages copy from results: the page, its words, the result and its words. When a result is measured
/// again, the page follows.
const FIGURES: &[(&str, &str, &str, &str)] = &[
    (
        "README.md",
        "#40 to #49 take 2 seconds on 16 cores",
        "data/results/scaling.md",
        "| #40 to #49 | 16 | 397.5 | 1.11 | 1.98 |",
    ),
    (
        "src/guide/measurements.md",
        "19.9 s; 4.7 s; 3.3 s; 2.0 s",
        "data/results/scaling.md",
        "| #40 to #49 | 1 | 358.4 | 1.00 | 19.90 |",
    ),
    (
        "src/guide/measurements.md",
        "19.9 s; 4.7 s; 3.3 s; 2.0 s",
        "data/results/scaling.md",
        "| #40 to #49 | 4 | 361.9 | 1.01 | 4.73 |",
    ),
    (
        "src/guide/measurements.md",
        "19.9 s; 4.7 s; 3.3 s; 2.0 s",
        "data/results/scaling.md",
        "| #40 to #49 | 8 | 394.0 | 1.10 | 3.26 |",
    ),
    (
        "src/guide/measurements.md",
        "4.55 GiB of memory | 2 | 86.5 and 78.8 minutes",
        "data/results/databases.md",
        "| 10.347 | 86.5 | 5.4 | 4.55 |",
    ),
    (
        "src/guide/measurements.md",
        "86.5 and 78.8 minutes",
        "data/results/databases.md",
        "| 9.960 | 78.8 | 5.9 | 4.55 |",
    ),
    ("README.md", "every value of 70 of 857 tables", "data/results/databases.md", "every value of 70"),
];

#[test]
fn copied_figures_are_those_of_the_results() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file can be read").replace('\n', " ");
    for (page, words, result, source) in FIGURES {
        assert!(read(page).contains(words), "{page} lacks `{words}`");
        assert!(read(result).contains(source), "{result} has changed: measure `{words}` of {page} anew");
    }
}

#[test]
fn the_results_of_the_readme_are_those_of_the_results_pages() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file can be read");
    let (readme, matches) =
        (read("README.md"), read("data/results/matches.md") + &read("data/results/matches-morris.md"));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = |start: &str| {
        let table = readme.lines().skip_while(|line| !line.starts_with(start)).skip(2);
        table.take_while(|line| line.starts_with('|')).map(cells).collect::<Vec<_>>()
    };
    let games = rows("| game | opponent |");
    assert_eq!(games.len(), 5);
    for row in games {
        let (opponent, figures) = (row[2].split(',').next().expect("a name"), &row[4..7]);
        let is_source =
            |line: &&str| line.contains(opponent) && figures.iter().all(|figure| line.contains(figure.as_str()));
        assert!(matches.lines().any(|line| is_source(&line)), "{row:?}");
    }
    let databases = read("data/results/databases.md");
    let solved = rows("| game | result |");
    assert_eq!(solved.len(), 3);
    for row in solved {
        let name = row[1].trim_matches('`');
        let source =
            databases.lines().find(|line| line.starts_with(&format!("| {name} | "))).expect("a row of the game");
        let plies = row[2].split(' ').rev().nth(1).filter(|word| word.parse::<u32>().is_ok()).unwrap_or("draw");
        assert!(source.contains(&format!("| {} |", row[3])) && source.contains(plies), "{row:?}: {source}");
    }
}

#[test]
fn counts_in_the_readme_and_the_books_are_those_of_the_program() {
    use morello::{book::Book, games};

    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file can be read");
    let mills = games::all().iter().filter(|game| games::mill(game.name()).is_ok()).count();
    assert!(read("README.md").contains(&format!("| mill games | {mills} |")), "{mills} mill games");
    assert!(read("CHANGELOG.md").contains(&format!("and {mills} mill games")), "{mills} mill games");
    let othello = games::get("othello").expect("it is a game");
    let positions =
        Book::built_in(othello).expect("it has a book").expect("the book can be read").file().most_positions();
    let text = format!("{},{:03} positions", positions / 1000, positions % 1000);
    assert!(read("src/files/data/books/README.md").contains(&text), "{text}");
    let names = othello.opening_names().expect("they have names").all().len();
    assert!(read("src/guide/books.md").contains(&format!("all {names} names")), "{names} names");
}

#[test]
fn tables_fit_a_terminal() {
    for path in PAGES {
        let text = fs::read_to_string(root().join(path)).expect("the page can be read");
        let mut is_session = false;
        for (number, line) in (1..).zip(text.lines()) {
            is_session = if line.starts_with("```") { line == "```console" } else { is_session };
            // Terminals wrap commands and messages.
            let is_table = cells(line).len() > 2 && !line.starts_with("$ ") && !line.starts_with("> ");
            let fits = !is_table || line.chars().count() <= WIDTH;
            assert!(!is_session || fits, "{path}:{number}: more than {WIDTH} characters: {line}");
        }
    }
}
