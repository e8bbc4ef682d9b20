//! Value classes: their fields are attributes, constructor keywords and dict keys.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The arguments of a constructor without positional arguments, in the form that pickle requires.
pub type Keywords<'py> = ((), Bound<'py, PyDict>);

/// Implements `fields`, `of_fields` and `keywords` for a value class, and the conversion from an
/// instance or a dict.
macro_rules! value_class {
    ($class:ident { $($field:ident),+ }) => {
        impl $class {
            /// Creates a value from all of its fields.
            fn of_fields(fields: Option<&pyo3::Bound<'_, pyo3::types::PyDict>>) -> pyo3::PyResult<Self> {
                let fields = $crate::values::Fields::new(fields, &[$(stringify!($field)),+])?;
                Ok(Self { $($field: fields.get(stringify!($field))?),+ })
            }

            /// Returns the fields as a dict of plain values.
            fn fields<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyDict>> {
                let dict = pyo3::types::PyDict::new(py);
                $(dict.set_item($crate::values::name(stringify!($field)), self.$field.clone())?;)+
                $crate::values::plain(&dict)?;
                Ok(dict)
            }

            /// Returns the arguments of the constructor for pickle.
            fn keywords<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<$crate::values::Keywords<'py>> {
                Ok(((), self.fields(py)?))
            }
        }

        impl<'py> pyo3::FromPyObject<'_, 'py> for $class {
            type Error = pyo3::PyErr;

            fn extract(object: pyo3::Borrowed<'_, 'py, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                match object.cast::<Self>() {
                    Ok(value) => Ok(value.get().clone()),
                    Err(_) => Self::of_fields(Some(&object.cast::<pyo3::types::PyDict>()?.to_owned())),
                }
            }
        }
    };
}
pub(crate) use value_class;

/// Returns the Python name of a field.
pub fn name(field: &'static str) -> &'static str {
    field.trim_start_matches("r#")
}

/// Replaces the values in a dict by their dicts.
pub fn plain(dict: &Bound<'_, PyDict>) -> PyResult<()> {
    let to_dict = |value: &Bound<'_, PyAny>| value.call_method0("to_dict").map(Bound::unbind);
    for (key, value) in dict.copy()? {
        if value.hasattr("to_dict")? {
            dict.set_item(key, to_dict(&value)?)?;
        } else if let Ok(list) = value.extract::<Vec<Bound<'_, PyAny>>>()
            && list.first().is_some_and(|first| first.hasattr("to_dict").is_ok_and(|has| has))
        {
            dict.set_item(key, list.iter().map(to_dict).collect::<PyResult<Vec<_>>>()?)?;
        }
    }
    Ok(())
}

/// The keywords of a constructor.
pub struct Fields<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'a, 'py> Fields<'a, 'py> {
    /// Takes the keywords, which must have exactly these names.
    pub fn new(given: Option<&'a Bound<'py, PyDict>>, names: &[&'static str]) -> PyResult<Self> {
        let expected = || names.iter().map(|field| name(field)).collect::<Vec<_>>().join(", ");
        match given {
            Some(given) if given.len() == names.len() => Ok(Self(given)),
            _ => Err(PyTypeError::new_err(format!("expected the keywords {}", expected()))),
        }
    }

    /// Reads a field.
    pub fn get<T: FromPyObjectOwned<'py>>(&self, field: &'static str) -> PyResult<T> {
        let name = name(field);
        let value = self.0.get_item(name)?;
        let value = value.ok_or_else(|| PyTypeError::new_err(format!("missing keyword `{name}`")))?;
        value
            .extract()
            .map_err(Into::into)
            .map_err(|error: PyErr| PyTypeError::new_err(format!("{name}: {}", error.value(self.0.py()))))
    }
}
