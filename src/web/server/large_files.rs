//! [`LargeFiles`]: the large files and responses in memory, at most one per client.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of large files in memory, at most one per client. A file is large if it is
/// longer than any other request may be.
const MAX_LARGE_FILES: usize = 16;

/// The clients whose large files are in memory. Without a limit, the connections of one client
/// could fill the memory.
#[derive(Debug, Clone, Default)]
pub(super) struct LargeFiles(Arc<Mutex<HashSet<IpAddr>>>);

/// A large file that is counted until this is dropped.
#[derive(Debug)]
pub(super) struct LargeFile {
    files: LargeFiles,
    client: IpAddr,
}

impl LargeFiles {
    /// Counts a file; `None` if the client already has one, or if there are too many.
    pub fn try_add(&self, client: IpAddr) -> Option<LargeFile> {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_free = clients.len() < MAX_LARGE_FILES && clients.insert(client);
        is_free.then(|| LargeFile { files: self.clone(), client })
    }
}

impl Drop for LargeFile {
    fn drop(&mut self) {
        self.files.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_one_large_file_and_all_together_have_few() {
        let client = |number: usize| IpAddr::from([10, 0, 0, number as u8]);
        let files = LargeFiles::default();
        let mut held: Vec<_> = (0..MAX_LARGE_FILES).map(|number| files.try_add(client(number)).unwrap()).collect();
        assert!(files.try_add(client(0)).is_none() && files.try_add(client(99)).is_none());
        held.pop();
        let other = files.try_add(client(99)).unwrap();
        assert!(files.try_add(client(98)).is_none());
        drop((other, held));
        assert!(files.try_add(client(0)).is_some() && files.0.lock().unwrap().is_empty());
    }
}
