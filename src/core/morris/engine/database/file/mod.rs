//! Tables in files and in memory, and table directories.

pub(super) mod cache;
pub(super) mod expanded;
pub(super) mod format;
pub(super) mod pack;
pub(super) mod store;
pub(super) mod table;
pub(super) mod write;
