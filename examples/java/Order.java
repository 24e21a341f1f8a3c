import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;

/** An order of one's own, and a merge operator: java -cp JAR Order.java DIRECTORY. */
public class Order {
  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Shorter keys first. */
  private static final class ByLength extends AbstractComparator {
    ByLength() {
      super(new ComparatorOptions());
    }

    @Override
    public String name() {
      return "by-length";
    }

    @Override
    public int compare(final ByteBuffer a, final ByteBuffer b) {
      final int order = Integer.compare(a.remaining(), b.remaining());
      return order != 0 ? order : a.compareTo(b);
    }
  }

  public static void main(final String[] arguments) throws Exception {
    try (ByLength order = new ByLength(); StringAppendOperator append = new StringAppendOperator();
         Options options = new Options()
             .setCreateIfMissing(true)
             .setComparator(order)
             .setMergeOperator(append);
         RocksDB db = RocksDB.open(options, arguments[0])) {
      db.put(b("long"), b("1"));
      db.merge(b("z"), b("2"));
      db.merge(b("z"), b("3"));
      try (RocksIterator it = db.newIterator()) {
        for (it.seekToFirst(); it.isValid(); it.next()) {
          System.out.println(new String(it.key(), StandardCharsets.UTF_8) + " "
              + new String(it.value(), StandardCharsets.UTF_8));
        }
      }
    }
  }
}
