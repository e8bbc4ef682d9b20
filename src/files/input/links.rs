//! Links to games that contain the moves.

/// Returns whether the text is a link.
pub(super) fn is_link(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let begins = |scheme: &&[u8]| text.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    [b"https://".as_slice(), b"http://", b"www."].iter().any(begins)
}

/// Returns the parts of a link that may contain moves, which are the values of its query and its
/// fragment, with the number of bytes before each part. Characters that represent blanks are
/// replaced by blanks.
pub(super) fn parts(link: &str) -> Vec<(usize, String)> {
    let separators = link.match_indices(['?', '&', '#', '=']).map(|(at, separator)| at + separator.len());
    let part = |start: usize| {
        let text = link[start..].split(['&', '#']).next().unwrap_or_default();
        (start, text.replace("%20", "   ").replace("%2C", " , ").replace(['+', '_'], " "))
    };
    separators.map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_parts_of_links() {
        assert!(is_link(b" HTTPS://a/#f5") && is_link(b"www.a") && !is_link(b"f5 https://a"));
        let texts = |link| parts(link).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts("https://a/b?moves=f5d6&x=1#f5%20d6"), ["moves=f5d6", "f5d6", "x=1", "1", "f5   d6"]);
        assert!(texts("https://www.eothello.com/game/12345").is_empty());
    }
}
