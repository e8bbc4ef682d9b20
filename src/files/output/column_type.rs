//! [`FieldType`]: the type of a field, given or inferred from its values.

use super::Value;

/// The largest integer up to which a decimal number represents all integers exactly.
const EXACT_IN_FLOAT: u128 = 1 << 53;

/// The type of the values of a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldType {
    /// Text, or values of several types.
    Text,
    /// 64-bit integers.
    Integer,
    /// Decimal numbers.
    Float,
    /// Booleans.
    Boolean,
    /// Text that is a date: `2003-12-15`.
    Date,
    /// Any type, because no value is known.
    #[default]
    Any,
}

impl FieldType {
    /// Returns the value of a CSV cell in a column of this type. If it does not fit the type, it is
    /// text.
    pub(crate) fn value_of(self, text: &str) -> Value {
        let value = match self {
            Self::Integer | Self::Float | Self::Boolean => Value::of_text(text),
            Self::Text | Self::Date | Self::Any if text.is_empty() => Value::Null,
            Self::Text | Self::Date | Self::Any => Value::Text(text.to_owned()),
        };
        let is_bool = matches!(value, Value::Bool(_));
        let is_text = matches!(value, Value::Null | Value::Text(_));
        if is_text || is_bool == (self == Self::Boolean) { value } else { Value::Text(text.to_owned()) }
    }
}

/// The type that can represent all values of a column.
///
/// ```
/// use morello::output::{ColumnType, FieldType, Value};
///
/// let mut elo = ColumnType::default();
/// ["1500", "", "1612.5"].iter().for_each(|text| elo.add(&Value::of_text(text)));
/// assert_eq!(elo.kind(), FieldType::Float);
/// elo.add(&Value::of_text("unrated"));
/// assert_eq!(elo.kind(), FieldType::Text);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ColumnType {
    kind: FieldType,
    /// Whether there are integers that a decimal number would round.
    is_wide: bool,
}

impl From<FieldType> for ColumnType {
    fn from(kind: FieldType) -> Self {
        Self { kind, is_wide: false }
    }
}

impl ColumnType {
    /// Returns the type; [`FieldType::Any`] if there are no values.
    #[must_use]
    pub fn kind(self) -> FieldType {
        self.kind
    }

    /// Adds a value.
    pub fn add(&mut self, value: &Value) {
        *self = self.join(Self::of(value));
    }

    /// Returns the type that can represent the values of both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        use FieldType::{Any, Float, Integer, Text};

        let is_wide = self.is_wide || other.is_wide;
        let kind = match (self.kind, other.kind) {
            (Any, kind) | (kind, Any) => kind,
            (one, other) if one == other => one,
            (Integer, Float) | (Float, Integer) if !is_wide => Float,
            _ => Text,
        };
        Self { kind, is_wide }
    }

    fn of(value: &Value) -> Self {
        let kind = match value {
            Value::Null => FieldType::Any,
            Value::Bool(_) => FieldType::Boolean,
            &Value::Integer(number) if i64::try_from(number).is_ok() => {
                return Self { kind: FieldType::Integer, is_wide: number.unsigned_abs() > EXACT_IN_FLOAT };
            }
            Value::Float(_) => FieldType::Float,
            Value::Json(_) if value.as_float().is_some() => FieldType::Float,
            Value::Text(text) if days(text).is_some() => FieldType::Date,
            Value::Integer(_) | Value::Json(_) | Value::Text(_) => FieldType::Text,
        };
        kind.into()
    }
}

/// Returns the days from 1970-01-01 to a date of the form `2003-12-15`; `None` for other text.
pub(super) fn days(date: &str) -> Option<i32> {
    const MONTHS: [i32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

    let shape = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
    if date.len() != 10 || !date.bytes().enumerate().all(shape) {
        return None;
    }
    let number = |range| date.get(range).and_then(|digits: &str| digits.parse::<i32>().ok());
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let leap_days = |years: i32| years / 4 - years / 100 + years / 400;
    let is_leap = leap_days(year) > leap_days(year - 1);
    let month_index = usize::try_from(month - 1).ok()?;
    let before: i32 = MONTHS.get(..month_index)?.iter().sum();
    let length = MONTHS.get(month_index)? + i32::from(is_leap && month == 2);
    let of_years = 365 * (year - 1970) + leap_days(year - 1) - leap_days(1969);
    ((1..=length).contains(&day) && year > 0).then(|| of_years + before + i32::from(is_leap && month > 2) + day - 1)
}

/// Returns the date, given the days since 1970-01-01.
#[cfg(feature = "parquet")]
pub(crate) fn date(days: i64) -> String {
    // Counted from 1 March 0000, so that a leap day ends its year; 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + month / 10, (month + 2) % 12 + 1);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_days() {
        for (date, expected) in [
            ("1970-01-01", Some(0)),
            ("1969-12-31", Some(-1)),
            ("2000-02-29", Some(11016)),
            ("2000-03-01", Some(11017)),
            ("2003-12-15", Some(12401)),
            ("0001-01-01", Some(-719_162)),
            ("9999-12-31", Some(2_932_896)),
            ("1900-02-29", None),
            ("2003-13-01", None),
            ("2003-00-01", None),
            ("2003-04-31", None),
            ("2003-04-00", None),
            ("0000-01-01", None),
            ("2003-4-1", None),
            ("2003-04-1é", None),
            ("2003/04/01", None),
        ] {
            assert_eq!(days(date), expected, "{date}");
            #[cfg(feature = "parquet")]
            if let Some(days) = expected {
                assert_eq!(super::date(days.into()), date);
            }
        }
    }

    #[test]
    fn a_column_has_the_type_that_holds_all_values() {
        use FieldType::{Any, Boolean, Date, Float, Integer, Text};

        for (values, expected) in [
            (&[""][..], Any),
            (&["1", "", "-20"], Integer),
            (&["1", "0.50", "-3.25"], Float),
            (&["9007199254740993", "0"], Integer),
            (&["9007199254740993", "0.5"], Text),
            (&["9223372036854775808"], Text),
            (&["true", "false"], Boolean),
            (&["true", "1"], Text),
            (&["2003-12-15", "1999-01-01"], Date),
            (&["2003-12-15", "1999"], Text),
            // Numbers that would be written differently.
            (&["007"], Text),
            (&["+1"], Text),
            (&["1e5"], Text),
            (&["NaN", "x"], Text),
            (&["-0"], Text),
            (&["True", "yes"], Text),
            (&[" 1"], Text),
            (&["0.1000000000000000055511151231257827"], Text),
        ] {
            let mut found = ColumnType::default();
            values.iter().for_each(|text| found.add(&Value::of_text(text)));
            assert_eq!(found.kind(), expected, "{values:?}");
            for text in values {
                assert_eq!(expected.value_of(text).to_string(), *text);
            }
        }
        for (values, expected, read) in [
            (["1", "NA"], Integer, [Value::Integer(1), Value::Null]),
            (["0.5", "nan"], Float, [Value::Float(0.5), Value::Null]),
            (["True", "FALSE"], Boolean, [Value::Bool(true), Value::Bool(false)]),
        ] {
            let mut found = ColumnType::default();
            values.iter().for_each(|text| found.add(&Value::of_text(text)));
            assert_eq!((found.kind(), values.map(|text| expected.value_of(text))), (expected, read), "{values:?}");
        }
    }
}
