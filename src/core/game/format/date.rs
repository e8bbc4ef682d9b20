//! Dates as people write them.

/// The names of the months in English and German.
const MONTHS: [&[&str]; 12] = [
    &["jan", "january", "januar"],
    &["feb", "february", "februar"],
    &["mar", "march", "märz"],
    &["apr", "april"],
    &["may", "mai"],
    &["jun", "june", "juni"],
    &["jul", "july", "juli"],
    &["aug", "august"],
    &["sep", "sept", "september"],
    &["oct", "october", "oktober"],
    &["nov", "november"],
    &["dec", "december", "dezember"],
];

/// Returns the place of the first date of a text, its length and the date; `None` for one that may
/// be two dates.
pub fn find_date(text: &str) -> Option<(usize, usize, Option<String>)> {
    let words: Vec<&str> = text.split([' ', ',', '(', ')', '[', ']']).filter(|word| !word.is_empty()).collect();
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    for (at, word) in words.iter().enumerate() {
        let named = words.get(at..at + 3).and_then(|three| Some((named_date(three)?, three[2])));
        let two = || words.get(at..at + 2).and_then(|two| Some((named_month(two)?, two[1])));
        let (date, last) = match (numeric_date(word.trim_end_matches('.')), named.or_else(two)) {
            (Some(date), _) => (date, *word),
            (None, Some((date, last))) => (Some(date), last),
            (None, None) => continue,
        };
        let time = words[at..].iter().skip_while(|word| **word != last).nth(1).filter(|word| is_time(word));
        let end = time.map_or(place(last) + last.len(), |time| place(time) + time.len());
        let date = date.map(|date| time.map_or(date.clone(), |time| format!("{date} {time}")));
        return Some((place(word), end - place(word), date));
    }
    None
}

/// Reads `2024-05-31`, `2024/5/31`, `31.05.2024` and such; `Some(None)` if the day and the month may
/// be exchanged.
fn numeric_date(word: &str) -> Option<Option<String>> {
    let separator = word.chars().find(|c| !c.is_ascii_digit()).filter(|c| "./-".contains(*c))?;
    let fields: Vec<&str> = word.split(separator).collect();
    let [first, second, third] = fields[..] else { return None };
    let is_number = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    if ![first, second, third].into_iter().all(is_number) {
        return None;
    }
    let date = |year, month, day| {
        let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
        is_date.then(|| format!("{year:04}-{month:02}-{day:02}"))
    };
    let [a, b, c] = [first, second, third].map(number);
    match (first.len(), third.len()) {
        (4, _) => date(a, b, c).map(Some),
        (_, 4) if separator == '.' => date(c, b, a).map(Some),
        (_, 4) if a <= 12 && b <= 12 && a != b => Some(None),
        (_, 4) => date(c, b, a).or(date(c, a, b)).map(Some),
        _ => None,
    }
}

/// Returns the number of a month, from 1.
fn month(word: &str) -> Option<usize> {
    let word = word.trim_end_matches('.').to_lowercase();
    MONTHS.iter().position(|names| names.contains(&word.as_str())).map(|month| month + 1)
}

/// Reads a year of four digits.
pub fn year(word: &str) -> Option<u32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1850..2100).contains(year))
}

/// Reads `12 May 2024`, `12. Mai 2024` and `May 12 2024`.
fn named_date(words: &[&str]) -> Option<String> {
    let day = |word: &str| {
        word.trim_end_matches(['.', 't', 'h', 's', 'n', 'd', 'r']).parse().ok().filter(|day| (1..=31).contains(day))
    };
    let (month, day): (usize, u32) = match (month(words[0]), month(words[1])) {
        (Some(month), _) => (month, day(words[1])?),
        (None, Some(month)) => (month, day(words[0])?),
        (None, None) => return None,
    };
    Some(format!("{}-{month:02}-{day:02}", year(words[2])?))
}

/// Reads `May 2024`.
fn named_month(words: &[&str]) -> Option<String> {
    Some(format!("{}-{:02}", year(words[1])?, month(words[0])?))
}

/// Returns whether a word is a time, `14:30` or `14:30:05`.
fn is_time(word: &str) -> bool {
    let fields: Vec<&str> = word.split(':').collect();
    (2..=3).contains(&fields.len())
        && fields.iter().all(|field| (1..=2).contains(&field.len()) && field.bytes().all(|byte| byte.is_ascii_digit()))
}
