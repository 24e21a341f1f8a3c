package org.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rocksdb.util.StdErrLogger;

/** A program of its own, that loads the library one way or another. */
final class LoadingProgram {
  private LoadingProgram() {}

  public static void main(final String[] arguments) {
    if (arguments[0].equals("paths")) {
      RocksDB.loadLibrary(Arrays.asList(arguments).subList(1, arguments.length));
    } else if (arguments[0].equals("class")) {
      makeFirst(arguments[1]);
    }
    new LRUCache(1).close();
    if (arguments[0].equals("order")) {
      useAnOrder(arguments[1]);
    }
    if (arguments[0].equals("log")) {
      logToTheErrorOutput(
          arguments[1], arguments[2], InfoLogLevel.valueOf(arguments[3]));
    }
    System.out.println("loaded");
    System.out.flush();
    if (arguments[0].equals("halt")) {
      Runtime.getRuntime().halt(7);
    }
  }

  // With an order of Java's, on this thread and on others, which end before it does.
  private static void useAnOrder(final String path) {
    try (ComparatorOptions how = new ComparatorOptions();
         AbstractComparator order = new AbstractComparator(how) {
           @Override
           public String name() {
             return "order";
           }

           @Override
           public int compare(final ByteBuffer a, final ByteBuffer b) {
             return a.compareTo(b);
           }
         };
         Options options = new Options().setCreateIfMissing(true).setComparator(order);
         RocksDB db = RocksDB.open(options, path)) {
      for (int i = 0; i < 20; i++) {
        final byte[] key = {(byte) i};
        final Thread thread = new Thread(() -> {
          try {
            db.put(key, key);
          } catch (final RocksDBException e) {
            throw new IllegalStateException(e);
          }
        });
        thread.start();
        thread.join();
        db.get(key);
      }
    } catch (final RocksDBException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void logToTheErrorOutput(
      final String path, final String prefix, final InfoLogLevel level) {
    try (StdErrLogger logger = new StdErrLogger(level, prefix.isEmpty() ? null : prefix);
         Options options = new Options().setCreateIfMissing(true).setLogger(logger);
         RocksDB db = RocksDB.open(options, path)) {
      db.put(new byte[] {1}, new byte[] {2});
    } catch (final RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void makeFirst(final String name) {
    try {
      Class.forName(name).getConstructor().newInstance();
    } catch (final ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
