package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.util.BytewiseComparator;

/** Objects of Java's that the engine calls. */
class CallbackTest {
  @TempDir Path folder;

  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String path() {
    return folder.resolve("db").toString();
  }

  /** Orders by length, then by bytes. */
  private static class ByLength extends AbstractComparator {
    volatile boolean throwsNow;

    ByLength(final ComparatorOptions options) {
      super(options);
    }

    @Override
    public String name() {
      return "by.length";
    }

    @Override
    public int compare(final ByteBuffer a, final ByteBuffer b) {
      if (throwsNow) {
        throw new IllegalStateException("no order today");
      }
      final int order = Integer.compare(a.remaining(), b.remaining());
      return order != 0 ? order : a.compareTo(b);
    }
  }

  @Test
  void comparators() throws Exception {
    for (final boolean direct : new boolean[] {true, false}) {
      final String where = folder.resolve("db" + direct).toString();
      try (ComparatorOptions how = new ComparatorOptions().setUseDirectBuffer(direct);
           Options options = new Options().setCreateIfMissing(true)) {
        final ByLength order = new ByLength(how);
        options.setComparator(order);
        try (RocksDB db = RocksDB.open(options, where);
             FlushOptions flush = new FlushOptions()) {
          order.close();
          for (final String key : new String[] {"ccc", "a", "bb", "aaaa", "aa"}) {
            db.put(b(key), b(key));
          }
          db.flush(flush);
          db.compactRange();
          final StringBuilder seen = new StringBuilder();
          try (RocksIterator it = db.newIterator()) {
            for (it.seekToFirst(); it.isValid(); it.next()) {
              seen.append(new String(it.key(), StandardCharsets.UTF_8)).append(' ');
            }
          }
          assertEquals("a aa bb ccc aaaa ", seen.toString());
          order.throwsNow = true;
          assertThrows(IllegalStateException.class, () -> db.get(b("bb")));
          order.throwsNow = false;
          assertArrayEquals(b("bb"), db.get(b("bb")));
        }
      }
    }
  }

  @Test
  void knownOrdersAreNative() throws Exception {
    try (ComparatorOptions how = new ComparatorOptions();
         BytewiseComparator order = new BytewiseComparator(how);
         Options options = new Options().setCreateIfMissing(true).setComparator(order);
         RocksDB db = RocksDB.open(options, path())) {
      db.put(b("b"), b("2"));
      db.put(b("a"), b("1"));
      try (RocksIterator it = db.newIterator()) {
        it.seekToFirst();
        assertArrayEquals(b("a"), it.key());
      }
    }
    // The name is that of the class.
    assertThrows(RocksDBException.class, () -> RocksDB.open(path()).close());
  }

  @Test
  void loggers() throws Exception {
    final List<String> lines = new CopyOnWriteArrayList<>();
    try (Options options = new Options().setCreateIfMissing(true);
         Logger logger = new Logger(InfoLogLevel.DEBUG_LEVEL) {
           @Override
           protected void log(final InfoLogLevel level, final String text) {
             lines.add(text);
             if (lines.size() == 3) {
               throw new IllegalStateException("enough");
             }
           }
         }) {
      options.setLogger(logger);
      try (RocksDB db = RocksDB.open(options, path())) {
        db.put(b("k"), b("v"));
      }
      assertEquals(3, lines.size());
      assertEquals(InfoLogLevel.DEBUG_LEVEL, logger.infoLogLevel());
    }
  }

  @Test
  void listeners() throws Exception {
    final List<String> events = new CopyOnWriteArrayList<>();
    final AbstractEventListener listener = new AbstractEventListener(
        AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED,
        AbstractEventListener.EnabledEventCallback.ON_TABLE_FILE_CREATED,
        AbstractEventListener.EnabledEventCallback.ON_COMPACTION_COMPLETED) {
      @Override
      public void onFlushCompleted(final RocksDB db, final FlushJobInfo info) {
        events.add("flush of " + info.getColumnFamilyName() + " " + info.getFlushReason());
        throw new IllegalStateException("passed over");
      }

      @Override
      public void onFlushBegin(final RocksDB db, final FlushJobInfo info) {
        events.add("not asked for");
      }

      @Override
      public void onTableFileCreated(final TableFileCreationInfo info) {
        events.add("file " + info.getReason() + " "
            + info.getTableProperties().getNumEntries() + " " + info.getStatus().getCode());
        assertTrue(Thread.currentThread().isDaemon());
      }

      @Override
      public void onCompactionCompleted(final RocksDB db, final CompactionJobInfo info) {
        events.add("compaction " + info.compactionReason() + " " + info.inputFiles().size());
      }
    };
    try (Options options = new Options().setCreateIfMissing(true);
         FlushOptions flush = new FlushOptions()) {
      options.setListeners(Collections.singletonList(listener));
      assertSame(listener, options.listeners().get(0));
      try (RocksDB db = RocksDB.open(options, path())) {
        db.put(b("k"), b("v"));
        db.flush(flush);
        db.put(b("k"), b("w"));
        db.flush(flush);
        db.compactRange();
      }
    }
    listener.close();
    assertTrue(events.contains("flush of default MANUAL_FLUSH"), events.toString());
    assertTrue(events.contains("file FLUSH 1 Ok"), events.toString());
    assertTrue(events.contains("compaction kManualCompaction 2"), events.toString());
    assertTrue(!events.contains("not asked for"));
  }

  @Test
  void filterFactories() throws Exception {
    final AbstractCompactionFilterFactory<RemoveEmptyValueCompactionFilter> factory =
        new AbstractCompactionFilterFactory<RemoveEmptyValueCompactionFilter>() {
          @Override
          public RemoveEmptyValueCompactionFilter createCompactionFilter(
              final AbstractCompactionFilter.Context context) {
            return new RemoveEmptyValueCompactionFilter();
          }

          @Override
          public String name() {
            return "drops.empty";
          }
        };
    try (Options options = new Options().setCreateIfMissing(true)) {
      options.setCompactionFilterFactory(factory);
      try (RocksDB db = RocksDB.open(options, path())) {
        factory.close();
        db.put(b("empty"), new byte[0]);
        db.put(b("full"), b("v"));
        db.compactRange();
        assertNull(db.get(b("empty")));
        assertArrayEquals(b("v"), db.get(b("full")));
      }
    }
  }

  @Test
  void whatAHandlerThrowsComesOut() throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(b("k"), b("v"));
      batch.putLogData(b("log"));
      batch.delete(b("k"));
      assertEquals(2, batch.count());
      final RocksDBException thrown = new RocksDBException("mine");
      final List<String> seen = new CopyOnWriteArrayList<>();
      try (HandlerForTests handler = new HandlerForTests(seen, null)) {
        batch.iterate(handler);
        assertEquals("[put 0 k v, log log, delete 0 k]", seen.toString());
      }
      try (HandlerForTests handler = new HandlerForTests(seen, thrown)) {
        assertSame(thrown, assertThrows(RocksDBException.class, () -> batch.iterate(handler)));
      }
    }
  }

  @Test
  void mergeOperators() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
         StringAppendOperator append = new StringAppendOperator("--")) {
      options.setMergeOperator(append);
      try (RocksDB db = RocksDB.open(options, path())) {
        append.close();
        db.merge(b("k"), b("a"));
        db.merge(b("k"), b("b"));
        assertArrayEquals(b("a--b"), db.get(b("k")));
      }
      options.setMergeOperatorName("stringappend");
      assertThrows(
          IllegalArgumentException.class, () -> options.setMergeOperatorName("nonsense"));
    }
  }
}
