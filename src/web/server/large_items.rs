//! [`LargeItems`]: the large files or responses in memory.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// How often a client that has its share asks again.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The sizes of the large files or responses in memory. Without a limit, the connections of one
/// client could fill the memory.
#[derive(Debug, Clone)]
pub(super) struct LargeItems {
    clients: Arc<Mutex<HashMap<IpAddr, u32>>>,
    share: u32,
    /// The size that is free. Those who wait for it are served in their order.
    free: Arc<Semaphore>,
}

/// A large file or response that is counted until this is dropped.
#[derive(Debug)]
pub(super) struct LargeItem {
    _share: Share,
    _size: OwnedSemaphorePermit,
}

impl LargeItems {
    /// Allows items of `size` in total and of `share` per client. The caller chooses the unit.
    pub fn new(share: u32, size: u32) -> Self {
        Self { clients: Arc::default(), share, free: Arc::new(Semaphore::new(size as usize)) }
    }

    /// Counts an item of at most the client's share; `None` if the client's items or all together
    /// would be too large.
    pub fn try_add(&self, client: IpAddr, size: u32) -> Option<LargeItem> {
        let share = self.try_share(client, size)?;
        let size = Arc::clone(&self.free).try_acquire_many_owned(size).ok()?;
        Some(LargeItem { _share: share, _size: size })
    }

    /// Counts an item as [`try_add`](Self::try_add) does, and waits at most this long until it can.
    pub async fn add(&self, client: IpAddr, size: u32, wait: Duration) -> Option<LargeItem> {
        let added = async {
            let share = loop {
                match self.try_share(client, size) {
                    Some(share) => break share,
                    None => sleep(POLL_INTERVAL).await,
                }
            };
            let size = Arc::clone(&self.free).acquire_many_owned(size).await.ok()?;
            Some(LargeItem { _share: share, _size: size })
        };
        timeout(wait, added).await.ok()?
    }

    fn try_share(&self, client: IpAddr, size: u32) -> Option<Share> {
        let mut clients = lock(&self.clients);
        let used = clients.get(&client).copied().unwrap_or(0) + size;
        (used <= self.share).then(|| {
            clients.insert(client, used);
            Share { clients: Arc::clone(&self.clients), client, size }
        })
    }
}

/// What a client uses of its share.
#[derive(Debug)]
struct Share {
    clients: Arc<Mutex<HashMap<IpAddr, u32>>>,
    client: IpAddr,
    size: u32,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut clients = lock(&self.clients);
        let used = clients.remove(&self.client).unwrap_or(0).saturating_sub(self.size);
        if used > 0 {
            clients.insert(self.client, used);
        }
    }
}

fn lock(clients: &Mutex<HashMap<IpAddr, u32>>) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
    clients.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    #[test]
    fn clients_have_a_share_and_all_together_a_size() {
        let items = LargeItems::new(3, 30);
        let mut held: Vec<_> = (0..10).map(|number| items.try_add(client(number), 3).unwrap()).collect();
        assert!(items.try_add(client(0), 1).is_none() && items.try_add(client(99), 1).is_none());
        held.pop();
        let others = [2, 1].map(|size| items.try_add(client(99), size).unwrap());
        assert!(items.try_add(client(99), 1).is_none() && items.try_add(client(98), 1).is_none());
        drop((others, held));
        assert!(items.try_add(client(0), 3).is_some() && lock(&items.clients).is_empty());
    }

    #[test]
    fn those_who_wait_are_served_in_their_order() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let items = LargeItems::new(1, 1);
        let hour = Duration::from_secs(3600);
        runtime.block_on(async {
            let held = items.try_add(client(0), 1);
            let (second, third) = (items.add(client(1), 1, hour), items.add(client(2), 1, hour));
            let (mut second, mut third) = (Box::pin(second), Box::pin(third));
            for waiting in [&mut second, &mut third] {
                assert!(timeout(Duration::from_millis(1), waiting).await.is_err());
            }
            drop(held);
            assert!(timeout(Duration::from_millis(1), &mut third).await.is_err());
            drop(second.await);
            assert!(third.await.is_some());
            let _held = items.try_add(client(0), 1);
            assert!(items.add(client(0), 1, Duration::from_millis(1)).await.is_none());
        });
        assert!(lock(&items.clients).is_empty());
    }
}
