//! The crate `rocksdb` over an installed Basalt: opens, writes in two column
//! families, iterates, merges with a callback, compacts with direct I/O, and
//! counts the keys of a golden database where one is given.
//!
//!   client DIRECTORY [GOLDEN DEFAULT_COUNT SECOND_COUNT]

use rocksdb::{ColumnFamilyDescriptor, IteratorMode, MergeOperands, Options, DB};

fn join(_key: &[u8], value: Option<&[u8]>, operands: &MergeOperands) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = value.into_iter().collect();
    parts.extend(operands.iter());
    Some(parts.join(&b','))
}

fn options() -> Options {
    let mut options = Options::default();
    options.create_if_missing(true);
    options.create_missing_column_families(true);
    options.set_merge_operator_associative("join", join);
    options
}

fn write_and_read(path: &str) {
    // By name: the crate has no setter for it.
    let mut db_options = options()
        .get_options_from_string("use_direct_io_for_compaction_reads=true")
        .unwrap();
    db_options.set_use_direct_io_for_flush_and_compaction(true);
    db_options.enable_statistics();
    let families = ["default", "other"].map(|name| ColumnFamilyDescriptor::new(name, options()));
    let db = DB::open_cf_descriptors(&db_options, path, families).unwrap();
    let other = db.cf_handle("other").unwrap();
    for i in 0..1000 {
        db.put(format!("key{i:04}"), format!("value{i}")).unwrap();
        db.put_cf(other, format!("other{i:04}"), "x").unwrap();
    }
    db.merge_cf(other, "list", "a").unwrap();
    db.merge_cf(other, "list", "b").unwrap();
    db.flush().unwrap();
    db.flush_cf(other).unwrap();
    db.merge_cf(other, "list", "c").unwrap();
    db.compact_range(None::<&[u8]>, None::<&[u8]>);
    db.compact_range_cf(other, None::<&[u8]>, None::<&[u8]>);
    let statistics = db_options.get_statistics().unwrap();
    assert!(statistics.contains("compaction.direct.read.opens COUNT : "));
    assert!(!statistics.contains("compaction.direct.read.opens COUNT : 0"));
    assert_eq!(db.get_cf(other, "list").unwrap().unwrap(), b"a,b,c");
    assert_eq!(db.get("key0500").unwrap().unwrap(), b"value500");
    assert!(db.get("none").unwrap().is_none());
    assert_eq!(db.iterator(IteratorMode::Start).count(), 1000);
    assert_eq!(db.iterator_cf(other, IteratorMode::End).count(), 1001);
    let levels = db.property_int_value("rocksdb.num-files-at-level0").unwrap();
    assert_eq!(levels, Some(0));
    assert!(DB::open(&Options::default(), format!("{path}/none/none")).is_err());
}

fn read_golden(path: &str, default_count: usize, second_count: usize) {
    let mut db_options = options();
    db_options.create_if_missing(false);
    let families = ["default", "second cf"].map(|name| (name, options()));
    let db = DB::open_cf_with_opts_for_read_only(&db_options, path, families, false).unwrap();
    let second = db.cf_handle("second cf").unwrap();
    let count = db.iterator(IteratorMode::Start).map(Result::unwrap).count();
    assert_eq!(count, default_count);
    let count = db.iterator_cf(second, IteratorMode::Start).map(Result::unwrap).count();
    assert_eq!(count, second_count);
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    write_and_read(&arguments[1]);
    if arguments.len() == 5 {
        let count = |i: usize| arguments[i].parse().unwrap();
        read_golden(&arguments[2], count(3), count(4));
    }
    println!("rust: ok");
}
