//! Binary files: those in the game's formats, and unsupported files, which are recognized by their
//! first bytes.

use std::io::{self, Read as _};

use morello_core::game::{RecordFormat, Records};

use super::RecordError;
use super::record::{Record, RecordProblem};
use super::record_stream::{DetectedStream, RecordStream, StreamContext};
use super::source::Stream;

/// The first bytes of unsupported files, with a description.
const UNSUPPORTED: [(&[u8], &str); 5] = [
    (b"PAR1", "a Parquet file within a compressed one (unpack it)"),
    (b"\xff\xfe\0\0", "UTF-32 text (convert it to UTF-8)"),
    (b"\0\0\xfe\xff", "UTF-32 text (convert it to UTF-8)"),
    (b"\xff\xfe", "UTF-16 text (convert it to UTF-8)"),
    (b"\xfe\xff", "UTF-16 text (convert it to UTF-8)"),
];

/// Returns a description of an unsupported file, given its first bytes; `None` if it may be text.
pub(super) fn describe(head: &[u8]) -> Option<&'static str> {
    let known = UNSUPPORTED.iter().find(|(begin, _)| head.starts_with(begin)).map(|(_, about)| *about);
    let dated = matches!(head, [19..=21, 0..=99, 1..=12, 1..=31, ..]) && head.len() >= 16;
    let unknown = if dated { "a WTHOR database of 8x8 Othello" } else { "a binary file" };
    known.or_else(|| is_binary(head).then_some(unknown))
}

/// Returns whether the first bytes cannot be text: they start with a control character or contain a
/// zero byte.
pub(super) fn is_binary(head: &[u8]) -> bool {
    head.first().is_some_and(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) || head.contains(&0)
}

/// Returns the stream of an input in a binary format.
pub(super) fn records(format: &'static RecordFormat) -> DetectedStream {
    let open = move |stream, context| BinaryRecords::open(format, stream, context);
    DetectedStream { records: Some(format), has_scores: true, ..DetectedStream::new(true, true, open) }
}

struct BinaryRecords {
    stream: Stream,
    context: StreamContext,
    format: &'static RecordFormat,
    records: Records,
    read: u64,
    ended: bool,
}

impl BinaryRecords {
    fn open(format: &'static RecordFormat, mut stream: Stream, context: StreamContext) -> io::Result<Self> {
        let mut head = Vec::new();
        stream.bytes.by_ref().take(format.head_bytes as u64).read_to_end(&mut head)?;
        if head.len() < format.head_bytes {
            let (name, head_bytes) = (format.name, format.head_bytes);
            let text = format!("incomplete {name} header: {} of {head_bytes} bytes", head.len());
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, text));
        }
        let records = (format.open)(&head, context.input.file()).map_err(io::Error::other)?;
        Ok(Self { stream, context, format, records, read: 0, ended: false })
    }
}

impl RecordStream for BinaryRecords {
    fn next(&mut self) -> io::Result<Option<Record>> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.stream.bytes.by_ref().take(self.format.record_bytes as u64).read_to_end(&mut bytes)?;
        let (line, expected) = (self.read + 1, self.records.count);
        let fail = |column, problem| Err(RecordError { line, column, problem });
        let is_last = self.read == expected;
        self.ended = is_last || bytes.len() < self.format.record_bytes;
        let content = if is_last && bytes.is_empty() {
            return Ok(None);
        } else if is_last {
            fail(1, RecordProblem::TrailingBytes(expected))
        } else if self.ended {
            fail(bytes.len() + 1, RecordProblem::MissingRecords { expected, found: self.read })
        } else {
            self.read += 1;
            let game = (self.records.read)(&bytes);
            game.map(Into::into).or_else(|error| fail(error.column(), RecordProblem::Unreadable(error)))
        };
        let raw =
            if content.is_ok() { String::new() } else { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
        Ok(Some(self.context.record(line, raw, content)))
    }

    fn bytes_read(&self) -> u64 {
        self.stream.bytes_read(self.format.head_bytes as u64 + self.read * self.format.record_bytes as u64)
    }
}
