//! Files to read and to write: looked at before a long run, not after it.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::input::Input;
use crate::output::{Field, Format, Output};

/// Turns arguments into inputs, and sees that each can be read. `-`, or no argument at all, is the standard input.
pub(super) fn inputs(files: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if files.is_empty() {
        return Ok(vec![Input::Stdin]);
    }
    if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        bail!("the standard input (`-`) can be read once only");
    }
    files.iter().map(|file| input(file)).collect()
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
    // To open a pipe and close it again would end whoever writes to it.
    if metadata.is_file() {
        File::open(file).with_context(failed)?;
    }
    Ok(Input::File(file.to_owned()))
}

/// Returns how many bytes the inputs have together; `None` if that cannot be known.
pub(super) fn total_bytes(inputs: &[Input]) -> Option<u64> {
    inputs.iter().map(|input| metadata(input).filter(Metadata::is_file).map(|metadata| metadata.len())).sum()
}

/// Refuses outputs that are also an input, or each other: to open them would destroy what is to be read or was written.
pub(super) fn check_distinct(inputs: &[Input], outputs: &[&Path]) -> anyhow::Result<()> {
    for (i, output) in outputs.iter().enumerate() {
        let place = Place::of(output);
        for input in inputs {
            let input_place = match input {
                Input::Stdin => Place::of(Path::new(STDIN)),
                Input::File(path) => Place::of(path),
                Input::Text(_) => None,
            };
            if place.is_some() && place == input_place {
                bail!("the output `{}` is also an input: give it another name", output.display());
            }
        }
        // Two outputs that do not exist yet have no place, but maybe the same name.
        if outputs[..i].iter().any(|other| other == output || (place.is_some() && Place::of(other) == place)) {
            bail!("two outputs go to `{}`: give them different names", output.display());
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

/// What a regular file is under any of its names. Devices and pipes have none: `/dev/null` takes any number of outputs.
#[derive(PartialEq, Eq)]
struct Place(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl Place {
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

/// Opens an output, the standard output if there is no name or it is `-`; what a file held is lost.
pub(super) fn output(file: Option<&Path>) -> anyhow::Result<Box<dyn Write + Send>> {
    Ok(match file.filter(|file| file.as_os_str() != "-") {
        None => Box::new(BufWriter::new(io::stdout())),
        Some(path) => Box::new(BufWriter::new(create(path)?)),
    })
}

/// Begins an output of records, to the standard output if there is no name or it is `-`. What is no text is refused on a terminal.
pub(super) fn records<R>(
    format: Format,
    fields: Vec<Field<R>>,
    file: Option<&Path>,
) -> anyhow::Result<Output<'static, R>> {
    records_through(format, fields, file, |sink| sink)
}

/// Begins an output as [`records`] does, written `through` what may look at it.
pub(super) fn records_through<R>(
    format: Format,
    fields: Vec<Field<R>>,
    file: Option<&Path>,
    through: impl FnOnce(Box<dyn Write + Send>) -> Box<dyn Write + Send>,
) -> anyhow::Result<Output<'static, R>> {
    let file = file.filter(|file| file.as_os_str() != "-");
    if format == Format::Parquet && file.is_none() && io::stdout().is_terminal() {
        bail!(
            "parquet is no text to be shown on a terminal: send it to a file, with --output if the command has it, or `> FILE`"
        );
    }
    Output::new(format, fields, through(output(file)?)).with_context(|| cannot_write(file))
}

/// Opens an output that was written before, to go on after so many bytes; what it has beyond is cut off.
pub(super) fn go_on(path: &Path, kept: u64) -> anyhow::Result<File> {
    let open = || -> io::Result<File> {
        let mut file = File::options().write(true).open(path)?;
        if file.metadata()?.len() < kept {
            let message = format!(
                "it has less than the {kept} bytes that its checkpoint tells of: remove the checkpoint to begin anew"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        file.set_len(kept)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().with_context(|| format!("cannot go on with `{}`", path.display()))
}

/// Refuses a file that already holds something, which would be lost; `option` names what asked for it.
pub(super) fn check_is_new(path: &Path, option: &str) -> anyhow::Result<()> {
    if path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
        bail!("{option}: `{}` already holds something: name another file, or delete it", path.display());
    }
    Ok(())
}

/// Sees that a file can be written, without changing what it holds.
pub(super) fn check_writable(path: &Path) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        return Ok(());
    }
    File::options().append(true).create(true).open(path).with_context(|| cannot_write(Some(path)))?;
    Ok(())
}

/// Writes a whole file, or the standard output if its name is `-`.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = output(Some(path))?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).with_context(|| cannot_write(Some(path)))
}

/// Says which output failed.
pub(super) fn cannot_write(file: Option<&Path>) -> String {
    match file {
        Some(path) => format!("cannot write `{}`", path.display()),
        None => "cannot write to the standard output".to_owned(),
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
    fn a_file_is_itself_under_any_name() {
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
        assert!(check_distinct(&inputs, &[Path::new("/dev/null"), &new]).is_ok());
        assert_eq!(total_bytes(&inputs), Some(1));
    }
}
