package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.s;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flushes, compactions, files and properties of an open database. */
class MaintenanceTest {
  @TempDir Path folder;

  private final Options options =
      new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
  private final FlushOptions flush = new FlushOptions();
  private RocksDB db;

  @BeforeEach
  void open() throws Exception {
    db = RocksDB.open(options, folder.resolve("db").toString());
  }

  @AfterEach
  void close() {
    db.close();
    flush.close();
    options.close();
  }

  /** One file of level 0 with a hundred keys. */
  private void addFile(final String prefix) throws Exception {
    for (int i = 0; i < 100; i++) {
      db.put(b(String.format("%s%03d", prefix, i)), b("value" + i));
    }
    db.flush(flush);
  }

  private int filesAt(final int level) throws Exception {
    return Integer.parseInt(db.getProperty("rocksdb.num-files-at-level" + level));
  }

  @Test
  void flushes() throws Exception {
    for (int i = 0; i < 4; i++) {
      db.put(b("k" + i), b("v"));
    }
    assertEquals("4", db.getProperty("rocksdb.num-entries-active-mem-table"));
    assertTrue(db.getLiveFilesMetaData().isEmpty());
    db.flush(flush);
    assertEquals("0", db.getProperty("rocksdb.num-entries-active-mem-table"));
    assertEquals(1, filesAt(0));
    db.flush(flush, db.getDefaultColumnFamily());
    db.flush(flush, Collections.singletonList(db.getDefaultColumnFamily()));
    assertEquals(1, filesAt(0));
  }

  @Test
  void compactsAll() throws Exception {
    addFile("a");
    addFile("b");
    assertEquals(2, filesAt(0));
    db.compactRange();
    assertEquals(0, filesAt(0));
    assertNotNull(db.get(b("a001")));
  }

  @Test
  void compactsARange() throws Exception {
    addFile("a");
    addFile("m");
    db.compactRange(b("a"), b("b"));
    assertEquals(1, filesAt(0));
    db.compactRange(db.getDefaultColumnFamily(), null, b("c"));
    db.compactRange(db.getDefaultColumnFamily(), b("c"), null);
    assertEquals(0, filesAt(0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6})
  void compactsToALevel(final int level) throws Exception {
    addFile("a");
    addFile("a");
    try (CompactRangeOptions how =
             new CompactRangeOptions().setChangeLevel(true).setTargetLevel(level)) {
      db.compactRange(db.getDefaultColumnFamily(), null, null, how);
    }
    assertEquals(0, filesAt(0));
    assertEquals(1, filesAt(level));
  }

  @ParameterizedTest
  @EnumSource(CompactRangeOptions.BottommostLevelCompaction.class)
  void compactsTheLastLevel(final CompactRangeOptions.BottommostLevelCompaction how)
      throws Exception {
    addFile("a");
    try (CompactRangeOptions range =
             new CompactRangeOptions().setBottommostLevelCompaction(how)) {
      db.compactRange(db.getDefaultColumnFamily(), null, null, range);
      db.compactRange(db.getDefaultColumnFamily(), null, null, range);
    }
    assertEquals(0, filesAt(0));
    assertNotNull(db.get(b("a050")));
  }

  @Test
  void compactionsThatAreCancelled() throws Exception {
    addFile("a");
    addFile("a");
    try (CompactRangeOptions how = new CompactRangeOptions().setCanceled(true)) {
      assertTrue(how.canceled());
      final RocksDBException thrown = assertThrows(RocksDBException.class,
          () -> db.compactRange(db.getDefaultColumnFamily(), null, null, how));
      assertEquals(Status.Code.Incomplete, thrown.getStatus().getCode());
      how.setCanceled(false);
      db.compactRange(db.getDefaultColumnFamily(), null, null, how);
      assertEquals(0, filesAt(0));
    }
  }

  @Test
  void compactsFiles() throws Exception {
    addFile("a");
    addFile("a");
    final List<String> names = new ArrayList<>();
    for (final LiveFileMetaData file : db.getLiveFilesMetaData()) {
      names.add(file.fileName());
    }
    assertEquals(2, names.size());
    try (CompactionOptions how = new CompactionOptions();
         CompactionJobInfo info = new CompactionJobInfo()) {
      final List<String> made = db.compactFiles(how, names, 1, -1, info);
      assertEquals(1, made.size());
      assertEquals(1, filesAt(1));
      assertEquals(1, info.outputLevel());
      assertEquals(2, info.inputFiles().size());
      assertEquals(1, info.outputFiles().size());
      assertEquals(Status.Code.Ok, info.status().getCode());
      assertEquals("default", s(info.columnFamilyName()));
      try (CompactionJobStats stats = info.stats()) {
        assertEquals(200, stats.numInputRecords());
        assertEquals(100, stats.numOutputRecords());
      }
      assertThrows(RocksDBException.class, () -> db.compactFiles(
          how, Collections.singletonList("999999.sst"), 1, -1, null));
    }
  }

  @Test
  void anEmptyJob() {
    try (CompactionJobInfo info = new CompactionJobInfo();
         CompactionJobStats stats = new CompactionJobStats();
         CompactionJobStats more = new CompactionJobStats()) {
      assertEquals(0, info.columnFamilyName().length);
      assertEquals(Status.Code.Ok, info.status().getCode());
      assertEquals(0, info.threadId());
      assertEquals(0, info.jobId());
      assertEquals(0, info.baseInputLevel());
      assertEquals(0, info.outputLevel());
      assertTrue(info.inputFiles().isEmpty());
      assertTrue(info.outputFiles().isEmpty());
      assertTrue(info.tableProperties().isEmpty());
      assertSame(CompactionReason.kUnknown, info.compactionReason());
      assertSame(CompressionType.NO_COMPRESSION, info.compression());
      stats.add(more);
      stats.reset();
      assertEquals(0, stats.numInputRecords());
      assertEquals(0, stats.smallestOutputKeyPrefix().length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"elapsedMicros", "numInputRecords", "numInputFiles",
      "numInputFilesAtOutputLevel", "numOutputRecords", "numOutputFiles", "totalInputBytes",
      "totalOutputBytes", "numRecordsReplaced", "totalInputRawKeyBytes",
      "totalInputRawValueBytes", "numInputDeletionRecords", "numExpiredDeletionRecords",
      "numCorruptKeys", "fileWriteNanos", "fileRangeSyncNanos", "fileFsyncNanos",
      "filePrepareWriteNanos", "numSingleDelFallthru", "numSingleDelMismatch"})
  void statsOfNothing(final String getter) throws Exception {
    try (CompactionJobStats stats = new CompactionJobStats()) {
      assertEquals(0L, CompactionJobStats.class.getMethod(getter).invoke(stats));
    }
  }

  @Test
  void deletesWholeFiles() throws Exception {
    addFile("a");
    addFile("b");
    try (CompactRangeOptions how =
             new CompactRangeOptions().setChangeLevel(true).setTargetLevel(6)) {
      db.compactRange(db.getDefaultColumnFamily(), b("a"), b("a999"), how);
      db.compactRange(db.getDefaultColumnFamily(), b("b"), b("b999"), how);
    }
    assertEquals(2, filesAt(6));
    db.deleteFilesInRanges(
        db.getDefaultColumnFamily(), Bytes.list("a", "a999", "b050", "b060"), true);
    assertNull(db.get(b("a001")));
    assertNotNull(db.get(b("b055")));
    assertEquals(1, filesAt(6));
    db.deleteFilesInRanges(db.getDefaultColumnFamily(), Collections.emptyList(), true);
  }

  @Test
  void clips() throws Exception {
    addFile("a");
    db.put(b("z"), b("v"));
    db.clipColumnFamily(db.getDefaultColumnFamily(), b("a010"), b("a020"));
    assertNull(db.get(b("a009")));
    assertNotNull(db.get(b("a010")));
    assertNotNull(db.get(b("a019")));
    assertNull(db.get(b("a020")));
    assertNull(db.get(b("z")));
  }

  @Test
  void promotes() throws Exception {
    db.promoteL0(2);
    addFile("a");
    db.promoteL0(db.getDefaultColumnFamily(), 2);
    assertEquals(1, filesAt(2));
  }

  @Test
  void suggests() throws Exception {
    final Range empty = db.suggestCompactRange();
    assertEquals(0, empty.start.size());
    assertEquals(0, empty.limit.size());
    addFile("a");
    assertNotNull(db.suggestCompactRange(db.getDefaultColumnFamily()));
  }

  @Test
  void workIsPausedAndStopped() throws Exception {
    db.pauseBackgroundWork();
    db.pauseBackgroundWork();
    db.continueBackgroundWork();
    db.continueBackgroundWork();
    addFile("a");
    db.enableAutoCompaction(Collections.singletonList(db.getDefaultColumnFamily()));
    db.enableAutoCompaction(null);
    db.put(b("k"), b("v"));
    db.cancelAllBackgroundWork(true);
    db.cancelAllBackgroundWork(true);
    final RocksDBException thrown = assertThrows(RocksDBException.class, () -> db.flush(flush));
    assertEquals(Status.Code.ShutdownInProgress, thrown.getStatus().getCode());
  }

  @Test
  void compactionsAreAborted() throws Exception {
    addFile("a");
    addFile("a");
    db.abortAllCompactions();
    assertThrows(RocksDBException.class, () -> db.compactRange());
    db.resumeAllCompactions();
    db.compactRange();
    assertEquals(0, filesAt(0));
  }

  @Test
  void levels() {
    assertEquals(7, db.numberLevels());
    assertEquals(7, db.numberLevels(db.getDefaultColumnFamily()));
    assertEquals(36, db.level0StopWriteTrigger());
    assertEquals(36, db.level0StopWriteTrigger(db.getDefaultColumnFamily()));
    assertEquals(db.maxMemCompactionLevel(),
        db.maxMemCompactionLevel(db.getDefaultColumnFamily()));
  }

  @Test
  void logsAreFlushedAndSynced() throws Exception {
    try (WriteOptions write = new WriteOptions()) {
      db.put(write, b("k"), b("v"));
      db.flushWal(false);
      db.flushWal(true);
      db.syncWal();
    }
    final List<LogFile> logs = db.getSortedWalFiles();
    assertEquals(1, logs.size());
    assertSame(WalFileType.kAliveLogFile, logs.get(0).type());
    assertTrue(logs.get(0).pathName().endsWith(".log"));
    assertTrue(logs.get(0).logNumber() > 0);
    assertTrue(logs.get(0).sizeFileBytes() > 0);
  }

  @Test
  void liveFiles() throws Exception {
    final RocksDB.LiveFiles fresh = db.getLiveFiles();
    assertEquals(3, fresh.files.size());
    assertEquals("/CURRENT", fresh.files.get(0));
    assertTrue(fresh.files.get(1).matches("/MANIFEST-\\d{6}"), fresh.files.get(1));
    assertTrue(fresh.files.get(2).matches("/OPTIONS-\\d{6}"), fresh.files.get(2));
    assertTrue(fresh.manifestFileSize > 50, fresh.manifestFileSize + " bytes");
    assertTrue(fresh.manifestFileSize < 400, fresh.manifestFileSize + " bytes");
    db.put(b("k"), b("v"));
    assertEquals(3, db.getLiveFiles(false).files.size());
    final List<String> flushed = db.getLiveFiles(true).files;
    assertEquals(4, flushed.size());
    assertEquals("/CURRENT", flushed.get(0));
    assertTrue(flushed.get(3).matches("/\\d{6}\\.sst"), flushed.get(3));
    assertTrue(
        db.getLiveFiles().files.stream().anyMatch(name -> name.matches("/\\d{6}\\.sst")));
  }

  @Test
  void deletionsAreHeldBack() throws Exception {
    db.disableFileDeletions();
    addFile("a");
    addFile("a");
    db.compactRange();
    final long all = folder.resolve("db").toFile().list((d, name) -> name.endsWith(".sst")).length;
    assertEquals(3, all);
    db.enableFileDeletions();
    assertNotNull(db.get(b("a001")));
  }

  @Test
  void filesAreDescribed() throws Exception {
    addFile("a");
    final LiveFileMetaData file = db.getLiveFilesMetaData().get(0);
    assertEquals("default", s(file.columnFamilyName()));
    assertEquals(0, file.level());
    assertTrue(file.fileName().endsWith(".sst"));
    assertEquals(folder.resolve("db").toString(), file.path());
    assertTrue(file.size() > 0);
    assertEquals("a000", s(file.smallestKey()));
    assertEquals("a099", s(file.largestKey()));
    assertEquals(100, file.numEntries());
    assertEquals(0, file.numDeletions());
    assertTrue(file.largestSeqno() - file.smallestSeqno() == 99);
    assertFalse(file.beingCompacted());
    final ColumnFamilyMetaData family = db.getColumnFamilyMetaData();
    assertArrayEquals(RocksDB.DEFAULT_COLUMN_FAMILY, family.name());
    assertEquals(1, family.fileCount());
    assertEquals(7, family.levels().size());
    assertEquals(file.size(), family.size());
    assertEquals(1, family.levels().get(0).files().size());
    assertEquals(0, family.levels().get(1).size());
    assertEquals(6, family.levels().get(6).level());
    assertEquals(family.size(),
        db.getColumnFamilyMetaData(db.getDefaultColumnFamily()).size());
  }

  @Test
  void tablesHaveProperties() throws Exception {
    addFile("a");
    addFile("m");
    final Map<String, TableProperties> all = db.getPropertiesOfAllTables();
    assertEquals(2, all.size());
    final TableProperties one = all.values().iterator().next();
    assertEquals(100, one.getNumEntries());
    assertEquals(0, one.getNumDeletions());
    assertEquals("default", s(one.getColumnFamilyName()));
    assertEquals("leveldb.BytewiseComparator", one.getComparatorName());
    assertTrue(one.getDataSize() > 0);
    assertTrue(one.getRawKeySize() > 0);
    assertEquals(one, db.getPropertiesOfAllTables(db.getDefaultColumnFamily())
        .get(all.keySet().iterator().next()));
    try (Slice from = new Slice("a"); Slice to = new Slice("b")) {
      assertEquals(1, db.getPropertiesOfTablesInRange(
          Collections.singletonList(new Range(from, to))).size());
      assertEquals(1, db.getPropertiesOfTablesInRange(db.getDefaultColumnFamily(),
          Collections.singletonList(new Range(from, to))).size());
    }
  }

  @Test
  void sizes() throws Exception {
    addFile("a");
    db.put(b("b"), new byte[1_000]);
    try (Slice a = new Slice("a"); Slice c = new Slice("c"); Slice x = new Slice("x");
         Slice y = new Slice("y")) {
      final List<Range> ranges = Arrays.asList(new Range(a, c), new Range(x, y));
      final long[] both = db.getApproximateSizes(
          ranges, SizeApproximationFlag.INCLUDE_FILES, SizeApproximationFlag.INCLUDE_MEMTABLES);
      assertEquals(2, both.length);
      assertTrue(both[0] > 0);
      assertEquals(0, both[1]);
      assertTrue(db.getApproximateSizes(db.getDefaultColumnFamily(), ranges,
          SizeApproximationFlag.INCLUDE_FILES)[0] <= both[0]);
      final RocksDB.CountAndSize stats = db.getApproximateMemTableStats(new Range(a, c));
      assertTrue(stats.count >= 1);
      assertTrue(stats.size >= 1_000);
      assertEquals(0, db.getApproximateMemTableStats(
          db.getDefaultColumnFamily(), new Range(x, y)).count);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"num-immutable-mem-table", "mem-table-flush-pending",
      "compaction-pending", "background-errors", "cur-size-active-mem-table",
      "cur-size-all-mem-tables", "size-all-mem-tables", "num-entries-active-mem-table",
      "num-entries-imm-mem-tables", "num-deletes-active-mem-table", "num-deletes-imm-mem-tables",
      "estimate-num-keys", "estimate-table-readers-mem", "num-live-versions",
      "num-running-flushes", "num-running-compactions", "estimate-pending-compaction-bytes",
      "total-sst-files-size", "live-sst-files-size", "block-cache-capacity", "block-cache-usage",
      "block-cache-pinned-usage", "num-snapshots", "oldest-snapshot-time",
      "is-file-deletions-enabled", "min-log-number-to-keep", "actual-delayed-write-rate",
      "is-write-stopped", "estimate-live-data-size", "current-super-version-number"})
  void numbers(final String name) throws Exception {
    final String property = "rocksdb." + name;
    final long value = db.getLongProperty(property);
    assertTrue(value >= 0);
    assertEquals(value, db.getLongProperty(db.getDefaultColumnFamily(), property));
    assertEquals(Long.toString(value), db.getProperty(property));
    assertEquals(db.getProperty(property),
        db.getProperty(db.getDefaultColumnFamily(), property));
    assertTrue(db.getAggregatedLongProperty(property) >= 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cfstats", "dbstats", "levelstats", "sstables", "stats",
      "aggregated-table-properties", "block-cache-entry-stats"})
  void texts(final String name) throws Exception {
    addFile("a");
    assertFalse(db.getProperty("rocksdb." + name).isEmpty());
  }

  @Test
  void maps() throws Exception {
    addFile("a");
    assertFalse(db.getMapProperty("rocksdb.cfstats").isEmpty());
    assertEquals(db.getMapProperty("rocksdb.cfstats").keySet(),
        db.getMapProperty(db.getDefaultColumnFamily(), "rocksdb.cfstats").keySet());
    db.resetStats();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "rocksdb.", "rocksdb.no-such-property", "num-snapshots"})
  void propertiesThatAreNone(final String name) {
    for (final org.junit.jupiter.api.function.Executable call :
        Arrays.<org.junit.jupiter.api.function.Executable>asList(() -> db.getProperty(name),
            () -> db.getLongProperty(name), () -> db.getMapProperty(name),
            () -> db.getAggregatedLongProperty(name))) {
      final RocksDBException thrown = assertThrows(RocksDBException.class, call);
      assertEquals(Status.Code.NotFound, thrown.getStatus().getCode());
    }
  }

  @Test
  void checksumsAreVerified() throws Exception {
    addFile("a");
    db.verifyChecksum();
    final LiveFileMetaData file = db.getLiveFilesMetaData().get(0);
    final java.io.File table = new java.io.File(file.path() + file.fileName());
    try (java.io.RandomAccessFile bytes = new java.io.RandomAccessFile(table, "rw")) {
      bytes.seek(20);
      final int before = bytes.read();
      bytes.seek(20);
      bytes.write(before ^ 0xFF);
    }
    final RocksDBException thrown = assertThrows(RocksDBException.class, db::verifyChecksum);
    assertEquals(Status.Code.Corruption, thrown.getStatus().getCode());
    // One that cannot be read is no missing one.
    assertThrows(RocksDBException.class, () -> db.get(b("a000")));
    assertThrows(RocksDBException.class, () -> db.multiGetAsList(Bytes.list("a000")));
    try (RocksIterator it = db.newIterator()) {
      it.seekToFirst();
      assertFalse(it.isValid());
      final RocksDBException status = assertThrows(RocksDBException.class, it::status);
      assertEquals(Status.Code.Corruption, status.getStatus().getCode());
    }
  }

  @Test
  void updatesAreRead() throws Exception {
    try (TransactionLogIterator none = db.getUpdatesSince(0)) {
      assertFalse(none.isValid());
    }
    db.put(b("a"), b("1"));
    db.put(b("b"), b("2"));
    try (TransactionLogIterator it = db.getUpdatesSince(1)) {
      assertTrue(it.isValid());
      it.status();
      final WalIterator.BatchResult first = it.getBatch();
      assertEquals(1, first.sequenceNumber());
      assertEquals(1, first.writeBatch().count());
      it.next();
      assertTrue(it.isValid());
      assertEquals(2, it.getBatch().sequenceNumber());
      it.next();
      assertFalse(it.isValid());
      it.status();
      db.put(b("c"), b("3"));
      it.next();
      assertTrue(it.isValid());
      assertEquals(3, it.getBatch().sequenceNumber());
    }
  }
}
