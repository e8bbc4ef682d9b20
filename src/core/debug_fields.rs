//! [`debug_fields!`](crate::debug_fields): short `Debug` output of large values.

/// Implements `Debug` for a type with large or opaque content. The output has only the fields that
/// identify the value, each labeled with the first part of its expression:
/// `debug_fields!(Name { field, field.len(), method() })`. Type parameters come first, in brackets:
/// `debug_fields!([T: Copy] Name<T> { field })`.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_fields {
    ($([$($generics:tt)*])? $name:ident $(<$($argument:tt),*>)? {
        $($field:ident $(($($none:tt)*))? $(.$part:ident $(($($also_none:tt)*))?)*),*
    }) => {
        impl$(<$($generics)*>)? std::fmt::Debug for $name$(<$($argument),*>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field(stringify!($field), &self.$field$(($($none)*))?$(.$part$(($($also_none)*))?)*))*
                    .finish_non_exhaustive()
            }
        }
    };
}
