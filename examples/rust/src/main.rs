//! Opens a database, writes, and reads what it wrote, in key order.
//! Usage: example DIRECTORY

use rocksdb::{IteratorMode, Options, DB};

fn main() -> Result<(), rocksdb::Error> {
    let path = std::env::args().nth(1).expect("example DIRECTORY");
    let mut options = Options::default();
    options.create_if_missing(true);
    let db = DB::open(&options, path)?;
    db.put("stone", "basalt")?;
    db.put("sand", "quartz")?;
    for entry in db.iterator(IteratorMode::Start) {
        let (key, value) = entry?;
        println!(
            "{} = {}",
            String::from_utf8_lossy(&key),
            String::from_utf8_lossy(&value)
        );
    }
    Ok(())
}
