//! The bodies and clients of requests.

use std::net::{IpAddr, Ipv4Addr};
use std::pin::pin;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::time::timeout;

use super::api_error::ApiError;
use super::listener::Client;
use crate::service::ServiceError;

/// The maximum time to receive a body.
const BODY_TIME: Duration = Duration::from_secs(10);

/// Reads the body of a request, which must have the given media type.
///
/// Browsers send cross-origin requests with these media types only after a CORS preflight, which
/// the server does not allow.
pub(super) async fn read_body(request: Request, media_type: &str, limit: usize) -> Result<Vec<u8>, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media_type) {
        let text = format!("the content type must be {media_type}");
        return Err(ApiError::malformed(StatusCode::UNSUPPORTED_MEDIA_TYPE, &text));
    }
    let slow = |_| ApiError::malformed(StatusCode::REQUEST_TIMEOUT, "the request took too long");
    // Parts are not collected first: that would take twice the memory.
    let mut bytes = Vec::with_capacity(length(&request).unwrap_or(limit).min(limit));
    let mut body = pin!(Limited::new(request.into_body(), limit));
    let all = async {
        while let Some(frame) = body.as_mut().frame().await {
            let frame = frame.map_err(|error| {
                if error.is::<LengthLimitError>() {
                    ApiError::from(ServiceError::too_long(limit))
                } else {
                    ApiError::malformed(StatusCode::BAD_REQUEST, "the request is incomplete")
                }
            })?;
            frame.data_ref().inspect(|data| bytes.extend_from_slice(data));
        }
        Ok::<_, ApiError>(())
    };
    timeout(BODY_TIME, all).await.map_err(slow)??;
    Ok(bytes)
}

/// Returns whether the body of a request has at most this length, according to its headers.
pub(super) fn is_short(request: &Request, limit: usize) -> bool {
    length(request).is_some_and(|length| length <= limit)
}

fn length(request: &Request) -> Option<usize> {
    request.headers().get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Returns the address of the client.
pub(super) fn client(request: &Request) -> IpAddr {
    request.extensions().get().map_or(Ipv4Addr::LOCALHOST.into(), |&Client(address)| address)
}
