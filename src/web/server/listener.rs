//! Accepts connections, and limits their number and duration.

use std::io;
use std::net::{IpAddr, Ipv6Addr, TcpListener};
use std::pin::pin;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use morello_core::game::Cancel;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{interval, sleep, timeout};

use super::connections::Connections;
use super::system;

/// The maximum number of connections, if the system allows as many open files.
const MAX_CONNECTIONS: usize = 2048;
/// The number of open files that are reserved for tables, weights and the output.
#[cfg(unix)]
const OTHER_FILES: usize = 64;
/// The maximum size of a request head, in bytes, and the maximum number of headers.
const MAX_HEAD_BYTES: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
/// The maximum time to receive a request head, and for which a connection may be idle.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The maximum duration of a connection, and after that of its last response. Browsers reconnect
/// automatically.
const CONNECTION_TIME: Duration = Duration::from_secs(300);
/// How long running responses may take after the server is stopped.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// How often freed memory is returned to the system, if there are connections.
const RETURN_INTERVAL: Duration = Duration::from_secs(2);
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
/// If the server cannot start.
pub fn serve(listener: TcpListener, router: Router, stop: &Cancel) -> io::Result<()> {
    system::limit_kept_memory();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build()?;
    let served = runtime.block_on(accept(listener, router, stop));
    runtime.shutdown_timeout(SHUTDOWN_GRACE);
    served
}

async fn accept(listener: TcpListener, router: Router, stop: &Cancel) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let (end, ended) = watch::channel(());
    let places = Connections::new(max_connections());
    let mut connections = JoinSet::new();
    let mut raised = pin!(until_raised(stop));
    let mut return_times = interval(RETURN_INTERVAL);
    let mut was_used = false;
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => {
                    let client = Client::new(address.ip());
                    let Some(guard) = places.try_add(client.0) else { continue };
                    let router = router.clone().layer(Extension(client)).layer(Extension(guard.activity.clone()));
                    let handled = handle_connection(stream, router, ended.clone());
                    connections.spawn(async move {
                        tokio::select! {
                            () = handled => {}
                            () = guard.close.notified() => {}
                        }
                    });
                }
                // The client has disconnected, or there are too many open files. Try again soon.
                Err(_) => sleep(POLL_INTERVAL).await,
            },
            _ = return_times.tick() => {
                // More requests may arrive on open connections after the last check.
                let is_used = !connections.is_empty();
                if was_used || is_used {
                    spawn_blocking(system::return_freed_memory);
                }
                was_used = is_used;
            }
            () = &mut raised => break,
        }
        while connections.try_join_next().is_some() {}
    }
    drop(end);
    let _ = timeout(SHUTDOWN_GRACE, async { while connections.join_next().await.is_some() {} }).await;
    Ok(())
}

/// Handles the requests of a connection.
async fn handle_connection(stream: TcpStream, router: Router, mut ended: watch::Receiver<()>) {
    // Send each line of a streamed response at once.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(MAX_HEAD_BYTES).max_headers(MAX_HEADERS);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = ended.changed() => {}
        () = sleep(CONNECTION_TIME) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(CONNECTION_TIME, connection).await;
}

/// Returns the maximum number of connections, after raising the limit on open files as far as
/// necessary and possible.
fn max_connections() -> usize {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let wanted = (MAX_CONNECTIONS + OTHER_FILES) as u64;
        let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return MAX_CONNECTIONS };
        let raised = wanted.min(hard).max(soft);
        let limit = if setrlimit(Resource::RLIMIT_NOFILE, raised, hard).is_ok() { raised } else { soft };
        usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(OTHER_FILES).clamp(16, MAX_CONNECTIONS)
    }
    #[cfg(not(unix))]
    MAX_CONNECTIONS
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
