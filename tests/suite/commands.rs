//! The program as it is used: the sessions in `tests/cmd`, with what they print.

#[test]
fn sessions_go_as_written() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
