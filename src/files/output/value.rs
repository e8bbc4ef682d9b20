//! [`Value`]: the value of a field, and the field types [`Text`], [`Integer`], [`Float`] and
//! [`Boolean`].

use std::fmt;

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// The value of a field.
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
    /// A decimal number, written with at least one decimal place.
    Float(f64),
    /// Text.
    Text(String),
    /// JSON text, kept as written: an array, an object, or a number that would be written
    /// differently. Other formats write it as text.
    #[serde(serialize_with = "write_json")]
    Json(String),
}

impl Value {
    /// Returns the number, boolean or text in a CSV cell. A number is recognized only if it would
    /// be written the same: `007`, `+1` and `1e5` are text. Words from other programs are also
    /// recognized: `True` and `TRUE`, and for null `NA`, `N/A`, `NaN`, `nan`, `null`, `NULL` and
    /// `None`.
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

    /// Returns the value as a 64-bit integer; `None` if it is not one.
    #[cfg(feature = "parquet")]
    pub(super) fn as_integer(&self) -> Option<i64> {
        match self {
            &Self::Integer(number) => number.try_into().ok(),
            _ => None,
        }
    }

    /// Returns the value as a decimal number; `None` if it cannot be represented as one.
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

/// Returns the integer or decimal number that would be written like this text.
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
    // JSON keeps trailing zeros.
    let is_decimal =
        text.split_once('.').is_some_and(|(_, decimals)| decimals.starts_with(|c: char| c.is_ascii_digit()));
    let short = text.trim_end_matches('0').trim_end_matches('.');
    (is_decimal && number.to_string() == short).then(|| Value::Json(text.to_owned()))
}

fn write_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<&RawValue>(text).map_err(S::Error::custom)?.serialize(serializer)
}

impl fmt::Display for Value {
    /// Formats the value as in CSV. Null is empty.
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

/// Defines the field types: nullable values of one kind, with conversions from the given types.
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
    /// Text or null; null by default.
    Text from &str: Text, String: Text;

    /// An integer or null; null by default.
    Integer from i32: Integer, u32: Integer, i64: Integer, u64: Integer;

    /// A decimal number or null; null by default. Text formats write a value created from an
    /// integer without decimal places.
    Float from f64: Float, i32: Integer;

    /// A boolean or null; null by default.
    Boolean from bool: Bool;
}
