//! The browser interface: one page, and the web server of `serve` with the requests that the page
//! sends.
//!
//! The server stores no games. Each request contains the game, as its start position and moves; the
//! server replays it and responds with the position or the result of a search. So a restart of the
//! server or a reload of the page loses nothing, and every position has a link.
//!
//! `service` computes responses from requests, without sockets. `server` transports both over HTTP,
//! with queues, limits and access control. [`LocalService`] transports them within a process, as in
//! a browser worker.
//!
//! * `GET /api/games`: a list of [`BoardView`](morello_play::session::BoardView), each with the
//!   `severities` of move losses
//! * `POST /api/view` with a game: a [`GameView`](morello_play::session::GameView)
//! * `POST /api/line` with a game: `views`, the start position and the position after every move.
//!   Each is a `GameView` without `game`, `start`, `first` and `moves`, which are the same in all
//!   views
//! * `POST /api/move` with a game, and `move` or `touched`: a `GameView`, or `targets`, the points
//!   that can be selected next
//! * `POST /api/arrange` with pieces: a `GameView`
//! * `POST /api/load` with text: `view`, a `GameView`, and `more`, whether the text contains
//!   further games
//! * `POST /api/open/GAME/SKIP` with the bytes of a file: its positions and games after the first
//!   `SKIP`
//! * `POST /api/exercise` with the name of a game: an endgame or a puzzle; with a `start`, the
//!   exercise for that position
//! * `POST /api/lesson` with a game, a `side`, `cards`, `now` and `new`: the questions along the
//!   next opening line; `POST /api/refute` with a `start` and a `move`: why the move is wrong;
//!   `POST /api/cards` with `cards`: `text`, the content of a card file; with `text`: the `cards`
//! * `POST /api/save` with a game and a format: `text`, the game in this format
//! * `POST /api/choose` with a game and a `level`: lines, each with a
//!   [`SearchView`](morello_play::session::SearchView); the last one has the `move`
//! * `POST /api/analyze`, `POST /api/values` with a game: lines, each with a `SearchView`
//! * `POST /api/review` with a game: one line per position with a choice of moves, and a summary
//!
//! Bodies are JSON (`application/json`), except for files (`application/octet-stream`). A game has
//! a name, an optional start position, the moves including passes, and optionally the number of
//! moves to play:
//!
//! ```json
//! {"game": "othello", "start": null, "moves": ["f5", "d6"], "ply": 2}
//! ```
//!
//! * `move`, `touched` (move): the move as text, or the numbers of the selected points
//! * `pieces`, `in_hand`, `side` (arrange): `"black"`, `"white"` or null for each point; the
//!   numbers of pieces in hand for Black and White; the side to move
//! * `side`, `max_loss`, `max_plies`, `replies` (lesson): the side that learns, the tolerance in
//!   points, the maximum length of lines in plies, and `"frequency"` or `"tricky"`
//! * `cards`, `now`, `new` (lesson): the cards that earlier lessons returned for the answers, as
//!   `wrong` or in `right`; the Unix time in seconds; the number of new positions that may be asked
//! * `text` (load): a position or game in any text format
//! * `format`, `names`, `event`, `date`, `points`, `verdict` (save): the name of a format; the
//!   names of Black and White; the event and the date; Black's margin in points; a result such as
//!   `{"winner": "black", "reason": "time"}`
//! * `tree` (save): the moves with comments, evaluations and variations, as in PGN
//! * `level` (choose, review): from 1 to 60; for `choose`, also a
//!   [name](morello_core::game::NAMED_LEVELS)
//! * `nodes` (review): node limit per position
//! * `time_ms` (choose, analyze, values): time limit in milliseconds, at most the limit of the
//!   server
//! * `empties`, `difficulty` (exercise): the number of empty squares of an endgame, from 4 to 14;
//!   `"easy"`, `"medium"` or `"hard"`. [`Difficulty`](morello_analysis::Difficulty) defines them.
//!   If no exercise with this difficulty is found soon, the response is another exercise.
//! * `lines` (analyze): number of lines of play, from 1 to 10
//! * `depth`, `nodes`, `level`, `exact` (analyze): further limits: plies, nodes, a level; whether
//!   to search until the score is proved. Without these, Othello is solved with 20 or fewer empty
//!   squares.
//!
//! Searches respond with JSON lines: `{"waiting": 2}` while queued, `{"thought": {..}}` for each
//! result, `{"row": {..}}` for each position of a review, and finally `{"done": {"cut": false}}` or
//! an error. A request that fails is rejected with an error and an HTTP status:
//!
//! ```json
//! {"error": "illegal move `d4`: the square is occupied", "code": "illegal_move", "values": {"text": "d4"},
//!  "cause": {"error": "the square is occupied", "code": "square_occupied"}}
//! ```
//!
//! A search is cancelled when its client disconnects. The number of simultaneous searches is
//! limited, and clients take turns. While others wait, a long analysis is cut short, and up to
//! seven searches run next to a long search for a move. Moves at low levels have their own queue,
//! and so do all requests without a search.
//!
//! Every request is limited in size and time. The numbers of connections and of places in the
//! queues are limited, too. If all are taken, a client with few of them gets one from the client
//! with the most.
//!
//! Requests for other hosts are rejected, which prevents DNS rebinding by other pages. Other sites
//! may link to the page, but their requests are rejected. A server that is reachable from a network
//! may require an [`AccessToken`].
//!
//! Browsers cache the page files and ask whether they have changed (`ETag`). The files are
//! compressed for browsers that accept compression.

// Only the server uses the kinds of errors and searches.
#![cfg_attr(not(feature = "server"), allow(dead_code, unused_imports))]

mod local;
#[cfg(feature = "server")]
mod page;
#[cfg(feature = "server")]
mod server;
mod service;

#[cfg(all(test, feature = "server"))]
mod tests;

pub use local::LocalService;
#[cfg(feature = "server")]
pub use server::{AccessToken, AppState, Hosts, InvalidToken, folder_router, router, serve};
