//! Accepts connections, and limits their number and duration.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::net::{IpAddr, Ipv6Addr, TcpListener};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::game::Cancel;

/// The largest number of connections. Further ones wait.
const MAX_CONNECTIONS: usize = 768;
/// The largest number of connections of one client. Further ones are closed.
const MAX_CONNECTIONS_PER_CLIENT: usize = 128;
/// The longest time to receive the head of a request, and for a connection to be idle.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The longest duration of a connection, and then of its last response. Browsers reconnect automatically.
const CONNECTION_TIME: Duration = Duration::from_secs(300);
/// How long running responses may take after the server is stopped.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// How often the stop flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The number of threads that handle requests. Searches have their own threads.
const THREADS: usize = 2;

/// The address of a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct Client(pub IpAddr);

impl Client {
    /// Treats an IPv6 network (/64) as one client, because each has many addresses.
    fn new(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & u128::MAX << 64).into(),
            address => address,
        })
    }
}

/// Serves requests until `stop` is cancelled, then waits a short time for running responses.
///
/// # Errors
/// Fails if the server cannot start.
pub fn serve(listener: TcpListener, router: Router, stop: &Cancel) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build()?;
    let served = runtime.block_on(accept(listener, router, stop));
    runtime.shutdown_timeout(SHUTDOWN_GRACE);
    served
}

async fn accept(listener: TcpListener, router: Router, stop: &Cancel) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let (end, ended) = watch::channel(());
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let clients = ConnectionCounts::default();
    let mut connections = JoinSet::new();
    let mut raised = pin!(until_raised(stop));
    loop {
        let next = async {
            let slot = Arc::clone(&slots).acquire_owned().await.map_err(io::Error::other)?;
            listener.accept().await.map(|(stream, address)| (stream, Client::new(address.ip()), slot))
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            () = &mut raised => break,
        };
        match accepted {
            Ok((stream, client, slot)) => {
                let Some(guard) = clients.try_add(client.0) else { continue };
                let (router, ended) = (router.clone().layer(Extension(client)), ended.clone());
                connections.spawn(async move {
                    handle_connection(stream, router, ended).await;
                    drop((guard, slot));
                });
            }
            // The client has disconnected, or there are too many open files. Try again soon.
            Err(_) => sleep(POLL_INTERVAL).await,
        }
        while connections.try_join_next().is_some() {}
    }
    drop(end);
    let _ = timeout(SHUTDOWN_GRACE, async { while connections.join_next().await.is_some() {} }).await;
    Ok(())
}

/// The number of connections of each client.
#[derive(Debug, Clone, Default)]
struct ConnectionCounts(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// Counts as a connection of a client until it is dropped.
struct ConnectionGuard(ConnectionCounts, IpAddr);

impl ConnectionCounts {
    /// Counts a connection; returns `None` if the client has too many.
    fn try_add(&self, client: IpAddr) -> Option<ConnectionGuard> {
        let mut counts = self.counts();
        let count = counts.entry(client).or_default();
        (*count < MAX_CONNECTIONS_PER_CLIENT).then(|| {
            *count += 1;
            ConnectionGuard(self.clone(), client)
        })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().expect("no thread panics while it holds the lock")
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.0.counts().entry(self.1) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// Handles the requests of a connection.
async fn handle_connection(stream: TcpStream, router: Router, mut ended: watch::Receiver<()>) {
    // Send each line of a streamed response at once.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = ended.changed() => {}
        () = sleep(CONNECTION_TIME) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(CONNECTION_TIME, connection).await;
}

/// Waits until a flag is raised.
async fn until_raised(flag: &Cancel) {
    while !flag.is_cancelled() {
        sleep(POLL_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_counts_as_one_client() {
        let client = |address: &str| Client::new(address.parse().unwrap()).0;
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:2"));
        assert_ne!(client("2001:db8:0:1::1"), client("2001:db8::1"));
        assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
        assert_ne!(client("10.0.0.1"), client("10.0.0.2"));
    }
}
