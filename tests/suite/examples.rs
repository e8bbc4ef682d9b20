//! Runs the examples of the library.

/// Declares each example as a module and runs its `main` in a test.
macro_rules! examples {
    ($($name:ident: $file:literal;)+) => {$(
        #[path = $file]
        mod $name;

        #[test]
        fn $name() {
            $name::main().unwrap();
        }
    )+};
}

examples! {
    find_mistakes: "../examples/find_mistakes.rs";
    match_of_players: "../examples/match.rs";
    mill_database: "../examples/mill_database.rs";
    perft: "../examples/perft.rs";
    read_games: "../examples/read_games.rs";
    search: "../examples/search.rs";
    solve: "../examples/solve.rs";
}
