//! [`Hall`]: a room for each game.

use std::sync::Arc;

use crate::game::{Command, Playable, Setup};
use crate::games;
use crate::session::{AnyGame, Room};

/// All games, each with what its sessions share.
pub struct Hall {
    rooms: Vec<(&'static str, Arc<dyn AnyGame>)>,
}

impl Hall {
    /// Opens a room for each game of the [registry](games); what is found by `setup` is asked for when a game is first thought about.
    #[must_use]
    pub fn open<S: Setup + Send + Sync + 'static>(setup: S) -> Self {
        let setup = Arc::new(setup);
        let room = |&name| games::run(name, Open(Arc::clone(&setup))).ok().map(|room| (name, room));
        Self { rooms: games::NAMES.iter().filter_map(room).collect() }
    }

    /// Returns the game with this name, if there is one.
    #[must_use]
    pub fn game(&self, name: &str) -> Option<Arc<dyn AnyGame>> {
        self.rooms.iter().find(|room| room.0 == name).map(|room| Arc::clone(&room.1))
    }

    /// Returns all games.
    pub fn games(&self) -> impl Iterator<Item = &dyn AnyGame> {
        self.rooms.iter().map(|room| &*room.1)
    }
}

struct Open<S>(Arc<S>);

impl<S: Setup + Send + Sync + 'static> Command for Open<S> {
    type Output = Arc<dyn AnyGame>;

    fn run<P: Playable>(self) -> Arc<dyn AnyGame> {
        Arc::new(Room::<P>::new(move || self.0.options::<P>()))
    }
}
