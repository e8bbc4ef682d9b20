//! The games in a browser: a small server of one page, and the questions that the page asks.
//!
//! The server keeps no games. A page holds its game, the start and the moves, and sends it with each question; the server plays it through,
//! and answers with what there is to see or with what a search finds. So nothing is lost when either of them is started anew, and a
//! position is a link.
//!
//! | question | what is asked | answer |
//! | --- | --- | --- |
//! | `GET /api/games` | | a list of [`BoardView`](crate::session::BoardView) |
//! | `POST /api/view` | a game | a [`GameView`](crate::session::GameView) |
//! | `POST /api/move` | a game, and `move` or `touched` | a `GameView`, or the points that may be `targets` |
//! | `POST /api/arrange` | pieces | a `GameView` |
//! | `POST /api/load` | a text | a `GameView`, and whether there is `more` in the text |
//! | `POST /api/save` | a game and a format | its `text` |
//! | `POST /api/choose` | a game and a `level` | lines, with the move in the last [`SearchView`](crate::session::SearchView) |
//! | `POST /api/analyze`, `POST /api/values` | a game | lines, each with a `SearchView` |
//! | `POST /api/graph` | a game | lines, one for each ply |
//!
//! What is asked is JSON, as `application/json`. A game is its name, the position it starts from unless that is the start of the game, its moves
//! with every pass, and how many of them to play unless all:
//!
//! ```json
//! {"game": "othello", "start": null, "moves": ["f5", "d6"], "ply": 2}
//! ```
//!
//! | field | in | what |
//! | --- | --- | --- |
//! | `move`, `touched` | move | its text, or the numbers of the points touched for it |
//! | `pieces`, `in_hand`, `side` | arrange | `"black"`, `"white"` or null for each point; the pieces beside the board of Black and White; who is to move |
//! | `text` | load | a position or a game in any text format |
//! | `format`, `names` | save | the name of a format; those of Black and White |
//! | `level` | choose | from 1 to 60 |
//! | `time_ms` | choose, analyze, values | the longest time, within what the server allows |
//! | `lines` | analyze | how many lines, from 1 to 10 |
//! | `from` | graph | the first ply |
//!
//! Answers that come in lines are `{"waiting": 2}`, `{"thought": {..}}` and at the end `{"done": {"cut": false}}` or `{"error": ".."}`; whatever
//! cannot be answered is an `error` with the status of HTTP that fits.
//!
//! Searches answer with JSON lines while they go on; whoever goes away ends the search. So many run at a time, and a long one makes room
//! when others wait: one that looks on ends, and one for a move has others, seven at most, beside it. Clients take turns. Moves at
//! low levels wait for none of these. Size and time of every request are bounded, and a request for another host than this
//! one is refused, so that no page of others reaches the server by a name of its own.

mod api_error;
mod app_state;
mod game_handlers;
mod host_check;
mod line_stream;
mod page;
mod request;
mod routes;
mod search_handlers;
mod search_queue;
mod server;

#[cfg(test)]
mod tests;

pub use app_state::AppState;
pub use host_check::Hosts;
pub use routes::router;
pub use server::serve;
