//! Reading on another thread.

use std::sync::mpsc::sync_channel;

use morello_core::game::Cancel;
use morello_core::threads;

use super::reader::Reader;
use super::record::Record;
use super::source::ReadError;

/// The number of batches that may wait.
const BATCHES: usize = 4;
/// The number of records in a batch. Waking the other thread for each record took a third of the time.
const RECORDS: usize = 64;
/// The number of bytes of text after which a batch is complete.
const BYTES: usize = 64 << 10;

impl Reader {
    /// Reads on another thread. The iterator ends as soon as `cancel` is raised, even while the input is
    /// silent, or has many lines without a record.
    ///
    /// ```
    /// use morello::game::Cancel;
    /// use morello::games;
    /// use morello::input::{Input, Reader};
    ///
    /// let othello = games::get("othello")?;
    /// let read = || Reader::of(othello, Input::Text("f5d6\nf5f6\n".to_owned()));
    /// let cancel = Cancel::new();
    /// assert_eq!(read()?.read_ahead(&cancel).count(), 2);
    /// cancel.cancel();
    /// assert_eq!(read()?.read_ahead(&cancel).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_ahead(self, cancel: &Cancel) -> impl Iterator<Item = Result<Record, ReadError>> + use<> {
        let (sender, batches) = sync_channel(BATCHES);
        threads::spawn(Box::new(move || {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            for record in self {
                bytes += record.as_ref().map_or(0, |record| record.raw.len());
                batch.push(record);
                if batch.len() == RECORDS || bytes >= BYTES {
                    bytes = 0;
                    // Without a receiver, nobody wants the rest.
                    let Ok(()) = sender.send((std::mem::take(&mut batch), false)) else { return };
                }
            }
            // The last batch shows that reading did not end by a panic.
            let _ = sender.send((batch, true));
        }));
        let cancel = cancel.clone();
        let (mut batch, mut is_last) = (Vec::new().into_iter(), false);
        std::iter::from_fn(move || {
            loop {
                if cancel.is_cancelled() {
                    return None;
                }
                match batch.next() {
                    None if is_last => return None,
                    None => {
                        let (records, last) = cancel.receive(&batches)?.expect("reading does not panic");
                        (batch, is_last) = (records.into_iter(), last);
                    }
                    record => return record,
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use morello_core::games;

    use super::*;
    use crate::input::Input;

    #[test]
    fn all_records_arrive_in_order() {
        for count in [0, 1, RECORDS - 1, RECORDS, 10 * RECORDS + 1] {
            let text = "f5d6\nx\n".repeat(count);
            let reader = Reader::of(games::get("othello").unwrap(), Input::Text(text)).unwrap();
            let lines: Vec<_> = reader.read_ahead(&Cancel::new()).map(|record| record.unwrap().line).collect();
            assert_eq!(lines, (1..=2 * count as u64).collect::<Vec<_>>());
        }
    }
}
