//! [`Value`]: the value of a field, and the types of fields: [`Text`], [`Integer`], [`Float`] and
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
