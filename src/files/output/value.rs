//! [`Value`]: the value of a field, and the field types [`Text`], [`Integer`], [`Float`] and
//! [`Boolean`].

use std::fmt;

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// The value of one field.
///
/// ```
/// use morello::output::Value;
///
/// assert_eq!(Value::Float(2.0).to_string(), "2.0");
/// assert_eq!(Value::from(morello::output::Integer::from(7_u64)), Value::Integer(7));
/// assert_eq!(Value::from(morello::output::Text::from(None::<&str>)), Value::Null);
/// ```
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Null: unknown or not applicable.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A decimal number, written with at least one decimal.
    Float(f64),
    /// A text.
    Text(String),
    /// JSON text, kept as written: an array, an object, or a number that would be written
    /// differently. Other formats write the text.
    #[serde(serialize_with = "write_json")]
    Json(String),
}

impl Value {
    /// Returns the number, boolean or text that a cell of CSV holds. Only what would be written the
    /// same is a number: `007`, `+1` and `1e5` are texts. Words of other programs are read, too:
    /// `True` and `TRUE`, and `NA`, `N/A`, `NaN`, `nan`, `null`, `NULL` and `None` for nothing.
    ///
    /// ```
    /// use morello::output::Value;
    ///
    /// assert_eq!(["12", "2.5", "true"].map(Value::of_text), [Value::Integer(12), Value::Float(2.5), Value::Bool(true)]);
    /// assert_eq!([Value::of_text("007"), Value::of_text("")], [Value::Text("007".to_owned()), Value::Null]);
    /// ```
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        match text {
            "" | "NA" | "N/A" | "NaN" | "nan" | "null" | "NULL" | "None" => Self::Null,
            "true" | "True" | "TRUE" => Self::Bool(true),
            "false" | "False" | "FALSE" => Self::Bool(false),
            _ => number(text).unwrap_or_else(|| Self::Text(text.to_owned())),
        }
    }

    /// Returns an integer of 64 bits.
    #[cfg(feature = "parquet")]
    pub(super) fn as_integer(&self) -> Option<i64> {
        match self {
            &Self::Integer(number) => number.try_into().ok(),
            _ => None,
        }
    }

    /// Returns a number that a decimal number can hold.
    pub(super) fn as_float(&self) -> Option<f64> {
        match self {
            &Self::Float(number) => Some(number),
            &Self::Integer(number) => Some(number as f64),
            Self::Json(text) if text.contains(['.', 'e', 'E']) => {
                text.parse().ok().filter(|number: &f64| number.is_finite())
            }
            _ => None,
        }
    }
}

/// Returns the integer or decimal number that is written like this.
fn number(text: &str) -> Option<Value> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    if let Ok(integer) = text.parse::<i128>() {
        return (integer.to_string() == text).then_some(Value::Integer(integer));
    }
    let number: f64 = text.parse().ok()?;
    if format!("{number:?}") == text {
        return Some(Value::Float(number));
    }
    // JSON keeps the zeros at the end.
    let is_decimal =
        text.split_once('.').is_some_and(|(_, decimals)| decimals.starts_with(|c: char| c.is_ascii_digit()));
    let short = text.trim_end_matches('0').trim_end_matches('.');
    (is_decimal && number.to_string() == short).then(|| Value::Json(text.to_owned()))
}

fn write_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<&RawValue>(text).map_err(S::Error::custom)?.serialize(serializer)
}

impl fmt::Display for Value {
    /// Formats the value as in CSV; null is empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => fmt::Debug::fmt(value, f),
            Self::Text(value) | Self::Json(value) => value.fmt(f),
        }
    }
}

/// Defines the types of fields: nullable values of one kind, with conversions from the given types.
macro_rules! types {
    ($($(#[$doc:meta])* $name:ident from $($from:ty: $variant:ident),+;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name(Value);

        impl From<$name> for Value {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl<T: Into<Self>> From<Option<T>> for $name {
            fn from(value: Option<T>) -> Self {
                value.map_or_else(Self::default, Into::into)
            }
        }

        $(impl From<$from> for $name {
            fn from(value: $from) -> Self {
                Self(Value::$variant(value.into()))
            }
        })+
    )+};
}

impl From<usize> for Integer {
    fn from(value: usize) -> Self {
        Self(Value::Integer(value as i128))
    }
}

types! {
    /// A text or null; null by default.
    Text from &str: Text, String: Text;

    /// An integer or null; null by default.
    Integer from i32: Integer, u32: Integer, i64: Integer, u64: Integer;

    /// A decimal number or null; null by default. Text formats write a value created from an
    /// integer without decimals.
    Float from f64: Float, i32: Integer;

    /// A boolean or null; null by default.
    Boolean from bool: Bool;
}
