//! Lists from Python.

use std::ops::Deref;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The maximum number of items for which memory is reserved before they are read; signals are checked as often.
const RESERVED: usize = 1024;

/// The items of a sequence, for arguments. PyO3 reads a `Vec` from the same sequences, but first reserves memory for
/// the length that the sequence claims, and ends the process if there is not so much: `range(10**11)` is enough.
#[derive(Clone, Debug, PartialEq, IntoPyObject)]
#[pyo3(transparent)]
pub struct Items<T>(pub Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for Items<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_other = object.is_instance_of::<PyString>() || object.is_instance_of::<PyDict>();
        if is_other || !object.hasattr("__getitem__")? {
            return Err(PyTypeError::new_err(format!("expected a list, not {}", object.get_type().name()?)));
        }
        let mut items = Vec::with_capacity(object.len().unwrap_or(0).min(RESERVED));
        for item in object.try_iter()? {
            items.push(item?.extract().map_err(Into::into)?);
            if items.len() % RESERVED == 0 {
                object.py().check_signals()?;
            }
        }
        Ok(Self(items))
    }
}

impl<T> FromIterator<T> for Items<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(Vec::from_iter(items))
    }
}

impl<T> Deref for Items<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> IntoIterator for Items<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
