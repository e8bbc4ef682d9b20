//! [`Site`]: the addresses of the server, and what answers at each.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde_json::json;
use tokio::task::spawn_blocking;

use super::ask::{self, Arrange, Load, Move, Save, Told};
use super::guard::{Hosts, guard};
use super::hall::Hall;
use super::refusal::Refusal;
use super::turns::Turns;
use super::{page, think};
use crate::game::Cancel;

/// What the server answers with.
#[derive(Clone)]
pub struct Site {
    inner: Arc<Inner>,
    /// Who searches, and whose search is over in a moment.
    pub(super) turns: Turns,
    pub(super) quick_turns: Turns,
}

struct Inner {
    hall: Hall,
    stop: Cancel,
    most_time: Duration,
}

impl Site {
    /// Opens a site where so many searches run at a time, none longer than `most_time`, and all end when `stop` is raised.
    #[must_use]
    pub fn new(hall: Hall, searches: usize, most_time: Duration, stop: Cancel) -> Self {
        let [turns, quick_turns] = [(); 2].map(|()| Turns::new(searches.max(1)));
        Self { inner: Arc::new(Inner { hall, stop, most_time }), turns, quick_turns }
    }

    pub(super) fn hall(&self) -> &Hall {
        &self.inner.hall
    }

    pub(super) fn stop(&self) -> &Cancel {
        &self.inner.stop
    }

    pub(super) fn most_time(&self) -> Duration {
        self.inner.most_time
    }

    /// Returns the addresses, for requests to these hosts.
    pub fn router(self, hosts: Hosts) -> Router {
        Router::new()
            .route("/api/games", get(games))
            .route("/api/view", post(view))
            .route("/api/move", post(play))
            .route("/api/arrange", post(arrange))
            .route("/api/load", post(load))
            .route("/api/save", post(save))
            .route("/api/choose", post(think::choose))
            .route("/api/analyze", post(think::analyze))
            .route("/api/values", post(think::values))
            .route("/api/graph", post(think::graph))
            .route("/", get(page::index))
            .route("/{file}", get(page::file))
            .fallback(async || Refusal::new(StatusCode::NOT_FOUND, "there is nothing here"))
            .method_not_allowed_fallback(async || Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "ask in another way"))
            .with_state(self)
            .layer(middleware::from_fn_with_state(hosts, guard))
    }
}

type Answer = Result<Response, Refusal>;

/// Answers with JSON.
fn json(value: &impl Serialize) -> Response {
    // Views are made of texts, numbers and lists, which JSON has.
    let body = serde_json::to_vec(value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Does what may take some milliseconds where it holds nobody up.
pub(super) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "this failed, and should not have");
    spawn_blocking(work).await.map_err(failed)?
}

async fn games(State(site): State<Site>) -> Response {
    json(&site.hall().games().map(|game| game.board()).collect::<Vec<_>>())
}

async fn view(State(site): State<Site>, request: Request) -> Answer {
    let told: Told = ask::read(request).await?;
    aside(move || Ok(json(&ask::session(&site, &told)?.view()))).await
}

async fn play(State(site): State<Site>, request: Request) -> Answer {
    let asked: Move = ask::read(request).await?;
    aside(move || {
        let mut session = ask::session(&site, &asked.told)?;
        if let Some(text) = &asked.text {
            session.play(text).map_err(|error| Refusal::of(&error))?;
        } else {
            let targets = session.touch(&asked.touched).map_err(|error| Refusal::of(&error))?;
            if !targets.is_empty() {
                return Ok(json(&json!({ "targets": targets })));
            }
        }
        Ok(json(&session.view()))
    })
    .await
}

async fn arrange(State(site): State<Site>, request: Request) -> Answer {
    let Arrange { game, pieces, in_hand, side } = ask::read(request).await?;
    aside(move || {
        let mut session = ask::game(&site, &game)?.session();
        session.arrange(&pieces, in_hand, side).map_err(|error| Refusal::of(&error))?;
        Ok(json(&session.view()))
    })
    .await
}

async fn load(State(site): State<Site>, request: Request) -> Answer {
    let Load { game, text } = ask::read(request).await?;
    aside(move || {
        let mut session = ask::game(&site, &game)?.session();
        let loaded = session.load(&text).map_err(|error| Refusal::of(&error))?;
        ask::check_length(session.view().moves.len())?;
        Ok(json(&json!({ "view": session.view(), "more": loaded.more })))
    })
    .await
}

async fn save(State(site): State<Site>, request: Request) -> Answer {
    let Save { told, format, names } = ask::read(request).await?;
    aside(move || {
        let text = ask::session(&site, &told)?.save(&format, names.each_ref().map(String::as_str));
        Ok(json(&json!({ "text": text.map_err(|error| Refusal::of(&error))? })))
    })
    .await
}
