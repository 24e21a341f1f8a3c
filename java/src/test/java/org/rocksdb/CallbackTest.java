package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.DatabaseTest.assertClosed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
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
  void headersAreLinesOfInformation() throws Exception {
    final List<String> lines = new CopyOnWriteArrayList<>();
    try (Options options = new Options().setCreateIfMissing(true);
         FlushOptions flush = new FlushOptions();
         Logger logger = new Logger(InfoLogLevel.INFO_LEVEL) {
           @Override
           protected void log(final InfoLogLevel level, final String text) {
             lines.add(level + " " + text);
           }
         }) {
      options.setLogger(logger);
      RocksDB.open(options, path()).close();
      assertTrue(lines.stream().anyMatch(line -> line.contains("DB SUMMARY")));
      for (final String line : lines) {
        assertTrue(line.startsWith("INFO_LEVEL "), line);
      }
      for (final InfoLogLevel level :
          new InfoLogLevel[] {InfoLogLevel.WARN_LEVEL, InfoLogLevel.FATAL_LEVEL}) {
        lines.clear();
        logger.setInfoLogLevel(level);
        try (RocksDB db = RocksDB.open(options, path())) {
          db.put(b("k"), b("v"));
          assertEquals("[]", lines.toString());
          logger.setInfoLogLevel(InfoLogLevel.INFO_LEVEL);
          db.flush(flush);
        }
        assertTrue(!lines.isEmpty());
      }
    }
  }

  @Test
  void listeners() throws Exception {
    final List<String> events = new CopyOnWriteArrayList<>();
    final AtomicReference<RocksDB> lent = new AtomicReference<>();
    final AbstractEventListener listener = new AbstractEventListener(
        AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED,
        AbstractEventListener.EnabledEventCallback.ON_TABLE_FILE_CREATED,
        AbstractEventListener.EnabledEventCallback.ON_COMPACTION_COMPLETED) {
      @Override
      public void onFlushCompleted(final RocksDB db, final FlushJobInfo info) {
        events.add("flush of " + info.getColumnFamilyName() + " " + info.getFlushReason());
        lent.set(db);
        try {
          events.add("name " + db.getName() + " "
              + new String(db.getDefaultColumnFamily().getName(), StandardCharsets.UTF_8) + " "
              + new String(db.get(b("k")), StandardCharsets.UTF_8));
        } catch (final RocksDBException e) {
          events.add("thrown " + e);
        }
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
        final ColumnFamilyHandle family = lent.get().getDefaultColumnFamily();
        assertClosed(lent.get()::getName);
        assertClosed(family::getName);
        db.compactRange();
      }
    }
    listener.close();
    assertTrue(events.contains("name " + path() + " default v"), events.toString());
    assertTrue(events.contains("flush of default MANUAL_FLUSH"), events.toString());
    assertTrue(events.contains("file FLUSH 1 Ok"), events.toString());
    assertTrue(events.contains("compaction kManualCompaction 2"), events.toString());
    assertTrue(!events.contains("not asked for"));
    // The first of the two exceptions is logged.
    assertEquals(1, Files.readAllLines(folder.resolve("db").resolve("LOG")).stream()
                        .filter(line -> line.contains("IllegalStateException: passed over"))
                        .count());
  }

  @Test
  void aListenerAsksAFamilyThatGoes() throws Exception {
    final List<String> events = new CopyOnWriteArrayList<>();
    final AtomicReference<RocksDB> open = new AtomicReference<>();
    final AtomicReference<ColumnFamilyHandle> lent = new AtomicReference<>();
    try (AbstractEventListener listener = new AbstractEventListener(
             AbstractEventListener.EnabledEventCallback.ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED) {
           @Override
           public void onColumnFamilyHandleDeletionStarted(final ColumnFamilyHandle family) {
             try {
               events.add(new String(family.getName(), StandardCharsets.UTF_8) + " "
                   + family.getID() + " " + family.getDescriptor().getOptions().numLevels() + " "
                   + family.database().getName());
               lent.set(family);
               open.get().get(family, b("k"));
             } catch (final RocksDBException | IllegalArgumentException e) {
               events.add("thrown " + e.getClass().getSimpleName());
             }
           }
         };
         Options options = new Options().setCreateIfMissing(true);
         ColumnFamilyOptions flat = new ColumnFamilyOptions().setNumLevels(3)) {
      options.setListeners(Collections.singletonList(listener));
      try (RocksDB db = RocksDB.open(options, path())) {
        open.set(db);
        db.createColumnFamily(new ColumnFamilyDescriptor(b("f"), flat)).close();
        assertEquals("[f 1 3 " + path() + ", thrown IllegalArgumentException]", events.toString());
        assertClosed(lent.get()::getName);
      }
    }
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

  /** Throws when it is shown the families, or when it is shown a record. */
  private static final class BadLogs extends AbstractWalFilter {
    private final RuntimeException thrown;
    private final boolean isAtRecords;

    BadLogs(final RuntimeException thrown, final boolean isAtRecords) {
      this.thrown = thrown;
      this.isAtRecords = isAtRecords;
    }

    @Override
    public void columnFamilyLogNumberMap(
        final Map<Integer, Long> logs, final Map<String, Integer> names) {
      if (!isAtRecords) {
        throw thrown;
      }
    }

    @Override
    public LogRecordFoundResult logRecordFound(final long log, final String file,
        final WriteBatch batch, final WriteBatch newBatch) {
      throw thrown;
    }

    @Override
    public String name() {
      return "bad.logs";
    }
  }

  @Test
  void whatALogFilterThrowsComesOutOfTheOpen() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      db.put(b("a"), b("1"));
      db.put(b("b"), b("2"));
    }
    final RuntimeException thrown = new IllegalStateException("no logs today");
    for (final WALRecoveryMode mode : WALRecoveryMode.values()) {
      for (final boolean isAtRecords : new boolean[] {true, false}) {
        try (BadLogs filter = new BadLogs(thrown, isAtRecords);
             Options options = new Options().setWalFilter(filter).setWalRecoveryMode(mode)) {
          assertSame(thrown,
              assertThrows(RuntimeException.class, () -> RocksDB.open(options, path()).close()));
        }
      }
    }
    try (RocksDB db = RocksDB.open(path())) {
      assertArrayEquals(b("1"), db.get(b("a")));
      assertArrayEquals(b("2"), db.get(b("b")));
    }
  }

  @Test
  void whatAnOrderThrowsComesOutOfTheOpen() throws Exception {
    try (ComparatorOptions how = new ComparatorOptions(); ByLength order = new ByLength(how);
         Options options = new Options().setCreateIfMissing(true).setComparator(order);
         DBOptions shared = new DBOptions();
         ColumnFamilyOptions ordered = new ColumnFamilyOptions().setComparator(order)) {
      try (RocksDB db = RocksDB.open(options, path())) {
        db.put(b("a"), b("1"));
        db.put(b("bb"), b("2"));
      }
      final List<ColumnFamilyDescriptor> families = Collections.singletonList(
          new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, ordered));
      final List<ColumnFamilyHandle> handles = new ArrayList<>();
      final long before = Handles.liveObjects();
      order.throwsNow = true;
      assertThrows(IllegalStateException.class,
          () -> RocksDB.open(shared, path(), families, handles).close());
      order.throwsNow = false;
      // Nothing of it is open.
      assertTrue(Handles.liveObjects() <= before);
      assertTrue(handles.isEmpty());
      try (RocksDB db = RocksDB.open(options, path())) {
        assertArrayEquals(b("1"), db.get(b("a")));
        assertArrayEquals(b("2"), db.get(b("bb")));
      }
    }
  }

  @Test
  void aCallThatThrowsLeavesNoIterator() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
         TransactionDBOptions locks = new TransactionDBOptions();
         TransactionDB db = TransactionDB.open(options, locks, path());
         WriteOptions write = new WriteOptions(); Transaction txn = db.beginTransaction(write);
         FlushOptions flush = new FlushOptions();
         AbstractTableFilter filter = new AbstractTableFilter() {
           @Override
           public boolean filter(final TableProperties properties) {
             throw new IllegalStateException("no tables today");
           }
         };
         ReadOptions read = new ReadOptions().setTableFilter(filter)) {
      db.put(b("k"), b("v"));
      db.flush(flush);
      final List<ColumnFamilyHandle> families =
          Collections.nCopies(2, db.getDefaultColumnFamily());
      final long before = Handles.liveObjects();
      assertThrows(IllegalStateException.class, () -> db.newIterator(read));
      assertThrows(IllegalStateException.class, () -> db.newIterators(families, read));
      assertThrows(IllegalStateException.class, () -> txn.getIterator(read));
      assertTrue(Handles.liveObjects() <= before);
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
    }
  }

  @Test
  void anOrderThatThrowsFailsItsCompaction() throws Exception {
    try (ComparatorOptions how = new ComparatorOptions(); ByLength order = new ByLength(how);
         Options options = new Options().setCreateIfMissing(true).setComparator(order)
             .setDisableAutoCompactions(true);
         FlushOptions flush = new FlushOptions();
         CompactionOptions compaction = new CompactionOptions()) {
      final List<String> inOrder = Arrays.asList("a", "c", "bb");
      try (RocksDB db = RocksDB.open(options, path())) {
        db.put(b("a"), b("1"));
        db.put(b("bb"), b("2"));
        db.flush(flush);
        db.put(b("c"), b("3"));
        db.flush(flush);
        final List<String> files = new ArrayList<>();
        for (final LiveFileMetaData file : db.getLiveFilesMetaData()) {
          files.add(file.fileName());
        }
        order.throwsNow = true;
        assertThrows(
            Exception.class, () -> db.compactFiles(compaction, files, 1, -1, null));
        assertThrows(Exception.class, () -> db.compactRange());
        order.throwsNow = false;
        assertEquals(2, db.getLiveFilesMetaData().size());
        assertEquals(inOrder, keysOf(db));
      }
      try (RocksDB db = RocksDB.open(options, path())) {
        assertEquals(inOrder, keysOf(db));
        db.compactRange();
        assertEquals(inOrder, keysOf(db));
        assertArrayEquals(b("3"), db.get(b("c")));
      }
    }
  }

  private static List<String> keysOf(final RocksDB db) {
    final List<String> keys = new ArrayList<>();
    try (RocksIterator it = db.newIterator()) {
      for (it.seekToFirst(); it.isValid(); it.next()) {
        keys.add(new String(it.key(), StandardCharsets.UTF_8));
      }
    }
    return keys;
  }
}
