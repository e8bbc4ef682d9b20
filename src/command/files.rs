//! Input and output files, which are checked before a long run.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, bail};
use morello_core::game::{AnyGame, RecordFormat, UnreadText};
use morello_core::printable::{PrintableWriter, printable};
use morello_files::input::{Expanded, Input, InputFormat, Reader, RecordError, expand};
use morello_files::output::{Field, Output, OutputFormat};

use super::{eprint_line, progress, terminal_width};

/// Whether outputs may replace files.
static REPLACES_FILES: AtomicBool = AtomicBool::new(false);

/// Lets outputs replace existing files, for `--force`.
pub fn replace_files(replaces: bool) {
    REPLACES_FILES.store(replaces, Ordering::Relaxed);
}

/// Returns whether outputs may replace existing files.
pub fn replaces_files() -> bool {
    REPLACES_FILES.load(Ordering::Relaxed)
}

/// Rejects an output that is a file with content, unless `--force` is given. Every output is checked
/// like this before it is written.
pub fn check_new(path: &Path) -> anyhow::Result<()> {
    let has_content = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    if has_content && !replaces_files() {
        bail!("`{}` exists; use another file, or --force to replace it", path.display());
    }
    Ok(())
}

/// The name of standard input and of standard output.
const STDIO: &str = "-";

/// Returns the inputs that the arguments name, and checks that each can be read. `-`, or no
/// argument, is standard input; folders and archives stand for the files in them. Messages say if
/// the user must type the input, and which files are no games.
pub fn inputs(files: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if let [_, .., last] = files
        && !last.exists()
        && last.as_os_str() != STDIO
    {
        let last = last.display();
        bail!("cannot read `{last}`: no such file; to create it, use `-o {last}`");
    }
    let inputs = match files {
        [] => vec![Input::Stdin],
        _ => files.iter().map(|file| readable(file)).collect::<anyhow::Result<_>>()?,
    };
    let Expanded { inputs, skipped } = expand(inputs)?;
    for (name, about) in skipped {
        eprint_line(format_args!("skipped {}: {about}", printable(&name)));
    }
    let of_stdin = inputs.iter().filter(|input| **input == Input::Stdin).count();
    if of_stdin > 1 {
        bail!("standard input (`-`) is given twice: it can be read only once");
    }
    if of_stdin > 0 && io::stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        eprint_line(format_args!("reading from the terminal: a position or game on each line, {end} at the end"));
    }
    Ok(inputs)
}

/// Names the inputs in a title.
pub fn names(files: &[PathBuf]) -> String {
    match files {
        [] => "standard input".to_owned(),
        [only] => only.display().to_string(),
        [first, others @ ..] => format!("{} and {} more", first.display(), others.len()),
    }
}

/// Returns the file that an argument names, and checks that it can be read. `-` is standard input.
pub fn input(file: &Path) -> anyhow::Result<Input> {
    if file.is_dir() {
        bail!("cannot read `{}`: it is a directory", file.display());
    }
    readable(file)
}

/// Returns the file or folder that an argument names, and checks that it can be read.
fn readable(file: &Path) -> anyhow::Result<Input> {
    if file.as_os_str() == STDIO {
        return Ok(Input::Stdin);
    }
    let failed = || format!("cannot read `{}`", file.display());
    let text = file.to_string_lossy();
    // A common mistake; the name of a file has other letters.
    let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
    if !file.exists() && text.len() > 1 && text.as_bytes().chunks(2).all(is_square) {
        bail!(
            "`{text}` is not a file; to analyze the position after these moves, use `morello analyze GAME --position \
                {text}`; to pass a game on standard input, use `echo {text} | morello ...`"
        );
    }
    let metadata = file.metadata().with_context(failed)?;
    // Opening and closing a pipe would end the program that writes to it.
    if metadata.is_file() {
        File::open(file).with_context(failed)?;
    }
    Ok(Input::File(file.to_owned()))
}

/// Opens the inputs. If one lacks its companion files because it is standard input or in an archive, a
/// message says so.
pub fn reader(game: &'static dyn AnyGame, inputs: Vec<Input>, format: &InputFormat) -> anyhow::Result<Reader> {
    let reader = Reader::open(game, inputs, format)?;
    if let Some((name, RecordFormat { name: format, companions, .. })) = reader.without_companions() {
        eprint_line(format_args!(
            "{name}: {format} keeps {companions}, next to the file; to read them, name the file itself, not an \
                archive or standard input"
        ));
    }
    // Each text of a long list may have a name.
    let count = AtomicUsize::new(0);
    Ok(reader.reporting(move |file, unread| match count.fetch_add(1, Ordering::Relaxed) {
        MAX_UNREAD.. => {}
        before => progress::beside(|| report_unread(file, unread, before + 1 == MAX_UNREAD)),
    }))
}

/// The most texts that were left out which are reported; the rows have all of them.
const MAX_UNREAD: usize = 10;

fn report_unread(file: &str, unread: &UnreadText, is_last: bool) {
    let (UnreadText { line, column, .. }, text) = (unread, unread.to_string());
    eprint_line(format_args!("{file}, line {line}, column {column}: {}", printable(&text)));
    if is_last {
        eprint_line(format_args!("more text may be left out; see the field `note` of the rows"));
    }
}

/// Reports an invalid record of an input on standard error.
pub fn report_invalid(file: &str, error: &RecordError) {
    let problem = error.to_string();
    let problem = printable(&problem);
    eprint_line(format_args!("{file}, line {}, column {}: {problem}", error.line, error.column));
}

/// Returns the total size of the inputs; `None` if it is unknown.
pub fn total_bytes(inputs: &[Input]) -> Option<u64> {
    inputs.iter().map(Input::size).sum()
}

/// Rejects an output that is also an input or another output: opening it would destroy data.
pub fn check_distinct(inputs: &[Input], outputs: &[&Path]) -> anyhow::Result<()> {
    for (i, output) in outputs.iter().enumerate() {
        let place = FileId::of(output);
        for input in inputs {
            let input_place = match input {
                Input::Stdin => FileId::of(Path::new("/dev/stdin")),
                input => input.path().and_then(FileId::of),
            };
            if place.is_some() && place == input_place {
                bail!("the output `{}` is also an input; use another file", output.display());
            }
        }
        // Two outputs that do not exist yet have no place, but may have the same name.
        let is_discarded = *output == Path::new("/dev/null");
        if !is_discarded
            && outputs[..i].iter().any(|other| other == output || (place.is_some() && FileId::of(other) == place))
        {
            bail!("two outputs go to `{}`; use different files", output.display());
        }
    }
    Ok(())
}

/// The identity of a regular file under any of its names. Devices and pipes have none: `/dev/null`
/// accepts any number of outputs.
#[derive(PartialEq, Eq)]
struct FileId(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl FileId {
    fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(Self((metadata.dev(), metadata.ino())))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            path.canonicalize().ok().map(Self)
        }
    }
}

/// An output that the user names: a file, or standard output, written `-`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    #[default]
    Stdout,
    /// A file.
    File(PathBuf),
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for Target {
    fn from(name: &T) -> Self {
        let name = name.as_ref();
        if name == STDIO { Self::Stdout } else { Self::File(name.into()) }
    }
}

impl AsRef<OsStr> for Target {
    fn as_ref(&self) -> &OsStr {
        self.path().map_or(STDIO.as_ref(), Path::as_os_str)
    }
}

/// No name is standard output.
impl From<Option<&Path>> for Target {
    fn from(path: Option<&Path>) -> Self {
        path.map_or(Self::Stdout, Self::from)
    }
}

impl Target {
    /// Returns the path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }

    /// Returns whether the output goes to a terminal.
    pub fn is_terminal(&self) -> bool {
        *self == Self::Stdout && io::stdout().is_terminal()
    }

    /// Opens the output, which must be new. On a terminal, escape sequences in the data are shown as
    /// text.
    fn open(&self) -> anyhow::Result<Box<dyn Write + Send>> {
        self.path().map_or(Ok(()), check_new)?;
        self.replace()
    }

    /// Opens the output and truncates it.
    pub fn replace(&self) -> anyhow::Result<Box<dyn Write + Send>> {
        Ok(match self {
            Self::File(path) => Box::new(BufWriter::new(File::create(path).with_context(|| cannot_write(self))?)),
            Self::Stdout if self.is_terminal() => Box::new(BufWriter::new(PrintableWriter::new(io::stdout()))),
            Self::Stdout => Box::new(BufWriter::new(io::stdout())),
        })
    }
}

/// Opens an output, which must be new.
pub fn output(target: impl Into<Target>) -> anyhow::Result<Box<dyn Write + Send>> {
    target.into().open()
}

/// Opens an output of records, which must be new. A table fits the terminal. Rejects binary formats on a terminal.
pub fn records<R>(
    format: OutputFormat,
    fields: Vec<Field<R>>,
    target: impl Into<Target>,
) -> anyhow::Result<Output<'static, R>> {
    let target = target.into();
    open_records(format, fields, &target, target.open()?)
}

/// Opens an output as [`records`] does, and replaces a file that the run has checked.
pub fn replaced_records<R>(
    format: OutputFormat,
    fields: Vec<Field<R>>,
    target: impl Into<Target>,
) -> anyhow::Result<Output<'static, R>> {
    let target = target.into();
    open_records(format, fields, &target, target.replace()?)
}

/// Returns the width of the terminal that an output goes to, if it goes to one.
fn terminal_width(target: &Target) -> Option<usize> {
    terminal_width::of_stdout().filter(|_| *target == Target::Stdout)
}

fn open_records<R>(
    format: OutputFormat,
    fields: Vec<Field<R>>,
    target: &Target,
    sink: Box<dyn Write + Send>,
) -> anyhow::Result<Output<'static, R>> {
    check_terminal(format, target)?;
    Output::fitted(format, fields, terminal_width(target), sink).with_context(|| cannot_write(target))
}

/// Rejects binary formats on a terminal.
pub fn check_terminal(format: OutputFormat, target: &Target) -> anyhow::Result<()> {
    if format == OutputFormat::Parquet && target.is_terminal() {
        bail!("parquet is a binary format; write it to a file with --output");
    }
    Ok(())
}

/// Opens an existing output to resume it after its first `kept` bytes; the rest is cut off.
pub fn open_at(path: &Path, kept: u64) -> anyhow::Result<File> {
    let open = || -> io::Result<File> {
        let mut file = File::options().read(true).write(true).open(path)?;
        if file.metadata()?.len() < kept {
            let message =
                format!("it is shorter than the {kept} bytes in its checkpoint; delete the checkpoint to start again");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        file.set_len(kept)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().with_context(|| format!("cannot resume `{}`", path.display()))
}

/// Rejects a file with another extension than these. A name without extension is accepted.
pub fn check_extension(path: &Path, known: &[&str]) -> anyhow::Result<()> {
    let is_known = |extension: &OsStr| known.iter().any(|known| extension.eq_ignore_ascii_case(known));
    if path.extension().is_none_or(is_known) {
        return Ok(());
    }
    let known: Vec<_> = known.iter().map(|known| format!(".{known}")).collect();
    bail!("`{}` has an unknown extension; use {}", path.display(), known.join(" or "));
}

/// Checks that an output can be written, without changing it.
pub fn check_writable(target: impl Into<Target>) -> anyhow::Result<()> {
    let target = target.into();
    if let Some(path) = target.path() {
        File::options().append(true).create(true).open(path).with_context(|| cannot_write(&target))?;
    }
    Ok(())
}

/// An output that is opened before the work, so that errors come first, and written after it. A
/// file that is to be replaced keeps its content until then, and a new one is removed if the work fails.
#[derive(Debug)]
pub struct ReservedOutput {
    target: Target,
    /// The opened file.
    file: Option<File>,
    /// Whether to remove the file because it is new and has no content.
    is_unused: bool,
}

impl ReservedOutput {
    /// Opens an output.
    pub fn open(target: &Target) -> anyhow::Result<Self> {
        let target = target.clone();
        let Some(path) = target.path() else { return Ok(Self { target, file: None, is_unused: false }) };
        check_new(path)?;
        // Opened once, because closing a pipe would end the program that reads from it.
        let mut options = File::options();
        let (file, is_unused) = match options.append(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                (options.create_new(false).create(true).open(path), false)
            }
            file => (file, true),
        };
        let file = Some(file.with_context(|| cannot_write(&target))?);
        Ok(Self { target, file, is_unused })
    }

    /// Writes records, with a table that fits the terminal.
    pub fn write_records<R>(
        mut self,
        format: OutputFormat,
        fields: Vec<Field<R>>,
        records: &[R],
    ) -> anyhow::Result<()> {
        let sink = self.sink()?;
        let write = || {
            let mut output = Output::fitted(format, fields, terminal_width(&self.target), sink)?;
            records.iter().try_for_each(|record| output.write(record))?;
            output.finish()
        };
        write().with_context(|| cannot_write(&self.target))
    }

    /// Writes a text.
    pub fn write(mut self, text: &str) -> anyhow::Result<()> {
        let mut sink = self.sink()?;
        sink.write_all(text.as_bytes()).and_then(|()| sink.flush()).with_context(|| cannot_write(&self.target))
    }

    /// Truncates the output, which is then used.
    fn sink(&mut self) -> anyhow::Result<Box<dyn Write + Send>> {
        let sink = match &self.file {
            None => self.target.replace()?,
            Some(file) => self.truncated(file).with_context(|| cannot_write(&self.target))?,
        };
        self.is_unused = false;
        Ok(sink)
    }

    fn truncated(&self, file: &File) -> io::Result<Box<dyn Write + Send>> {
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        Ok(Box::new(BufWriter::new(file.try_clone()?)))
    }
}

impl Drop for ReservedOutput {
    fn drop(&mut self) {
        if let Some(path) = self.target.path().filter(|_| self.is_unused) {
            // An empty file that cannot be removed does no harm.
            let _ = fs::remove_file(path);
        }
    }
}

/// Writes a whole output, and replaces a file that the run has checked.
pub fn write(target: impl Into<Target>, text: &str) -> anyhow::Result<()> {
    let target = target.into();
    let mut file = target.replace()?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).with_context(|| cannot_write(&target))
}

/// Returns the message for an output that failed.
pub fn cannot_write(target: impl Into<Target>) -> String {
    match target.into() {
        Target::File(path) => format!("cannot write `{}`", path.display()),
        Target::Stdout => "cannot write to standard output".to_owned(),
    }
}

/// Returns the directory of a game's endgame databases in the one that `--database` gives.
///
/// # Errors
/// Fails if it does not exist.
pub fn tables_folder(dir: &Path, game: &str) -> anyhow::Result<PathBuf> {
    let folder = dir.join(game);
    if !folder.is_dir() {
        bail!(
            "--database `{}`: no tables of {game} there (looked in `{}`); build them with `morello database build`",
            dir.display(),
            folder.display()
        );
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_a_file_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obf");
        fs::write(&path, "x").unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        let inputs = [Input::File(path.clone())];
        let other_name = folder.path().join("b/../a.obf");
        assert!(check_distinct(&inputs, &[&other_name]).is_err());
        let new = folder.path().join("new");
        assert!(check_distinct(&inputs, &[&new]).is_ok());
        assert!(check_distinct(&inputs, &[&new, &new]).is_err());
        let null = Path::new("/dev/null");
        assert!(check_distinct(&inputs, &[null, &new]).is_ok());
        assert!(check_distinct(&inputs, &[null, null]).is_ok());
        assert!(check_distinct(&inputs, &[Path::new("-"), Path::new("-")]).is_err());
        for name in ["a.svg", "a.SVG", "a", "-", "/dev/null"] {
            assert!(check_extension(Path::new(name), &["svg"]).is_ok(), "{name}");
        }
        let error = check_extension(Path::new("a.png"), &["html", "htm"]).unwrap_err();
        assert_eq!(error.to_string(), "`a.png` has an unknown extension; use .html or .htm");
        assert_eq!(total_bytes(&inputs), Some(1));
    }

    #[test]
    fn a_reserved_output_keeps_its_content_until_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "some longer content").unwrap();
        let [old_target, new_target] = [&old, &new].map(|path| Target::from(path.as_path()));
        let error = ReservedOutput::open(&old_target).err().unwrap().to_string();
        assert!(error.ends_with("old` exists; use another file, or --force to replace it"), "{error}");
        replace_files(true);
        drop((ReservedOutput::open(&old_target).unwrap(), ReservedOutput::open(&new_target).unwrap()));
        assert_eq!(fs::read_to_string(&old).unwrap(), "some longer content");
        assert!(!new.exists());
        for file in [&old, &new] {
            let fields = vec![Field::integer("n", |&n: &u64| n.into())];
            let reserved = ReservedOutput::open(&Target::from(file.as_path())).unwrap();
            reserved.write_records(OutputFormat::Csv, fields, &[1, 2]).unwrap();
            assert_eq!(fs::read_to_string(file).unwrap(), "n\n1\n2\n");
        }
        let error = ReservedOutput::open(&folder.path().into()).err().unwrap();
        assert!(error.to_string().starts_with("cannot write `"), "{error}");
    }
}
