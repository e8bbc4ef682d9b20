//! The guide: how to use the program and the library, page by page.
//!
//! Begin with the [`contents`].
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
            #[doc = "[tutorial]: crate::guide::tutorial"]
            #[doc = "[tasks]: crate::guide::tasks"]
            #[doc = "[faq]: crate::guide::faq"]
            #[doc = "[glossary]: crate::guide::glossary"]
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
    contents "README.md",
    getting_started "getting-started.md",
    tutorial "tutorial.md",
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
    tasks "tasks.md",
    faq "faq.md",
    glossary "glossary.md",
}
