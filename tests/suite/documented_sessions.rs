//! The documented sessions in `tests/cmd`, with their output.

#[test]
fn documented_sessions_print_the_recorded_output() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
