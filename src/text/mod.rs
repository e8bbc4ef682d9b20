//! Games as text, on the screen and at the keyboard.

pub mod course;
