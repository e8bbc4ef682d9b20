//! Prints the public interface of a crate from the JSON that rustdoc writes about it: `api FILE`.

use std::error::Error;

use public_api::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("no file")?;
    // What the compiler or `derive` implements says nothing about the crate.
    let builder = Builder::from_rustdoc_json(file).omit_blanket_impls(true).omit_auto_trait_impls(true);
    print!("{}", builder.omit_auto_derived_impls(true).build()?);
    Ok(())
}
