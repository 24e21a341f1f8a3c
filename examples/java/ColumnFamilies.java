import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Two column families, written together: java -cp JAR ColumnFamilies.java DIRECTORY. */
public class ColumnFamilies {
  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static void main(final String[] arguments) throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (DBOptions options = new DBOptions()
             .setCreateIfMissing(true)
             .setCreateMissingColumnFamilies(true)
             .setUseDirectIoForCompactionReads(true);
         RocksDB db = RocksDB.open(options, arguments[0],
             Arrays.asList(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                 new ColumnFamilyDescriptor(b("names"))),
             handles);
         WriteOptions write = new WriteOptions();
         WriteBatch batch = new WriteBatch()) {
      // The database closes the handles.
      final ColumnFamilyHandle names = handles.get(1);
      batch.put(b("7"), b("seven"));
      batch.put(names, b("seven"), b("7"));
      db.write(write, batch);
      System.out.println(new String(db.get(names, b("seven")), StandardCharsets.UTF_8));
    }
  }
}
