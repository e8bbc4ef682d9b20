//! [`text_serde!`](crate::text_serde): serializes values as text.

/// Implements `Serialize` with `Display`, and `Deserialize` with `FromStr`. Type parameters come
/// first, in brackets.
macro_rules! text_serde {
    ([$($generics:tt)*] $type:ty) => {
        #[cfg(feature = "serde")]
        impl<$($generics)*> serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de, $($generics)*> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <String as serde::Deserialize>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use text_serde;
