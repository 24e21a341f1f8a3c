import java.nio.charset.StandardCharsets;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** Moves an amount from one account to another: java -cp JAR Transactions.java DIRECTORY. */
public class Transactions {
  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static long amount(final Transaction txn, final ReadOptions read, final String account)
      throws RocksDBException {
    // Locks the account until the transaction ends.
    final byte[] value = txn.getForUpdate(read, b(account), true);
    return value == null ? 0 : Long.parseLong(new String(value, StandardCharsets.UTF_8));
  }

  public static void main(final String[] arguments) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
         TransactionDBOptions locks = new TransactionDBOptions();
         TransactionDB db = TransactionDB.open(options, locks, arguments[0]);
         WriteOptions write = new WriteOptions(); ReadOptions read = new ReadOptions()) {
      db.put(b("ann"), b("10"));
      try (Transaction txn = db.beginTransaction(write)) {
        txn.put(b("bob"), b(Long.toString(amount(txn, read, "bob") + 3)));
        txn.put(b("ann"), b(Long.toString(amount(txn, read, "ann") - 3)));
        txn.commit();
      }
      System.out.println(new String(db.get(b("ann")), StandardCharsets.UTF_8));
    }
  }
}
