//! Moves money between two accounts, so that none is lost whoever else is at
//! work. Usage: transactions DIRECTORY

use rocksdb::{Error, TransactionDB};

fn balance(bytes: Option<Vec<u8>>) -> i64 {
    let text = String::from_utf8(bytes.expect("the account is there"));
    text.expect("a number").parse().expect("a number")
}

/// One attempt; an error of kind Busy or TimedOut: somebody else was faster,
/// try again. Dropping the transaction rolls it back.
fn transfer(db: &TransactionDB, amount: i64) -> Result<(), Error> {
    let txn = db.transaction();
    // From here on the accounts are nobody else's to change.
    let from = balance(txn.get_for_update("checking", true)?);
    let to = balance(txn.get_for_update("savings", true)?);
    txn.put("checking", (from - amount).to_string())?;
    txn.put("savings", (to + amount).to_string())?;
    txn.commit()
}

fn main() -> Result<(), Error> {
    let path = std::env::args().nth(1).expect("transactions DIRECTORY");
    let db: TransactionDB = TransactionDB::open_default(path)?;
    db.put("checking", "100")?;
    db.put("savings", "0")?;
    transfer(&db, 30)?;
    for account in ["checking", "savings"] {
        println!("{} = {}", account, balance(db.get(account)?));
    }
    Ok(())
}
