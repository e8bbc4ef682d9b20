//! The command line of morello.

fn main() {}
