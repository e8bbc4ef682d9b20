//! Dates as people write them.

use crate::game::format::color_words::is_listed;

/// The month names, in full or abbreviated, in the languages of the players.
const MONTHS: [&str; 12] = [
    "jan|january|januar|janvier|gennaio|enero|januari|janeiro|ene|gen|janv",
    "feb|february|februar|février|fevrier|febbraio|febrero|februari|fevereiro|fév",
    "mar|march|märz|maerz|mars|marzo|maart|marts|março|mär|mrt",
    "apr|april|avril|aprile|abril|avr|abr",
    "may|mai|maggio|mayo|mei|maj|maio|mag",
    "jun|june|juni|juin|giugno|junio|junho|giu",
    "jul|july|juli|juillet|luglio|julio|julho|lug|juil",
    "aug|august|août|aout|agosto|augustus|augusti|ago",
    "sep|sept|september|septembre|settembre|septiembre|setembro|set",
    "oct|october|oktober|octobre|ottobre|octubre|outubro|okt|ott|out",
    "nov|november|novembre|noviembre|novembro",
    "dec|december|dezember|décembre|decembre|dicembre|diciembre|dezembro|dez|dic|déc",
];

/// Words in a date that have no meaning.
const FILLERS: &str = "of|de|del|di|den|the";

/// The meaning of a text that has the form of a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DateReading {
    /// A date, in the precision of the text: `2024-05-31 14:30`, `2024-05`.
    Date(String),
    /// The text may mean two different dates.
    Ambiguous,
    /// The day does not exist, or the year is missing.
    Impossible,
}

/// A date found in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundDate<'a> {
    /// The part of the text that is the date.
    pub text: &'a str,
    /// The meaning of the date.
    pub reading: DateReading,
    /// The time after the date, a slice of the text.
    pub time: Option<&'a str>,
}

/// Finds the first date in the text.
pub(crate) fn find_date(text: &str) -> Option<FoundDate<'_>> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_end = |c: char| c.is_whitespace() || ",()[]|".contains(c);
    let words: Vec<&str> = text.split(is_end).filter(|word| !word.is_empty()).collect();
    (0..words.len()).find_map(|at| date_at(text, &words[at..]))
}

/// Returns a date in the usual form. Other text, ambiguous or not a date, is returned unchanged.
///
/// ```
/// use morello::game::label::normalized_date;
///
/// assert_eq!(normalized_date("31.05.2024"), "2024-05-31");
/// assert_eq!(normalized_date("5/6/2024"), "5/6/2024");
/// ```
#[must_use]
pub fn normalized_date(text: &str) -> String {
    match find_date(text) {
        Some(FoundDate { text: whole, reading: DateReading::Date(date), .. }) if whole == text.trim() => date,
        _ => text.to_owned(),
    }
}

/// Reads the date that begins with the first of these words, which are slices of the text.
fn date_at<'a>(text: &'a str, words: &[&'a str]) -> Option<FoundDate<'a>> {
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let begins_year = words[0].len() == 4 && year(words[0]).is_some();
    let (reading, count) = match single_date(words[0]) {
        Some((reading, Some(time))) => {
            return Some(FoundDate { text: words[0], reading: with_time(reading, time), time: Some(time) });
        }
        Some((reading, None)) => (reading, 1),
        None if begins_year && words.get(1).is_none_or(|word| month(word).is_none()) => return None,
        None => named_date(words)?,
    };
    let last = words[count - 1].trim_end_matches(['.', ':']);
    let time = words.get(count).map(|word| word.trim_end_matches(':')).filter(|word| is_time(word));
    let unit = words.get(count + 1).filter(|word| time.is_some() && word.eq_ignore_ascii_case("uhr"));
    let last = unit.copied().or(time).unwrap_or(last);
    let end = place(last) + last.len();
    let reading = time.map_or(reading.clone(), |time| with_time(reading, time));
    Some(FoundDate { text: &text[place(words[0])..end], reading, time })
}

fn with_time(reading: DateReading, time: &str) -> DateReading {
    match reading {
        DateReading::Date(date) => DateReading::Date(format!("{date} {time}")),
        other => other,
    }
}

/// Reads a date that is a single word, perhaps with its time, as in `2024-05-31T14:30`.
fn single_date(word: &str) -> Option<(DateReading, Option<&str>)> {
    if let Some((day, time)) = word.split_once(['T', '_']) {
        let clock = time.split(['Z', '+', '.']).next().unwrap_or_default();
        return single_date(day).filter(|_| is_time(clock)).map(|(date, _)| (date, Some(time)));
    }
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let east: Vec<&str> = word.split(['年', '月', '日']).filter(|field| !field.is_empty()).collect();
    if word.contains('年') {
        let year = east.first().and_then(|text| year(text))?;
        return Some((date(year, east.get(1)?.parse().ok()?, east.get(2).and_then(|day| day.parse().ok())), None));
    }
    if word.contains('月') || (word.ends_with('.') && is_day_of_month(word)) {
        return Some((DateReading::Impossible, None));
    }
    let word = word.trim_end_matches(['.', ':']);
    if word.len() == 8 && is_number(&word) {
        let found = date(year(&word[..4])?, word[4..6].parse().ok()?, word[6..].parse().ok());
        return Some((found, None)).filter(|(found, _)| *found != DateReading::Impossible);
    }
    let separator = word.chars().find(|c| !c.is_alphanumeric()).filter(|c| "./-".contains(*c))?;
    let fields: Vec<&str> = word.split(separator).collect();
    let [first, second, third] = fields[..] else { return None };
    if month(second).is_some() || month(first).is_some() {
        return named_date(&[first, second, third]).map(|(found, _)| (found, None));
    }
    let is_short = |text: &&str| is_number(text) && text.len() <= 4;
    [first, second, third].iter().all(is_short).then(|| numeric_date(separator, [first, second, third]))?
}

/// Reads `2024-05-31`, `2024/5/31`, `31.05.2024`, `5/31/24` and similar forms.
fn numeric_date<'a>(separator: char, fields: [&str; 3]) -> Option<(DateReading, Option<&'a str>)> {
    let [a, b, c] = fields.map(|text| text.parse::<u32>().unwrap_or_default());
    let mut orders = match fields.map(str::len) {
        [4, 1 | 2, 1 | 2] => vec![date(a, b, Some(c))],
        // With dots, the day comes first; otherwise, the month may come first.
        [1 | 2, 1 | 2, 4] if separator == '.' => vec![date(c, b, Some(a))],
        [1 | 2, 1 | 2, 4] => vec![date(c, b, Some(a)), date(c, a, Some(b))],
        [1 | 2, 1 | 2, 2] => {
            let american = (separator == '/').then(|| date(century(c), a, Some(b)));
            let own = [date(century(c), b, Some(a)), date(century(a), b, Some(c))];
            own.into_iter().chain(american).collect()
        }
        _ => return None,
    };
    orders.retain(|order| *order != DateReading::Impossible);
    orders.dedup();
    Some(match orders.len() {
        0 => (DateReading::Impossible, None),
        1 => (orders.remove(0), None),
        _ => (DateReading::Ambiguous, None),
    })
}

/// Returns the full year for two digits; 0 if it would be in the future.
fn century(year: u32) -> u32 {
    const NEXT: u32 = 30;
    match year {
        ..NEXT => 2000 + year,
        70.. => 1900 + year,
        _ => 0,
    }
}

/// Reads a numeric date, without a day if `day` is `None`.
fn date(year: u32, month: u32, day: Option<u32>) -> DateReading {
    let days = match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    match day {
        _ if year == 0 || days == 0 => DateReading::Impossible,
        None => DateReading::Date(format!("{year:04}-{month:02}")),
        Some(day) if (1..=days).contains(&day) => DateReading::Date(format!("{year:04}-{month:02}-{day:02}")),
        Some(_) => DateReading::Impossible,
    }
}

/// Returns whether a word is a day and a month without a year, `31.5.`.
fn is_day_of_month(word: &str) -> bool {
    let fields: Vec<&str> = word.trim_end_matches('.').split('.').collect();
    let is_below =
        |(field, most): (&&str, u32)| field.len() <= 2 && field.parse::<u32>().is_ok_and(|n| (1..most).contains(&n));
    fields.len() == 2 && fields.iter().zip([32, 13]).all(is_below)
}

/// Returns the number of a month, from 1.
fn month(word: &str) -> Option<u32> {
    let word = word.trim_end_matches('.');
    if !word.chars().all(char::is_alphabetic) {
        return None;
    }
    (1..).zip(MONTHS).find(|(_, names)| is_listed(names, word)).map(|(number, _)| number)
}

/// Reads a four-digit year.
pub(crate) fn year(word: &str) -> Option<u32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1850..2100).contains(year))
}

/// Reads `12 May 2024`, `12. Mai 2024`, `31st of May 2024`, `May 12 2024` or `May 2024` at the
/// start of the words. Also returns the number of words read.
fn named_date(words: &[&str]) -> Option<(DateReading, usize)> {
    let fields = (1..).zip(words).filter(|(_, word)| !is_listed(FILLERS, word)).take(3);
    let fields: Vec<(usize, &str)> = fields.map(|(at, word)| (at, word.trim_end_matches(['.', ':']))).collect();
    let day = |word: &str| -> Option<u32> {
        let digits = word.trim_end_matches(['t', 'h', 's', 'n', 'd', 'r', 'e']);
        digits.parse().ok().filter(|_| digits.len() <= 2)
    };
    let [(_, first), (second_at, second), ref last @ ..] = fields[..] else { return None };
    if let (Some(month), Some(year)) = (month(first), year(second)) {
        return Some((date(year, month, None), second_at));
    }
    let third = last.first().map_or("", |(_, third)| *third);
    let (year, month, day) = match (month(first), month(second)) {
        (Some(month), _) => (year(third)?, month, day(second)?),
        (None, Some(month)) if year(first).is_some() => (year(first)?, month, day(third)?),
        (None, Some(_)) if year(third).is_none() => return day(first).map(|_| (DateReading::Impossible, second_at)),
        (None, Some(month)) => (year(third)?, month, day(first)?),
        (None, None) => return None,
    };
    Some((date(year, month, Some(day)), last.first()?.0))
}

/// Returns whether a word is a time, `14:30` or `14:30:05`.
fn is_time(word: &str) -> bool {
    let fields: Vec<&str> = word.split(':').collect();
    let is_below = |(field, most): (&&str, u32)| {
        (1..=2).contains(&field.len()) && field.parse::<u32>().is_ok_and(|number| number < most)
    };
    (2..=3).contains(&fields.len()) && fields.iter().zip([24, 60, 60]).all(is_below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_if_there_is_one_reading() {
        for (text, expected) in [
            ("31.5.24", "2024-05-31"),
            ("31/5/24", "2024-05-31"),
            ("5/31/24", "2024-05-31"),
            ("31-May-2024", "2024-05-31"),
            ("2024-May-31", "2024-05-31"),
            ("31st of May 2024", "2024-05-31"),
            ("31 de mayo de 2024", "2024-05-31"),
            ("le 31 mai 2024", "2024-05-31"),
            ("May 2024", "2024-05"),
            ("20240531", "2024-05-31"),
            ("2024年5月31日", "2024-05-31"),
            ("2024年5月", "2024-05"),
            ("2024-05-31T14:30:05", "2024-05-31 14:30:05"),
            ("2024-05-31 14:30 Anna", "2024-05-31 14:30"),
            ("2024-05-31 40:24", "2024-05-31"),
            ("29.02.2024", "2024-02-29"),
            ("5/5/2024", "2024-05-05"),
        ] {
            let found = find_date(text).map(|found| found.reading);
            assert_eq!(found, Some(DateReading::Date(expected.to_owned())), "{text}");
        }
        for text in
            ["2024.13.31", "31.02.2024", "29.2.2023", "31st April 2024", "0.5.2024", "5月31日", "31.5. Anna", "31. Mai"]
        {
            assert_eq!(find_date(text).map(|found| found.reading), Some(DateReading::Impossible), "{text}");
        }
        for text in ["5/6/2024", "12.5.24", "1/2/03"] {
            assert_eq!(find_date(text).map(|found| found.reading), Some(DateReading::Ambiguous), "{text}");
        }
        for text in ["", "14:30", "40-24", "1.5", "May", "2024", "99999999", "Edax 4.5.5.1", "10-20-3000-1", "5.6.7"] {
            assert_eq!(find_date(text), None, "{text}");
        }
    }
}
