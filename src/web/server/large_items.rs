//! [`LargeItems`]: the large files or responses in memory, at most one per client.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The clients whose large files or responses are in memory. Without a limit, the connections of
/// one client could fill the memory.
#[derive(Debug, Clone)]
pub(super) struct LargeItems {
    clients: Arc<Mutex<HashSet<IpAddr>>>,
    most: usize,
}

/// A large file or response that is counted until this is dropped.
#[derive(Debug)]
pub(super) struct LargeItem {
    items: LargeItems,
    client: IpAddr,
}

impl LargeItems {
    /// Allows this many items.
    pub fn new(most: usize) -> Self {
        Self { clients: Arc::default(), most }
    }

    /// Counts an item; `None` if the client already has one, or if there are too many.
    pub fn try_add(&self, client: IpAddr) -> Option<LargeItem> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let is_free = clients.len() < self.most && clients.insert(client);
        is_free.then(|| LargeItem { items: self.clone(), client })
    }
}

impl Drop for LargeItem {
    fn drop(&mut self) {
        self.items.clients.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_one_large_item_and_all_together_have_few() {
        let client = |number: usize| IpAddr::from([10, 0, 0, number as u8]);
        let items = LargeItems::new(16);
        let mut held: Vec<_> = (0..16).map(|number| items.try_add(client(number)).unwrap()).collect();
        assert!(items.try_add(client(0)).is_none() && items.try_add(client(99)).is_none());
        held.pop();
        let other = items.try_add(client(99)).unwrap();
        assert!(items.try_add(client(98)).is_none());
        drop((other, held));
        assert!(items.try_add(client(0)).is_some() && items.clients.lock().unwrap().is_empty());
    }
}
