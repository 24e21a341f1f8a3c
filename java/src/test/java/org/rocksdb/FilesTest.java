package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups, table files, logs, databases with a time to live. */
class FilesTest {
  @TempDir Path folder;

  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String path(final String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void backups() throws Exception {
    final String where = Files.createDirectory(folder.resolve("backups")).toString();
    try (RocksDB db = RocksDB.open(path("db"));
         BackupEngineOptions options = new BackupEngineOptions(where);
         BackupEngine engine = BackupEngine.open(Env.getDefault(), options);
         RestoreOptions restore = new RestoreOptions(false)) {
      db.put(b("k"), b("first"));
      engine.createNewBackupWithMetadata(db, "m\u00e9", true);
      db.put(b("k"), b("second"));
      engine.createNewBackup(db);
      final List<BackupInfo> found = engine.getBackupInfo();
      assertEquals(2, found.size());
      assertEquals("m\u00e9", found.get(0).appMetadata());
      assertEquals(0, engine.getCorruptedBackups().length);
      engine.restoreDbFromBackup(found.get(0).backupId(), path("one"), path("one"), restore);
      engine.restoreDbFromLatestBackup(path("two"), path("two"), restore);
      try (RocksDB one = RocksDB.open(path("one")); RocksDB two = RocksDB.open(path("two"))) {
        assertArrayEquals(b("first"), one.get(b("k")));
        assertArrayEquals(b("second"), two.get(b("k")));
      }
      engine.purgeOldBackups(1);
      assertEquals(1, engine.getBackupInfo().size());
      engine.deleteBackup(2);
      engine.garbageCollect();
      assertThrows(RocksDBException.class,
          () -> engine.restoreDbFromBackup(2, path("no"), path("no"), restore));
      db.close();
      DatabaseTest.assertClosed(() -> engine.createNewBackup(db));
    }
    assertThrows(
        IllegalArgumentException.class, () -> new BackupEngineOptions(path("missing")));
  }

  @Test
  void tableFiles() throws Exception {
    final String file = path("data.sst");
    try (EnvOptions files = new EnvOptions();
         Options options = new Options().setCreateIfMissing(true);
         SstFileWriter writer = new SstFileWriter(files, options);
         IngestExternalFileOptions how = new IngestExternalFileOptions();
         RocksDB db = RocksDB.open(options, path("db"))) {
      writer.open(file);
      writer.put(b("a"), b("1"));
      try (Slice key = new Slice("b"); Slice value = new Slice("2")) {
        writer.put(key, value);
      }
      writer.delete(b("c"));
      assertThrows(RocksDBException.class, () -> writer.put(b("a"), b("again")));
      writer.finish();
      assertTrue(writer.fileSize() > 0);
      db.put(b("c"), b("old"));
      db.ingestExternalFile(Collections.singletonList(file), how);
      assertArrayEquals(b("2"), db.get(b("b")));
      assertNull(db.get(b("c")));
    }
  }

  @Test
  void tableFilesAreRead() throws Exception {
    final String file = path("data.sst");
    try (EnvOptions files = new EnvOptions(); Options options = new Options();
         ReadOptions read = new ReadOptions();
         SstFileWriter writer = new SstFileWriter(files, options);
         SstFileReader reader = new SstFileReader(options)) {
      writer.open(file);
      writer.put(b("a"), b("1"));
      writer.put(b("b"), b("22"));
      writer.finish();
      assertThrows(IllegalStateException.class, () -> reader.newIterator(read));
      assertThrows(RocksDBException.class, () -> reader.open(path("none")));
      reader.open(file);
      assertThrows(IllegalStateException.class, () -> reader.open(file));
      reader.verifyChecksum();
      assertEquals(2, reader.getTableProperties().getNumEntries());
      try (SstFileReaderIterator it = reader.newIterator(read)) {
        it.seekToLast();
        assertArrayEquals(b("b"), it.key());
        final ByteBuffer value = ByteBuffer.allocateDirect(1);
        assertEquals(2, it.value(value));
        assertEquals(1, value.limit());
        it.prev();
        assertArrayEquals(b("1"), it.value());
        reader.close();
        DatabaseTest.assertClosed(it::seekToFirst);
      }
    }
  }

  @Test
  void optionsAreReadBack() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true).setMaxOpenFiles(77);
         ConfigOptions config = new ConfigOptions(); DBOptions loaded = new DBOptions();
         BloomFilter filter = new BloomFilter(12.5)) {
      options.setTableFormatConfig(
          new BlockBasedTableConfig().setFilterPolicy(filter).setBlockSize(5000));
      RocksDB.open(options, path("db")).close();
      final List<ColumnFamilyDescriptor> families = new ArrayList<>();
      OptionsUtil.loadLatestOptions(config, path("db"), loaded, families);
      assertEquals(77, loaded.maxOpenFiles());
      assertEquals(1, families.size());
      final BlockBasedTableConfig table =
          (BlockBasedTableConfig) families.get(0).getOptions().tableFormatConfig();
      assertEquals(5000, table.blockSize());
      assertEquals(filter, table.filterPolicy());
      table.filterPolicy().close();
      families.get(0).getOptions().close();
      final String name = OptionsUtil.getLatestOptionsFileName(path("db"), Env.getDefault());
      assertTrue(name.startsWith("OPTIONS-"));
      families.clear();
      OptionsUtil.loadOptionsFromFile(config, path("db") + "/" + name, loaded, families);
      families.get(0).getOptions().close();
      assertThrows(RocksDBException.class,
          () -> OptionsUtil.loadLatestOptions(config, path("none"), loaded, families));
    }
  }

  @Test
  void memory() throws Exception {
    try (RocksDB db = RocksDB.open(path("db")); Cache cache = new LRUCache(1 << 20)) {
      db.put(b("k"), new byte[10_000]);
      final Map<MemoryUsageType, Long> usage = MemoryUtil.getApproximateMemoryUsageByType(
          Arrays.asList(db), Collections.singleton(cache));
      assertEquals(db.getAggregatedLongProperty("rocksdb.size-all-mem-tables"),
          usage.get(MemoryUsageType.kMemTableTotal));
      assertEquals(cache.getUsage(), usage.get(MemoryUsageType.kCacheTotal));
      assertNull(MemoryUtil.getApproximateMemoryUsageByType(Arrays.asList(db), null)
                     .get(MemoryUsageType.kCacheTotal));
      assertTrue(MemoryUtil.getApproximateMemoryUsageByType(null, null).isEmpty());
    }
  }

  @Test
  void tracesAndRanges() throws Exception {
    final int[] written = {0, 0};
    try (RocksDB db = RocksDB.open(path("db"));
         AbstractTraceWriter writer = new AbstractTraceWriter() {
           @Override
           public void write(final Slice slice) {
             written[0] += slice.size();
           }

           @Override
           public void closeWriter() {
             written[1]++;
           }

           @Override
           public long getFileSize() {
             return written[0];
           }
         }) {
      db.startTrace(new TraceOptions(), writer);
      db.put(b("k"), b("v"));
      final int before = written[0];
      assertTrue(before > 0);
      db.endTrace();
      assertEquals(1, written[1]);
      assertThrows(RocksDBException.class, db::endTrace);
      try (FlushOptions flush = new FlushOptions(); Slice from = new Slice("a");
           Slice to = new Slice("z")) {
        db.put(b("p"), b("v"));
        db.flush(flush);
        assertEquals(
            1, db.getPropertiesOfTablesInRange(Arrays.asList(new Range(from, to))).size());
        assertEquals(
            0, db.getPropertiesOfTablesInRange(Arrays.asList(new Range(to, to))).size());
      }
      db.clipColumnFamily(db.getDefaultColumnFamily(), b("l"), b("z"));
      assertNull(db.get(b("k")));
      assertArrayEquals(b("v"), db.get(b("p")));
    }
    assertThrows(UnsupportedOperationException.class, () -> new CassandraValueMergeOperator(1));
  }

  @Test
  void whatATraceWriterThrowsIsItsStatus() throws Exception {
    final AtomicReference<Status> thrown = new AtomicReference<>();
    for (final Status status : Arrays.asList(
             new Status(Status.Code.TimedOut, Status.SubCode.LockTimeout, "late"),
             new Status(Status.Code.ColumnFamilyDropped, Status.SubCode.None, "gone"),
             new Status(Status.Code.Corruption, Status.SubCode.None, null),
             new Status(Status.Code.IOError, Status.SubCode.NoSpace, ""))) {
      thrown.set(status);
      final RocksDBException out = closeOfATrace(thrown);
      assertEquals(status.getCode(), out.getStatus().getCode());
      assertEquals(status.getSubCode(), out.getStatus().getSubCode());
      if (status.getState() != null && !status.getState().isEmpty()) {
        assertEquals(status.getState(), out.getStatus().getState());
      }
    }
    thrown.set(null);
    final RocksDBException plain = closeOfATrace(thrown);
    assertEquals(Status.Code.IOError, plain.getStatus().getCode());
    assertEquals("no status", plain.getStatus().getState());
  }

  private RocksDBException closeOfATrace(final AtomicReference<Status> thrown)
      throws Exception {
    try (RocksDB db = RocksDB.open(path("db"));
         AbstractTraceWriter writer = new AbstractTraceWriter() {
           @Override
           public void write(final Slice slice) {}

           @Override
           public void closeWriter() throws RocksDBException {
             throw new RocksDBException("no status", thrown.get());
           }

           @Override
           public long getFileSize() {
             return 0;
           }
         }) {
      db.startTrace(new TraceOptions(), writer);
      return assertThrows(RocksDBException.class, db::endTrace);
    }
  }

  @Test
  void logs() throws Exception {
    try (RocksDB db = RocksDB.open(path("db"))) {
      db.put(b("k"), b("v"));
      assertEquals(1, db.getSortedWalFiles().size());
      try (TransactionLogIterator log = db.getUpdatesSince(0)) {
        assertTrue(log.isValid());
        final WalIterator.BatchResult batch = log.getBatch();
        assertEquals(1, batch.sequenceNumber());
        assertEquals(1, batch.writeBatch().count());
        batch.writeBatch().close();
        log.status();
      }
    }
  }

  @Test
  void timeToLive() throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (DBOptions options =
             new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
         TtlDB db = TtlDB.open(options, path("db"),
             Arrays.asList(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                 new ColumnFamilyDescriptor(b("f"))),
             handles, Arrays.asList(0, 100), false)) {
      db.put(b("k"), b("v"));
      assertArrayEquals(b("v"), db.get(b("k")));
      db.put(handles.get(1), b("k"), b("w"));
      assertArrayEquals(b("w"), db.get(handles.get(1), b("k")));
      db.createColumnFamilyWithTtl(new ColumnFamilyDescriptor(b("g")), 7);
      assertThrows(IllegalArgumentException.class, () -> TtlDB.open(options, path("other"),
          Collections.singletonList(new ColumnFamilyDescriptor(b("default"))), handles,
          Arrays.asList(1, 2), false));
    }
  }

  @Test
  void indexedBatches() throws Exception {
    try (RocksDB db = RocksDB.open(path("db"));
         WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
         DBOptions options = new DBOptions(); ReadOptions read = new ReadOptions();
         WriteOptions write = new WriteOptions()) {
      db.put(b("a"), b("old"));
      batch.put(b("b"), b("new"));
      batch.delete(b("a"));
      assertNull(batch.getFromBatch(options, b("a")));
      assertArrayEquals(b("new"), batch.getFromBatchAndDB(db, read, b("b")));
      assertNull(batch.getFromBatchAndDB(db, read, b("a")));
      try (RocksIterator it = batch.newIteratorWithBase(db.newIterator())) {
        it.seekToFirst();
        assertArrayEquals(b("b"), it.key());
        it.next();
        assertTrue(!it.isValid());
      }
      db.write(write, batch);
      assertArrayEquals(b("new"), db.get(b("b")));
      assertEquals(2, batch.count());
    }
  }

  @Test
  void collectors() throws Exception {
    try (Statistics statistics = new Statistics()) {
      final CountDownLatch told = new CountDownLatch(2);
      final StatisticsCollector collector = new StatisticsCollector(
          Collections.singletonList(
              new StatsCollectorInput(statistics, new StatisticsCollectorCallback() {
                private boolean isFirst = true;

                @Override
                public void tickerCallback(final TickerType type, final long count) {
                  if (isFirst) {
                    told.countDown();
                    isFirst = false;
                  }
                }

                @Override
                public void histogramCallback(
                    final HistogramType type, final HistogramData data) {
                  told.countDown();
                }
              })), 1);
      collector.start();
      assertTrue(told.await(10, TimeUnit.MINUTES));
      collector.shutDown(600_000);
    }
  }
}
