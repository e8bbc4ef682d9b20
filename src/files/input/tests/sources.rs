//! Tests of compressed files, archives and directories.

use std::sync::Arc;

use morello_core::game::Cancel;

use super::*;

#[test]
fn compressed_input_reads_like_plain_input() {
    let text = format!("{START}\nb1a1\nnone\n").repeat(1000);
    let plain = read(text.as_bytes());
    assert_eq!(plain.len(), 3000);
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    let bzip2 = |text: &str| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let small_xz = |text: &str| xz(text, 1 << 20);
    for encode in [&gzip as &dyn Fn(&str) -> Vec<u8>, &zstd, &bzip2, &small_xz] {
        assert_eq!(read(&encode(&text)), plain);
        // Concatenated streams are one file, as in the usual tools for these formats.
        let (first, second) = text.split_at(text.len() / 3);
        assert_eq!(read(&[encode(first), encode(second)].concat()), plain);
        assert_eq!(read(&encode("")), []);
    }
}

fn xz(text: &str, dictionary: u32) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(1);
    options.lzma_options.dict_size = dictionary;
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn guarded_inputs_unpack_with_little_memory() {
    let read = |bytes: Vec<u8>| {
        let input = GuardedInput::new("a".to_owned(), Arc::new(bytes), 1 << 20, Cancel::new());
        let reader = Reader::of(any_game::<Othello4>(), Input::Guarded(Arc::new(input)));
        let records = reader.and_then(|reader| reader.collect::<Result<Vec<_>, _>>());
        records.map(|records| records.len()).map_err(|error| error.source.to_string())
    };
    let zstd = |window: u32| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(window).unwrap();
        encoder.write_all(b"b1\n").unwrap();
        encoder.finish().unwrap()
    };
    assert_eq!((read(zstd(23)), read(xz("b1\n", 8 << 20))), (Ok(1), Ok(1)));
    assert!(
        read(zstd(26)).unwrap_err().contains("memory") && read(xz("b1\n", 64 << 20)).unwrap_err().contains("memory")
    );
    let trusted = Input::Bytes("a".to_owned(), zstd(26).into());
    assert_eq!(Reader::of(any_game::<Othello4>(), trusted).unwrap().count(), 1);
}

/// Returns the error of an input, from its start or from any of its records.
fn error_of(name: &str, bytes: Vec<u8>) -> String {
    let input = Input::Bytes(name.to_owned(), bytes.into());
    let error = match Reader::of(any_game::<Othello4>(), input) {
        Ok(reader) => reader.last().unwrap().unwrap_err(),
        Err(error) => error,
    };
    format!("{error}: {}", error.source)
}

#[test]
fn xz_of_a_huge_dictionary_is_refused_before_it_is_allocated() {
    let mut bytes = xz("b1\n", 1 << 20);
    // The dictionary size in the block header, and the checksum of this header.
    let header = 12..12 + 4 * (usize::from(bytes[12]) + 1);
    let size = bytes[header.clone()].windows(2).position(|two| two == [0x21, 1]).unwrap() + header.start + 2;
    bytes[size] = 40;
    let checksum = crc32fast::hash(&bytes[header.start..header.end - 4]).to_le_bytes();
    bytes[header.end - 4..header.end].copy_from_slice(&checksum);
    assert_eq!(error_of("a.xz", bytes), "cannot read `a.xz`: the xz file needs more memory than 130 MiB; unpack it");
}

/// A zip archive of files with these names and contents, deflated or not.
fn zip(files: &[(&str, &[u8])], deflates: bool) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in files {
        let method = if deflates { rawzip::CompressionMethod::DEFLATE } else { rawzip::CompressionMethod::STORE };
        let (mut entry, config) = archive.new_file(*name).compression_method(method).start().unwrap();
        if deflates {
            let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast()));
            writer.write_all(bytes).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).unwrap();
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
    }
    archive.finish().unwrap()
}

/// Returns the files and records read from a zip archive in memory.
fn read_zip(bytes: Vec<u8>) -> Vec<(String, u64, bool)> {
    let reader = Reader::of(any_game::<Othello4>(), Input::Bytes("a.zip".to_owned(), bytes.into())).unwrap();
    let records = reader.map(Result::unwrap);
    records.map(|record| (record.file.to_string(), record.line, record.content.is_ok())).collect()
}

#[test]
fn an_archive_is_a_folder_of_files() {
    let gzipped = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"b1\nb1a1\n").unwrap();
        encoder.finish().unwrap()
    };
    let files: [(&str, &[u8]); 7] = [
        ("b.txt", b"b1\nz9\n"),
        ("more/a.txt.gz", &gzipped),
        ("image.png", b"\x89PNG\0"),
        (".hidden", b"b1"),
        ("__MACOSX/b.txt", b"b1"),
        ("WTH.JOU", b"b1"),
        ("empty.txt", b""),
    ];
    let expected = [("b.txt", 1, true), ("b.txt", 2, false), ("more/a.txt.gz", 1, true), ("more/a.txt.gz", 2, true)];
    let expected = expected.map(|(name, line, is_read)| (format!("a.zip/{name}"), line, is_read));
    for deflates in [false, true] {
        assert_eq!(read_zip(zip(&files, deflates)), expected);
    }
    let archive = Input::Bytes("a.zip".to_owned(), zip(&files, true).into());
    let skipped = expand(vec![archive]).unwrap().skipped;
    assert_eq!(skipped, [("a.zip/image.png".to_owned(), "a binary file")]);
}

#[test]
fn archives_that_cannot_be_read_are_errors() {
    let text = "b1\n".repeat(1000);
    let good = zip(&[("a.txt", text.as_bytes()), ("b.txt", b"b1")], true);
    let change = |from: &[u8], offset: usize, to: &[u8]| {
        let mut bytes = good.clone();
        let at = bytes.windows(from.len()).position(|part| part == from).unwrap() + offset;
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    let directory = b"PK\x01\x02";
    let nested = zip(&[("inner.zip", &good)], false);
    for (bytes, expected) in [
        (change(directory, 8, &[1, 0]), "`a.txt` in it is encrypted; unpack it"),
        (change(directory, 10, &[14, 0]), "`a.txt` in it is compressed with"),
        (change(directory, 16, &[1]), "damaged in its zip archive"),
        (change(directory, 24, &[1, 0, 0, 0]), "damaged in its zip archive"),
        (nested, "a zip archive within another archive or from standard input; unpack it"),
        (good[..good.len() - 30].to_vec(), "a damaged zip archive"),
        (zip(&[(".hidden", b"b1")], false), "it contains no files with positions or games"),
        (zip(&[], false), "it contains no files with positions or games"),
    ] {
        let error = error_of("a.zip", bytes);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_folder_is_read_with_its_folders_in_the_order_of_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("b/c")).unwrap();
    fs::create_dir(path(".git")).unwrap();
    for (name, text) in [("z.txt", "b1"), ("b/y.txt", "b1"), ("b/c/x.txt", "b1"), ("a.TRN", "b1"), (".git/x", "b1")] {
        fs::write(path(name), text).unwrap();
    }
    fs::write(path("a.zip"), zip(&[("q.txt", b"b1")], true)).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), path("b/loop")).unwrap();
    let inputs = expand(vec![Input::File(folder.path().to_owned())]).unwrap().inputs;
    let names: Vec<_> = inputs.iter().map(Input::name).collect();
    let expected = ["a.zip/q.txt", "b/c/x.txt", "b/y.txt", "z.txt"].map(|name| path(name).display().to_string());
    assert_eq!(names, expected);
    assert_eq!(Reader::of(any_game::<Othello4>(), Input::File(folder.path().to_owned())).unwrap().count(), 4);
    let error = expand(vec![Input::File(path(".git/.."))]).map(|found| found.inputs.len());
    assert_eq!(error.unwrap(), 4);
    fs::create_dir(path("empty")).unwrap();
    assert!(expand(vec![Input::File(path("empty"))]).is_err());
}

#[test]
fn reports_damaged_compression_after_the_readable_part() {
    let text = format!("{START}\n").repeat(100_000);
    let mut bytes = zstd::encode_all(text.as_bytes(), 1).unwrap();
    bytes.truncate(bytes.len() / 2);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    let reader =
        Reader::open(any_game::<Othello4>(), vec![Input::File(file.path().to_owned())], &InputFormat::default());
    let last = reader.unwrap().last().unwrap();
    assert!(last.unwrap_err().to_string().starts_with("cannot read `"));
}

#[test]
fn accepts_padding_and_skippable_frames() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"b1\n").unwrap();
    let gzip = encoder.finish().unwrap();
    assert_eq!(read(&[gzip.as_slice(), &[0; 20_000]].concat()), [good(1, "b1")]);
    assert_eq!(read(&[gzip.as_slice(), &[0; 10_240], &gzip].concat()), [good(1, "b1"), good(2, "b1")]);
    let frame = zstd::encode_all("b1\n".as_bytes(), 1).unwrap();
    for first in [0x50, 0x5f] {
        let skipped = [first, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
        assert_eq!(read(&[&skipped, frame.as_slice(), &skipped].concat()), [good(1, "b1")]);
    }
    assert_eq!(places(&read(b"X*M\n")), [(1, Some((1, 3)))]);
}
