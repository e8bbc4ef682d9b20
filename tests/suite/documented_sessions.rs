//! The program as it is used: the sessions in `tests/cmd`, with what they print.

#[test]
fn documented_sessions_print_the_recorded_output() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
