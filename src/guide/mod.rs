//! The guide: how to use the program and the library, page by page.
//!
//! | page | about |
//! | --- | --- |
//! | [`getting_started`] | Install morello and run the first commands. |
//! | [`analyze`] | Find the best moves and scores of positions. |
//! | [`games`] | Review games and convert them between formats. |
//! | [`perft`] | Check a move generator. |
//! | [`selfplay`] | Play matches and tournaments between engines, rate and tune them. |
//! | [`play`] | Play in the browser or in the terminal, and adjudicate games. |
//! | [`databases`] | Solve mill games and look positions up. |
//! | [`books`] | Look openings up, build opening books and play from them. |
//! | [`training`] | Train the evaluations. |
//! | [`engines`] | Run morello as an engine, and external engines in morello. |
//! | [`formats`] | The notations and file formats of positions and games. |
//! | [`file_formats`] | The bytes of databases, books, weights, training data and logs. |
//! | [`cluster`] | Analyze files and play matches on many machines. |
//! | [`rules`] | The games, and our reading of ambiguous rules. |
//! | [`measurements`] | Speed, strength and accuracy. |
//! | [`safety`] | What happens with damaged files, untrusted input, and on a network. |
//! | [`library`] | Use morello as a Rust library. |
//! | [`own_game`] | Write your own game in Rust. |
//! | [`python`] | Use morello from Python. |
//!
//! The pages are Markdown files in `src/guide`. The tests run the command lines on them and compare
//! the output.

/// Makes a module of each page.
///
/// Pages link to each other by reference: `[formats]`. Their last lines define the targets as
/// files, for readers of the Markdown. Here the same references get definitions as items in front
/// of the text, and the first definition counts.
macro_rules! pages {
    ($($name:ident $file:literal,)+) => {
        $(
            #[doc = "[getting started]: crate::guide::getting_started"]
            #[doc = "[analyze]: crate::guide::analyze"]
            #[doc = "[games]: crate::guide::games"]
            #[doc = "[perft]: crate::guide::perft"]
            #[doc = "[selfplay]: crate::guide::selfplay"]
            #[doc = "[play]: crate::guide::play"]
            #[doc = "[databases]: crate::guide::databases"]
            #[doc = "[books]: crate::guide::books"]
            #[doc = "[training]: crate::guide::training"]
            #[doc = "[engines]: crate::guide::engines"]
            #[doc = "[formats]: crate::guide::formats"]
            #[doc = "[file formats]: crate::guide::file_formats"]
            #[doc = "[cluster]: crate::guide::cluster"]
            #[doc = "[rules]: crate::guide::rules"]
            #[doc = "[measurements]: crate::guide::measurements"]
            #[doc = "[safety]: crate::guide::safety"]
            #[doc = "[library]: crate::guide::library"]
            #[doc = "[own game]: crate::guide::own_game"]
            #[doc = "[python]: crate::guide::python"]
            #[doc = ""]
            #[doc = include_str!($file)]
            pub mod $name {}
        )+
    };
}

pages! {
    getting_started "getting-started.md",
    analyze "analyze.md",
    games "games.md",
    perft "perft.md",
    selfplay "selfplay.md",
    play "play.md",
    databases "databases.md",
    books "books.md",
    training "training.md",
    engines "engines.md",
    formats "formats.md",
    file_formats "file-formats.md",
    cluster "cluster.md",
    rules "rules.md",
    measurements "measurements.md",
    safety "safety.md",
    library "library.md",
    own_game "own-game.md",
    python "python.md",
}
