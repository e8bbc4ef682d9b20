//! [`Value`]: what a field of a record holds, and the types of fields: [`Text`], [`Integer`], [`Float`] and [`Boolean`].

use std::fmt;

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// The value of one field.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing: unknown, or without meaning here.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A number with decimals; it is written with at least one.
    Float(f64),
    /// A text.
    Text(String),
    /// What JSON has, as it is written there: an array, an object, or a number that would not come back the same. In other formats it is
    /// that text.
    #[serde(serialize_with = "write_json")]
    Json(String),
}

fn write_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<&RawValue>(text).map_err(S::Error::custom)?.serialize(serializer)
}

impl fmt::Display for Value {
    /// Writes the value as CSV has it: null is nothing at all.
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

/// Makes the types of fields: each a value that is null or of one kind, and what it is made from.
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

types! {
    /// A text, or null, which is the default.
    Text from &str: Text, String: Text;

    /// A whole number, or null, which is the default.
    Integer from i32: Integer, u32: Integer, i64: Integer, u64: Integer;

    /// A number with decimals, or null, which is the default. Formats of text write a number that is made from a whole one without decimals.
    Float from f64: Float, i32: Integer;

    /// Yes, no, or null, which is the default.
    Boolean from bool: Bool;
}
