//! The web server of `serve`: one page, and the interface that it uses.
//!
//! The server stores no games. Each request contains the game, as its start position and moves; the
//! server replays it and responds with the position or the result of a search. So a restart of the
//! server or a reload of the page loses nothing, and every position has a link.
//!
//! `service` has the functions from a request to its answer, without sockets; `server` carries both
//! by HTTP, with queues, limits and access, and [`LocalService`] carries them within a process, as in
//! a worker of the browser.
//!
//! * `GET /api/games`: a list of [`BoardView`](morello_play::session::BoardView), each with the
//!   `severities` of losses
//! * `POST /api/view` with a game: a [`GameView`](morello_play::session::GameView)
//! * `POST /api/line` with a game: as `views` the position after every move, from the start; each is
//!   a `GameView` without `game`, `start`, `first` and `moves`, which are the same in all
//! * `POST /api/move` with a game, and `move` or `touched`: a `GameView`, or as `targets` the
//!   points that can be selected next
//! * `POST /api/arrange` with pieces: a `GameView`
//! * `POST /api/load` with a text: a `GameView` as `view`, and as `more` whether the text contains
//!   further games
//! * `POST /api/open/GAME/SKIP` with the bytes of a file: its positions and games after the first
//!   `SKIP`
//! * `POST /api/exercise` with the name of a game: an endgame or a puzzle; with a `start`, the
//!   exercise of that position
//! * `POST /api/lesson` with a game, a `side`, `cards`, `now` and `new`: the questions of the opening
//!   line that is asked next; `POST /api/refute` with a `start` and a `move`: why it is wrong;
//!   `POST /api/cards` with `cards`: their file as `text`, and with its `text`: the `cards`
//! * `POST /api/save` with a game and a format: the game as `text`
//! * `POST /api/choose` with a game and a `level`: lines, each with a
//!   [`SearchView`](morello_play::session::SearchView); the last has the `move`
//! * `POST /api/analyze`, `POST /api/values` with a game: lines, each with a `SearchView`
//! * `POST /api/review` with a game: lines, one for each position with a choice of moves, and a
//!   summary
//!
//! Bodies are JSON, of the type `application/json`, except files, of the type
//! `application/octet-stream`. A game has a name, an optional start position, the moves including
//! passes, and optionally the number of them to play:
//!
//! ```json
//! {"game": "othello", "start": null, "moves": ["f5", "d6"], "ply": 2}
//! ```
//!
//! * `move`, `touched` (move): the text of the move, or the numbers of the points selected for it
//! * `pieces`, `in_hand`, `side` (arrange): `"black"`, `"white"` or null for each point; the
//!   numbers of pieces in hand of Black and White; the side to move
//! * `side`, `max_loss`, `max_plies`, `replies` (lesson): the side that learns, the tolerance in
//!   points, the length of lines, and `"frequency"` or `"tricky"`
//! * `cards`, `now`, `new` (lesson): what earlier lessons returned for the answers, as `wrong` or in
//!   `right`; the time in seconds since 1970; the number of new positions that may be asked
//! * `text` (load): a position or game in any text format
//! * `format`, `names`, `event`, `date`, `points`, `verdict` (save): the name of a format; the names
//!   of Black and White; what else is known, with the points for Black and `{"winner": "black",
//!   "reason": "time"}`
//! * `tree` (save): the moves with comments, evaluations and variations, as in PGN
//! * `level` (choose, review): from 1 to 60; to choose, also a [name](morello_core::game::NAMED_LEVELS)
//! * `nodes` (review): node limit of each position
//! * `time_ms` (choose, analyze, values): time limit in milliseconds, at most that of the server
//! * `empties`, `difficulty` (exercise): the number of empty squares of an endgame, from 4 to 14;
//!   `"easy"`, `"medium"` or `"hard"`. An endgame is hard if a search of one ply misses the best
//!   move, and easy if it finds it and all others lose 8 discs or more. A puzzle is as hard as the
//!   chance to miss the move is large, as in `morello database puzzles`. Exercises of a difficulty
//!   that are not found soon are replaced by others.
//! * `lines` (analyze): number of lines of play, from 1 to 10
//! * `depth`, `nodes`, `level`, `exact` (analyze): further limits: plies, nodes, a level; whether to
//!   search until the score is proved. Without them, Othello is solved from 20 empty squares.
//!
//! Searches respond with JSON lines: `{"waiting": 2}` while queued, `{"thought": {..}}` for each
//! result, in a review `{"row": {..}}` for each position, and at the end `{"done": {"cut": false}}`
//! or an error. A request that fails is rejected with an error and an HTTP status:
//!
//! ```json
//! {"error": "illegal move `d4`: the square is occupied", "code": "illegal_move", "values": {"text": "d4"},
//!  "cause": {"error": "the square is occupied", "code": "square_occupied"}}
//! ```
//!
//! A search is cancelled when its client disconnects. The number of simultaneous searches is
//! limited, and clients take turns. While others wait, a long analysis is cut short, and up to
//! seven searches run beside a long search for a move. Moves at low levels have a queue of their
//! own, and so has all other work. Every request is limited in size and time, and so are the
//! connections and the places in the queues; if all are taken, a client with few gets one of those
//! of the client with the most. Requests for other hosts are rejected, which prevents DNS rebinding
//! by other pages. A server that is reached from a network may require an [`AccessToken`].
//!
//! Browsers keep the files of the page and ask whether they have changed (`ETag`); the files are
//! compressed for browsers that accept it.

// Errors and searches have kinds for the server.
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
