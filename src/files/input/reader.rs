//! [`Reader`]: reads the records of several inputs, one input after the other.

use std::collections::VecDeque;
use std::sync::Arc;

use morello_core::game::{AnyGame, RecordFormat, UnreadText};

use super::beginning::{invalid, too_many_columns};
use super::columns::{self, Columns, MAX_COLUMNS, REMAINDER_COLUMN};
use super::detect::InputFormat;
use super::folder::expand;
use super::json_records;
use super::record::Record;
use super::record_stream::{DetectedStream, RecordStream, StreamContext};
use super::sample;
use super::source::{Input, ReadError, Stream};
use super::text_formats::TextFormats;

/// The number of bad records of an input that are compared with other games, which takes time.
const MAX_HINTS: u32 = 10;

/// The number of lines without a position or game after which an input is given up.
const MAX_BAD_LINES: u64 = if cfg!(test) { 30_000 } else { 1_000_000 };

/// Reads the records of several inputs. Stops after an input that cannot be read, or with a million
/// lines in a row without a position or game.
///
/// The items are records, or the [`ReadError`] that ends the iterator.
///
/// ```
/// use morello::games;
/// use morello::input::{Input, Reader};
///
/// let text = "f5d6c3\n% a comment\nf5d6x9\nd3c5".to_owned();
/// let records: Vec<_> = Reader::of(games::get("othello")?, Input::Text(text))?.collect::<Result<_, _>>()?;
/// assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 3, 4]);
/// let error = records[1].content.as_ref().unwrap_err();
/// assert_eq!((error.line, error.column), (3, 5));
/// assert_eq!(records[1].raw, "f5d6x9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader {
    sources: VecDeque<PendingInput>,
    current: Option<CurrentInput>,
    columns: Columns,
    /// The name of the column for JSON keys that are missing in the first objects of their file.
    remainder: String,
    formats: TextFormats,
    /// Called with the name of the input and the text whenever a part of the text is ignored.
    on_unread: Option<OnUnread>,
    /// The total size of all completed inputs, in bytes.
    bytes_before: u64,
    /// The part to read, counted from 0, and the number of parts.
    shard: (u64, u64),
    /// The number of inputs so far, and the number of records that are distributed record by
    /// record.
    inputs: u64,
    records: u64,
}

/// The current input.
struct CurrentInput {
    file: String,
    records: Box<dyn RecordStream>,
    /// Whether it returns only the records of the part.
    is_dealt: bool,
    /// The number of bad records since the last good one, and the line of the first of them.
    bad: (u64, u64),
    /// The number of bad records that were compared with other games.
    hints: u32,
}

morello_core::debug_fields!(Reader { sources.len() });

/// Called with the name of an input and a text that was ignored.
type OnUnread = Arc<dyn Fn(&str, &UnreadText) + Send + Sync>;

/// An input with its format.
struct PendingInput {
    input: Input,
    format: DetectedStream,
    /// The stream; `None` for a file that must be opened again.
    stream: Option<Stream>,
}

impl Reader {
    /// Opens one input and detects its format.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    ///
    /// let morris = games::get("nine-mens-morris")?;
    /// assert_eq!(Reader::of(morris, Input::Text("d2 f4 d6\nd2 f2\n".to_owned()))?.count(), 2);
    /// let error = Reader::of(morris, Input::Text("(;GM[Othello]".to_owned())).err().expect("it is of Othello");
    /// assert!(error.source.to_string().starts_with("this looks like an Othello game in GGF"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the input cannot be read, or is in a format of another game.
    pub fn of(game: &'static dyn AnyGame, input: Input) -> Result<Self, ReadError> {
        Self::open(game, vec![input], &InputFormat::default())
    }

    /// Opens the inputs and detects their formats. Directories and archives are [expanded](expand).
    /// If there are many files, they are closed after detection and opened again when they are
    /// read.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, InputFormat, Reader};
    ///
    /// let inputs = ["id,game\n7,f5d6", "f5d6c3\nf5f6"].map(|text| Input::Text(text.to_owned()));
    /// let reader = Reader::open(games::get("othello")?, inputs.into(), &InputFormat::default())?;
    /// assert_eq!(reader.columns().names(), ["id"]);
    /// assert_eq!(reader.count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] for the first input that cannot be read, or is not in the given format.
    pub fn open(game: &'static dyn AnyGame, inputs: Vec<Input>, format: &InputFormat) -> Result<Self, ReadError> {
        let formats = TextFormats { game, requested: format.format };
        let mut columns = Columns::default();
        let mut sources = VecDeque::new();
        for input in expand(inputs)?.inputs {
            let failed = |source| ReadError { file: input.name(), source };
            let mut stream = json_records::open(&input)?;
            let mut detected = format.detect(game, &mut stream).map_err(failed)?;
            sample::add(&mut detected, &mut stream, &input, formats).map_err(failed)?;
            detected.columns.iter().zip(&detected.column_types).for_each(|(name, &kind)| columns.add(name, kind));
            if columns.as_slice().len() > MAX_COLUMNS {
                return Err(failed(too_many_columns()));
            }
            // The first is read next. A stream of a packed file takes up to some MiB.
            let stays_open = sources.is_empty() || !input.can_be_opened_again();
            sources.push_back(PendingInput { input, format: detected, stream: stays_open.then_some(stream) });
        }
        // The name must differ from the keys in all inputs.
        let mut names: Vec<_> = columns.names().into_iter().map(str::to_owned).collect();
        names.push(REMAINDER_COLUMN.to_owned());
        let remainder = columns::deduplicate_names(names).pop().unwrap_or_default();
        if sources.iter().any(|source: &PendingInput| source.format.has_remainder) {
            columns.add_remainder(&remainder);
        }
        Ok(Self {
            sources,
            current: None,
            columns,
            remainder,
            formats,
            on_unread: None,
            bytes_before: 0,
            shard: (0, 1),
            inputs: 0,
            records: 0,
        })
    }

    /// Reads only one of several equal parts, numbered from 0. Call this before reading the first
    /// record. Together, the parts contain each record once, with its line number.
    ///
    /// Lines and rows with one position each are distributed to the parts in turn; the lines and
    /// rows of other parts are counted without being parsed. For a Parquet file of positions, each
    /// part reads a range of the rows. Games are distributed in turn too. Games of other parts are
    /// returned, because games are numbered, but they are not [selected](Record::is_selected).
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    ///
    /// let board = "-----OX--XO----- X\n".repeat(5);
    /// let reader = Reader::of(games::get("othello-4x4")?, Input::Text(board))?.sharded(1, 2);
    /// let lines: Vec<_> = reader.map(|record| record.unwrap().line).collect();
    /// assert_eq!(lines, [2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sharded(self, part: u64, parts: u64) -> Self {
        Self { shard: (part, parts), ..self }
    }

    /// Calls `report` for each part of a text that is ignored, with the name of its input. The
    /// records also contain these parts.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    ///
    /// let (sender, receiver) = mpsc::channel();
    /// let text = "My games, spring 2024\n\nf5d6c3 Perpendicular".to_owned();
    /// let reader = Reader::of(games::get("othello")?, Input::Text(text))?;
    /// let reader = reader.reporting(move |_file, unread| sender.send((unread.line, unread.to_string())).unwrap());
    /// assert_eq!(reader.count(), 1);
    /// let reported: Vec<_> = receiver.iter().collect();
    /// assert_eq!(reported[0], (1, "left out: `My games, spring 2024`".to_owned()));
    /// assert_eq!(reported[1], (3, "left out: `Perpendicular`".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reporting(mut self, report: impl Fn(&str, &UnreadText) + Send + Sync + 'static) -> Self {
        self.on_unread = Some(Arc::new(report));
        self
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.formats.game
    }

    /// Returns the copied columns of all inputs.
    #[must_use]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the index of the column for JSON keys that are missing in the first objects of their
    /// file; `None` if there is no such column.
    #[must_use]
    pub fn remainder_column(&self) -> Option<usize> {
        self.columns.find(&self.remainder)
    }

    /// Splits the reader, before its first record, into one reader per input, in order and with the
    /// same columns.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, InputFormat, Reader};
    ///
    /// let inputs = ["f5", "f5d6\nf5f6"].map(|text| Input::Text(text.to_owned()));
    /// let reader = Reader::open(games::get("othello")?, inputs.into(), &InputFormat::default())?;
    /// // Each reader could run on another thread.
    /// let counts: Vec<_> = reader.split().into_iter().map(Iterator::count).collect();
    /// assert_eq!(counts, [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split(self) -> Vec<Self> {
        let Self { sources, columns, remainder, formats, on_unread, .. } = self;
        let only = |source| Self {
            sources: VecDeque::from([source]),
            current: None,
            columns: columns.clone(),
            remainder: remainder.clone(),
            formats,
            on_unread: on_unread.clone(),
            bytes_before: 0,
            shard: (0, 1),
            inputs: 0,
            records: 0,
        };
        sources.into_iter().map(only).collect()
    }

    /// Returns the first input in a binary format whose companion files cannot be found, because
    /// the input has no path or is in an archive.
    #[must_use]
    pub fn without_companions(&self) -> Option<(String, &'static RecordFormat)> {
        self.sources.iter().filter(|source| source.input.file().is_none()).find_map(|source| {
            let format = source.format.records.filter(|format| !format.companions.is_empty())?;
            Some((source.input.name(), format))
        })
    }

    /// Returns whether one of the inputs seems to contain games, according to its first records.
    ///
    /// ```
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    ///
    /// let othello = games::get("othello")?;
    /// let moves = Reader::of(othello, Input::Text("f5d6c3".to_owned()))?;
    /// assert!(moves.is_of_games() && !moves.is_of_tagged_games());
    /// let pgn = Reader::of(othello, Input::Text("[Black \"Anna\"]\n\n1. f5 d6 *".to_owned()))?;
    /// assert!(pgn.is_of_games() && pgn.is_of_tagged_games());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_of_games(&self) -> bool {
        self.sources.iter().any(|source| source.format.of_games)
    }

    /// Returns whether one of the inputs seems to contain games with players, a date or other
    /// metadata, according to its first records.
    #[must_use]
    pub fn is_of_tagged_games(&self) -> bool {
        self.sources.iter().any(|source| source.format.has_tags)
    }

    /// Returns whether one of the inputs seems to contain scores or results with which an analysis
    /// can be compared.
    #[must_use]
    pub fn has_scores(&self) -> bool {
        self.sources.iter().any(|source| source.format.has_scores)
    }

    fn start(&mut self, source: PendingInput) -> Result<CurrentInput, ReadError> {
        let PendingInput { input, format, stream } = source;
        // Distributes the first records of many small inputs to different parts.
        let (part, parts) = self.shard;
        let shard = (part.saturating_add(self.inputs) % parts, parts);
        self.inputs += 1;
        let is_dealt = parts > 1 && format.of_plain_positions;
        let rows = if is_dealt { input.open_rows(shard)? } else { None };
        let has_rows = rows.is_some();
        let stream = rows.or(stream).map_or_else(|| json_records::open(&input), Ok)?;
        let file = input.name();
        let context = StreamContext {
            input,
            file: file.as_str().into(),
            formats: self.formats,
            columns: self.columns.clone(),
            nulls: self.columns.nulls(),
            remainder: self.remainder_column(),
        };
        let open = || {
            let mut records = (format.open)(stream, context)?;
            let is_dealt = has_rows || is_dealt && records.deal(shard)?;
            Ok((records, is_dealt))
        };
        match open() {
            Ok((records, is_dealt)) => Ok(CurrentInput { file, records, is_dealt, bad: (0, 0), hints: 0 }),
            Err(source) => Err(ReadError { file, source }),
        }
    }

    fn try_next(&mut self) -> Result<Option<Record>, ReadError> {
        loop {
            let Some(CurrentInput { file, records: current, is_dealt, bad, hints }) = &mut self.current else {
                let Some(source) = self.sources.pop_front() else { return Ok(None) };
                self.current = Some(self.start(source)?);
                continue;
            };
            let record = current.next().map_err(|source| ReadError { file: file.clone(), source })?;
            let bytes_read = self.bytes_before + current.bytes_read();
            if let Some(mut record) = record {
                *bad = match (&record.content, *bad) {
                    (Ok(_), _) => (0, 0),
                    (Err(_), (0, _)) => (1, record.line),
                    (Err(_), (count, first)) => (count + 1, first),
                };
                match &mut record.content {
                    Err(error) if *hints < MAX_HINTS => {
                        *hints += 1;
                        error.hint_at(self.formats.other_game(&record.raw));
                    }
                    _ => {}
                }
                // If the input is split, the lines between two records may belong to other parts.
                let bad_lines = if *is_dealt { bad.0 } else { record.line.saturating_sub(bad.1) };
                if record.content.is_err() && bad_lines >= MAX_BAD_LINES {
                    let text = format!(
                        "line {}: the {MAX_BAD_LINES} lines before it contain no position or game of {}; check the \
                            file and the game",
                        record.line,
                        self.formats.game.name()
                    );
                    return Err(ReadError { file: file.clone(), source: invalid(text) });
                }
                let (part, parts) = self.shard;
                let is_selected = *is_dealt || self.records % parts == part;
                self.records += u64::from(!*is_dealt);
                if let (Some(report), Ok(content), true) = (&self.on_unread, &record.content, is_selected) {
                    content.unread().for_each(|unread| report(&record.file, unread));
                }
                return Ok(Some(Record { bytes_read, is_selected, ..record }));
            }
            self.bytes_before = bytes_read;
            self.current = None;
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = self.try_next();
        if result.is_err() {
            self.sources.clear();
            self.current = None;
        }
        result.transpose()
    }
}
