//! Input and output files, which are checked before a long run.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::{eprint_line, terminal_width};
use crate::input::Input;
use crate::output::{Field, Output, OutputFormat};

/// Returns the inputs that the arguments name, and checks that each can be read. `-`, or no argument, is standard input. If the user
/// must type the input, a message says so.
pub(super) fn inputs(files: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        bail!("standard input (`-`) is given twice: it can be read only once");
    }
    let inputs = match files {
        [] => vec![Input::Stdin],
        _ => files.iter().map(|file| input(file)).collect::<anyhow::Result<_>>()?,
    };
    if inputs.iter().any(|input| matches!(input, Input::Stdin)) && io::stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        eprint_line(format_args!("reading from the terminal: a position or game on each line, {end} at the end"));
    }
    Ok(inputs)
}

fn input(file: &Path) -> anyhow::Result<Input> {
    if file.as_os_str() == "-" {
        return Ok(Input::Stdin);
    }
    let failed = || format!("cannot read `{}`", file.display());
    let metadata = file.metadata().with_context(failed)?;
    if metadata.is_dir() {
        bail!("cannot read `{}`: it is a directory", file.display());
    }
    // Opening and closing a pipe would end the program that writes to it.
    if metadata.is_file() {
        File::open(file).with_context(failed)?;
    }
    Ok(Input::File(file.to_owned()))
}

/// Returns the total size of the inputs; `None` if it is unknown.
pub(super) fn total_bytes(inputs: &[Input]) -> Option<u64> {
    inputs.iter().map(|input| metadata(input).filter(Metadata::is_file).map(|metadata| metadata.len())).sum()
}

/// Rejects an output that is also an input or another output: opening it would destroy data.
pub(super) fn check_distinct(inputs: &[Input], outputs: &[&Path]) -> anyhow::Result<()> {
    for (i, output) in outputs.iter().enumerate() {
        let place = FileId::of(output);
        for input in inputs {
            let input_place = match input {
                Input::Stdin => FileId::of(Path::new(STDIN)),
                Input::File(path) => FileId::of(path),
                Input::Text(_) => None,
            };
            if place.is_some() && place == input_place {
                bail!("the output `{}` is also an input: use another file", output.display());
            }
        }
        // Two outputs that do not exist yet have no place, but may have the same name.
        let is_discarded = *output == Path::new("/dev/null");
        if !is_discarded
            && outputs[..i].iter().any(|other| other == output || (place.is_some() && FileId::of(other) == place))
        {
            bail!("two outputs go to `{}`: use different files", output.display());
        }
    }
    Ok(())
}

const STDIN: &str = "/dev/stdin";

fn metadata(input: &Input) -> Option<Metadata> {
    let path = match input {
        Input::Stdin => Path::new(STDIN),
        Input::File(path) => path,
        Input::Text(_) => return None,
    };
    path.metadata().ok()
}

/// The identity of a regular file under any of its names. Devices and pipes have none: `/dev/null` accepts any number of outputs.
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

/// Opens an output and truncates it; no name or `-` is standard output.
pub(super) fn output(file: Option<&Path>) -> anyhow::Result<Box<dyn Write + Send>> {
    Ok(match file.filter(|file| file.as_os_str() != "-") {
        None => Box::new(BufWriter::new(io::stdout())),
        Some(path) => Box::new(BufWriter::new(create(path)?)),
    })
}

/// Opens an output of records; no name or `-` is standard output. Rejects binary formats on a terminal.
pub(super) fn records<R>(
    format: OutputFormat,
    fields: Vec<Field<R>>,
    file: Option<&Path>,
) -> anyhow::Result<Output<'static, R>> {
    records_with(format, fields, file, None, |sink| sink)
}

/// Opens an output as [`records`] does, with a table that fits the terminal.
pub(super) fn fitted_records<R>(
    format: OutputFormat,
    fields: Vec<Field<R>>,
    file: Option<&Path>,
) -> anyhow::Result<Output<'static, R>> {
    records_with(format, fields, file, terminal_width(file), |sink| sink)
}

/// Returns the width of the terminal that an output goes to, if it goes to one; no name or `-` is standard output.
pub(super) fn terminal_width(file: Option<&Path>) -> Option<usize> {
    terminal_width::of_stdout().filter(|_| file.is_none_or(|file| file.as_os_str() == "-"))
}

/// Opens an output as [`records`] does, with a table [fitted](Output::fitted) to the width of a terminal and a writer wrapped by `through`.
pub(super) fn records_with<R>(
    format: OutputFormat,
    fields: Vec<Field<R>>,
    file: Option<&Path>,
    width: Option<usize>,
    through: impl FnOnce(Box<dyn Write + Send>) -> Box<dyn Write + Send>,
) -> anyhow::Result<Output<'static, R>> {
    let file = file.filter(|file| file.as_os_str() != "-");
    if format == OutputFormat::Parquet && file.is_none() && io::stdout().is_terminal() {
        bail!("parquet is a binary format: write it to a file with `> FILE`, or --output if the command has it");
    }
    Output::fitted(format, fields, width, through(output(file)?)).with_context(|| cannot_write(file))
}

/// Opens an existing output to resume it after its first `kept` bytes; the rest is cut off.
pub(super) fn open_at(path: &Path, kept: u64) -> anyhow::Result<File> {
    let open = || -> io::Result<File> {
        let mut file = File::options().write(true).open(path)?;
        if file.metadata()?.len() < kept {
            let message =
                format!("it is shorter than the {kept} bytes in its checkpoint: delete the checkpoint to start again");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        file.set_len(kept)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().with_context(|| format!("cannot resume `{}`", path.display()))
}

/// Rejects a file that is not empty; `option` is the option that names it.
pub(super) fn check_is_new(path: &Path, option: &str) -> anyhow::Result<()> {
    if path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
        bail!("{option}: `{}` is not empty: use another file, or delete it", path.display());
    }
    Ok(())
}

/// Rejects a file with another extension than these. A name without extension is accepted.
pub(super) fn check_extension(path: &Path, known: &[&str]) -> anyhow::Result<()> {
    let is_known = |extension: &OsStr| known.iter().any(|known| extension.eq_ignore_ascii_case(known));
    if path.extension().is_none_or(is_known) {
        return Ok(());
    }
    let known: Vec<_> = known.iter().map(|known| format!(".{known}")).collect();
    bail!("`{}` has an unknown extension: use {}", path.display(), known.join(" or "));
}

/// Checks that a file can be written, without changing it.
pub(super) fn check_writable(path: &Path) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        return Ok(());
    }
    File::options().append(true).create(true).open(path).with_context(|| cannot_write(Some(path)))?;
    Ok(())
}

/// Writes a whole file; `-` is standard output.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = output(Some(path))?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).with_context(|| cannot_write(Some(path)))
}

/// Returns the message for an output that failed.
pub(super) fn cannot_write(file: Option<&Path>) -> String {
    match file {
        Some(path) => format!("cannot write `{}`", path.display()),
        None => "cannot write to standard output".to_owned(),
    }
}

/// Creates a file to write.
fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| cannot_write(Some(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_a_file_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obf");
        std::fs::write(&path, "x").unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
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
        assert_eq!(error.to_string(), "`a.png` has an unknown extension: use .html or .htm");
        assert_eq!(total_bytes(&inputs), Some(1));
    }
}
