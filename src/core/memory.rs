//! The memory of the machine, and whether a block of memory can be allocated.

use std::fs;
use std::path::Path;

/// Returns the most bytes that a process of this machine, or of its container, can use; `None` if it is
/// unknown.
#[must_use]
pub fn total() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 =
        info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.split_whitespace().next()?.parse().ok()?;
    // The system and the rest of the program need some of it.
    Some((kibibytes << 10).min(container().unwrap_or(u64::MAX)) / 8 * 7)
}

/// Returns the memory limit of the control group of this process.
fn container() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    limit(Path::new("/sys/fs/cgroup"), group)
}

/// Returns the smallest memory limit of a control group and those that contain it.
fn limit(root: &Path, group: &str) -> Option<u64> {
    let limit_of = |group: &Path| fs::read_to_string(root.join(group).join("memory.max")).ok()?.trim().parse().ok();
    Path::new(group).ancestors().filter_map(limit_of).min()
}

/// Returns whether `bytes` can be allocated. A large block takes no memory until it is used, so that
/// a successful allocation alone does not tell that the machine has the memory.
fn fits(bytes: usize, total: Option<u64>) -> bool {
    total.is_none_or(|total| bytes as u64 <= total) && Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Returns `Ok` if `count` blocks of `mebibytes` can be allocated, else the most MiB that they can have.
pub(crate) fn check_blocks(mebibytes: usize, count: usize) -> Result<(), usize> {
    let total = total();
    let all_fit = |mebibytes: usize| {
        let bytes = mebibytes.checked_mul(1 << 20).and_then(|bytes| bytes.checked_mul(count));
        bytes.is_some_and(|bytes| fits(bytes, total))
    };
    if all_fit(mebibytes) {
        return Ok(());
    }
    let (mut most, mut too_large) = (0, mebibytes);
    while too_large - most > 1 {
        let middle = most.midpoint(too_large);
        if all_fit(middle) { most = middle } else { too_large = middle }
    }
    Err(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_size_of_blocks_fits_and_one_more_does_not() {
        assert_eq!(check_blocks(1, 2), Ok(()));
        for (mebibytes, count) in [(usize::MAX, 1), (usize::MAX >> 20, 3), (1 << 40, 2)] {
            let most = check_blocks(mebibytes, count).expect_err("too large");
            assert!(most > 0 && most < mebibytes, "{most}");
            assert_eq!(check_blocks(most, count), Ok(()), "{most} x {count}");
            assert_eq!(check_blocks(most + 1, count), Err(most), "{most} x {count}");
        }
    }

    #[test]
    fn every_group_around_a_process_limits_it() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b/c");
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(limit(root.path(), "a/b/c"), None);
        for (group, max, expected) in [("", "max", None), ("a/b", "700", Some(700)), ("a/b/c", "800", Some(700))] {
            fs::write(root.path().join(group).join("memory.max"), format!("{max}\n")).unwrap();
            assert_eq!(limit(root.path(), "a/b/c"), expected, "{group}");
        }
        assert_eq!(limit(root.path(), "a"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_memory_of_the_machine_is_known() {
        assert!(total().is_some_and(|bytes| bytes > 64 << 20));
    }
}
