package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.s;

import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What databases share: caches, filters, limiters, managers, environments, operators. */
class SharedObjectsTest {
  @TempDir Path folder;

  private String path() {
    return folder.resolve("db").toString();
  }

  static Stream<Supplier<Cache>> caches() {
    return Stream.of(() -> new LRUCache(1 << 20), () -> new LRUCache(1 << 20, 2),
        () -> new LRUCache(1 << 20, 2, true), () -> new LRUCache(1 << 20, -1, false, 0.5),
        () -> new LRUCache(1 << 20, -1, false, 0.3, 0.3), () -> new ClockCache(1 << 20),
        () -> new HyperClockCache(1 << 20, 8_192, -1, false),
        () -> new HyperClockCache(1 << 20, 0, 2, false));
  }

  @ParameterizedTest
  @MethodSource("caches")
  void cachesOfAllKinds(final Supplier<Cache> maker) throws Exception {
    try (Cache cache = maker.get(); BloomFilter filter = new BloomFilter();
         Options options = new Options().setCreateIfMissing(true)) {
      assertTrue(cache.getUsage() >= 0);
      assertTrue(cache.getPinnedUsage() >= 0);
      options.setTableFormatConfig(
          new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter));
      try (RocksDB db = RocksDB.open(options, path()); FlushOptions flush = new FlushOptions()) {
        for (int i = 0; i < 100; i++) {
          db.put(b("k" + i), new byte[100]);
        }
        db.flush(flush);
        final long before = cache.getUsage();
        assertNotNull(db.get(b("k50")));
        assertTrue(cache.getUsage() > before);
        assertTrue(cache.getUsage() >= cache.getPinnedUsage());
        cache.close();
        assertNotNull(db.get(b("k51")));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"10,10,true", "10,11,false", "9.5,9.5,true"})
  void filtersAreEqualByTheirBits(final double one, final double other, final boolean same) {
    try (BloomFilter a = new BloomFilter(one); BloomFilter b = new BloomFilter(other, false)) {
      assertEquals(same, a.equals(b));
      if (same) {
        assertEquals(a.hashCode(), b.hashCode());
      }
      assertNotEquals(a, "text");
    }
    try (BloomFilter plain = new BloomFilter(); BloomFilter ten = new BloomFilter(10)) {
      assertEquals(plain, ten);
    }
  }

  @Test
  void rateLimiters() {
    try (RateLimiter limiter = new RateLimiter(1_000, 100 * 1_000, 1)) {
      assertTrue(limiter.getBytesPerSecond() > 0);
      assertEquals(100, limiter.getSingleBurstBytes());
      assertEquals(0, limiter.getTotalBytesThrough());
      assertEquals(0, limiter.getTotalRequests());
      limiter.request(10);
      assertEquals(10, limiter.getTotalBytesThrough());
      assertEquals(1, limiter.getTotalRequests());
      limiter.setBytesPerSecond(2_000);
      assertEquals(2_000, limiter.getBytesPerSecond());
      assertEquals(200, limiter.getSingleBurstBytes());
      assertThrows(IllegalArgumentException.class, () -> limiter.setBytesPerSecond(0));
      assertThrows(IllegalArgumentException.class, () -> limiter.request(201));
      assertThrows(IllegalArgumentException.class, () -> limiter.request(-1));
    }
  }

  @ParameterizedTest
  @EnumSource(RateLimiterMode.class)
  void rateLimitersOfAllModes(final RateLimiterMode mode) throws Exception {
    try (RateLimiter limiter = new RateLimiter(100 << 20, 1_000, 10, mode, true);
         Options options = new Options().setCreateIfMissing(true).setRateLimiter(limiter);
         RocksDB db = RocksDB.open(options, path()); FlushOptions flush = new FlushOptions()) {
      limiter.close();
      db.put(b("k"), b("v"));
      db.flush(flush);
      assertEquals("v", s(db.get(b("k"))));
    }
  }

  @Test
  void fileManagers() throws Exception {
    try (SstFileManager manager = new SstFileManager(Env.getDefault());
         Options options = new Options().setCreateIfMissing(true).setSstFileManager(manager)) {
      assertEquals(SstFileManager.RATE_BYTES_PER_SEC_DEFAULT,
          manager.getDeleteRateBytesPerSecond());
      assertEquals(SstFileManager.MAX_TRASH_DB_RATION_DEFAULT, manager.getMaxTrashDBRatio());
      assertTrue(manager.getTrackedFiles().isEmpty());
      assertEquals(0, manager.getTotalSize());
      manager.setDeleteRateBytesPerSecond(123);
      assertEquals(123, manager.getDeleteRateBytesPerSecond());
      manager.setDeleteRateBytesPerSecond(0);
      manager.setMaxTrashDBRatio(0.5);
      assertEquals(0.5, manager.getMaxTrashDBRatio());
      manager.setCompactionBufferSize(10);
      try (RocksDB db = RocksDB.open(options, path()); FlushOptions flush = new FlushOptions()) {
        db.put(b("k"), b("v"));
        db.flush(flush);
        final Map<String, Long> files = manager.getTrackedFiles();
        assertEquals(1, files.size());
        assertEquals(manager.getTotalSize(), (long) files.values().iterator().next());
        assertFalse(manager.isMaxAllowedSpaceReached());
        manager.setMaxAllowedSpaceUsage(1);
        assertTrue(manager.isMaxAllowedSpaceReached());
        assertTrue(manager.isMaxAllowedSpaceReachedIncludingCompactions());
        manager.setMaxAllowedSpaceUsage(0);
      }
    }
  }

  @Test
  void taskLimiters() throws Exception {
    try (ConcurrentTaskLimiterImpl limiter = new ConcurrentTaskLimiterImpl("n\u00e1me", 3);
         ColumnFamilyOptions family =
             new ColumnFamilyOptions().setCompactionThreadLimiter(limiter)) {
      assertEquals("n\u00e1me", limiter.name());
      assertEquals(0, limiter.outstandingTask());
      assertSame(limiter, limiter.setMaxOutstandingTask(4));
      assertSame(limiter, limiter.resetMaxOutstandingTask());
      assertEquals(0, limiter.outstandingTask());
      assertSame(limiter, family.compactionThreadLimiter());
    }
  }

  @ParameterizedTest
  @CsvSource({"0,true", "0,false", "1000000,true", "1000000,false"})
  void writeBufferManagers(final long size, final boolean stalls) throws Exception {
    try (Cache cache = new LRUCache(1 << 20);
         WriteBufferManager manager = new WriteBufferManager(size, cache, stalls);
         Options options = new Options().setCreateIfMissing(true).setWriteBufferManager(manager)) {
      assertEquals(stalls, manager.allowStall());
      assertSame(manager, options.writeBufferManager());
      try (RocksDB db = RocksDB.open(options, path())) {
        manager.close();
        db.put(b("k"), b("v"));
        assertEquals("v", s(db.get(b("k"))));
      }
    }
    try (Cache cache = new LRUCache(1 << 20);
         WriteBufferManager plain = new WriteBufferManager(size, cache)) {
      assertFalse(plain.allowStall());
    }
  }

  @ParameterizedTest
  @EnumSource(value = Priority.class, names = "TOTAL", mode = EnumSource.Mode.EXCLUDE)
  void threadsOfAnEnvironment(final Priority priority) throws Exception {
    try (RocksMemEnv env = new RocksMemEnv(Env.getDefault())) {
      final Env all = Env.getDefault();
      assertEquals(0, all.getThreadPoolQueueLen(priority));
      final int before = all.getBackgroundThreads(priority);
      assertSame(all, all.setBackgroundThreads(before + 2, priority));
      assertEquals(before + 2, all.getBackgroundThreads(priority));
      // It never takes threads away.
      assertSame(all, all.incBackgroundThreadsIfNeeded(before + 1, priority));
      assertEquals(before + 2, all.getBackgroundThreads(priority));
      all.incBackgroundThreadsIfNeeded(before + 3, priority);
      assertEquals(before + 3, all.getBackgroundThreads(priority));
      all.setBackgroundThreads(before, priority);
      assertEquals(before, all.getBackgroundThreads(priority));
      assertNotNull(env);
    }
  }

  @Test
  void noThreadsOfAllPriorities() {
    assertThrows(IllegalArgumentException.class,
        () -> Env.getDefault().setBackgroundThreads(1, Priority.TOTAL));
    assertThrows(IllegalArgumentException.class,
        () -> Env.getDefault().getBackgroundThreads(Priority.TOTAL));
  }

  @Test
  void theDefaultEnvironmentStays() throws Exception {
    final Env env = Env.getDefault();
    env.close();
    assertSame(env, Env.getDefault());
    try (Options options = new Options().setCreateIfMissing(true).setEnv(env);
         RocksDB db = RocksDB.open(options, path())) {
      assertSame(env, db.getEnv());
      assertNotNull(env.getThreadList());
    }
  }

  @Test
  void databasesInMemory() throws Exception {
    try (RocksMemEnv one = new RocksMemEnv(Env.getDefault());
         RocksMemEnv two = new RocksMemEnv(Env.getDefault());
         FlushOptions flush = new FlushOptions()) {
      for (final Env env : new Env[] {one, two}) {
        try (Options options = new Options().setCreateIfMissing(true).setEnv(env);
             RocksDB db = RocksDB.open(options, "/dir/db")) {
          assertFalse(db.keyExists(b("k")));
          db.put(b("k"), b("v"));
          db.flush(flush);
        }
        try (Options options = new Options().setEnv(env);
             RocksDB db = RocksDB.open(options, "/dir/db")) {
          assertEquals("v", s(db.get(b("k"))));
        }
        try (Options options = new Options().setEnv(env)) {
          assertThrows(RocksDBException.class, () -> RocksDB.open(options, "/dir/none"));
        }
      }
    }
  }

  @Test
  void environmentsThatMeasure() throws Exception {
    try (TimedEnv env = new TimedEnv(Env.getDefault());
         Options options = new Options().setCreateIfMissing(true).setEnv(env);
         RocksDB db = RocksDB.open(options, path())) {
      db.put(b("k"), b("v"));
      assertEquals("v", s(db.get(b("k"))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "--", "\u00e9", ";"})
  void delimiters(final String delimiter) throws Exception {
    try (StringAppendOperator append = new StringAppendOperator(delimiter);
         Options options = new Options().setCreateIfMissing(true).setMergeOperator(append);
         RocksDB db = RocksDB.open(options, path())) {
      append.close();
      db.put(b("k"), b("a"));
      db.merge(b("k"), b("b"));
      db.merge(b("k"), b("c"));
      assertEquals("a" + delimiter + "b" + delimiter + "c", s(db.get(b("k"))));
    }
  }

  @Test
  void delimitersOfOneCharacter() throws Exception {
    try (StringAppendOperator append = new StringAppendOperator('#');
         Options options = new Options().setCreateIfMissing(true).setMergeOperator(append);
         RocksDB db = RocksDB.open(options, path())) {
      db.merge(b("k"), b("a"));
      db.merge(b("k"), b("b"));
      assertEquals("a#b", s(db.get(b("k"))));
    }
  }

  private static byte[] little(final long number) {
    return java.nio.ByteBuffer.allocate(8).order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .putLong(number).array();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sums(final boolean byName) throws Exception {
    try (UInt64AddOperator add = new UInt64AddOperator();
         Options options = new Options().setCreateIfMissing(true)) {
      if (byName) {
        options.setMergeOperatorName("uint64add");
      } else {
        options.setMergeOperator(add);
      }
      try (RocksDB db = RocksDB.open(options, path())) {
        db.put(b("k"), little(100));
        db.merge(b("k"), little(1));
        org.junit.jupiter.api.Assertions.assertArrayEquals(little(101), db.get(b("k")));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stringappend", "stringappendtest", "uint64add", "max", "put", "sortlist",
      "bytesxor"})
  void operatorsByName(final String name) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true).setMergeOperatorName(name);
         RocksDB db = RocksDB.open(options, path())) {
      db.merge(b("k"), name.equals("uint64add") ? little(7) : b("7"));
      assertNotNull(db.get(b("k")));
    }
  }

  @Test
  void anOperatorThatNobodyKnows() throws Exception {
    final ColumnFamilyDescriptor family = new ColumnFamilyDescriptor(b("f"),
        new ColumnFamilyOptions().setMergeOperatorName("nonsense"));
    try (Options options = new Options().setCreateIfMissing(true);
         RocksDB db = RocksDB.open(options, path())) {
      assertUnknown(() -> db.createColumnFamily(family));
      assertEquals(1, RocksDB.listColumnFamilies(options, path()).size());
    }
    family.getOptions().close();
    try (Options options = new Options().setMergeOperatorName("nonsense")) {
      assertUnknown(() -> RocksDB.open(options, path()));
      assertUnknown(() -> RocksDB.openReadOnly(options, path()));
      options.setMergeOperatorName("stringappend");
      RocksDB.open(options, path()).close();
    }
  }

  private static void assertUnknown(final Executable call) {
    final RocksDBException thrown = assertThrows(RocksDBException.class, call);
    assertEquals(Status.Code.InvalidArgument, thrown.getStatus().getCode());
    assertTrue(thrown.getMessage().contains("nonsense"), thrown.getMessage());
  }

  @Test
  void mergingWithoutAnOperator() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      final RocksDBException thrown =
          assertThrows(RocksDBException.class, () -> db.merge(b("k"), b("v")));
      assertEquals(Status.Code.NotSupported, thrown.getStatus().getCode());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void partitionersCutFiles(final boolean ofFamily) throws Exception {
    try (SstPartitionerFixedPrefixFactory partitioner = new SstPartitionerFixedPrefixFactory(4);
         Options options = new Options().setCreateIfMissing(true);
         ColumnFamilyOptions family =
             new ColumnFamilyOptions().setSstPartitionerFactory(partitioner);
         FlushOptions flush = new FlushOptions()) {
      if (!ofFamily) {
        options.setSstPartitionerFactory(partitioner);
      }
      try (RocksDB db = RocksDB.open(options, path())) {
        final ColumnFamilyHandle in = ofFamily
            ? db.createColumnFamily(new ColumnFamilyDescriptor(b("f"), family))
            : db.getDefaultColumnFamily();
        db.put(in, b("aaaa1"), b("A"));
        db.put(in, b("bbbb1"), b("B"));
        db.flush(flush, in);
        // A second file, so that there is something to merge.
        db.put(in, b("aaaa2"), b("A"));
        db.put(in, b("bbbb0"), b("B"));
        db.flush(flush, in);
        db.compactRange(in);
        assertEquals(2, db.getLiveFilesMetaData().size());
      }
    }
  }

  @Test
  void memoryOfDatabasesAndCaches() throws Exception {
    try (RocksDB db = RocksDB.open(path()); Cache cache = new LRUCache(1 << 20)) {
      db.put(b("k"), new byte[10_000]);
      final Map<MemoryUsageType, Long> both = MemoryUtil.getApproximateMemoryUsageByType(
          Collections.singletonList(db), Collections.singleton(cache));
      assertEquals(db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"),
          both.get(MemoryUsageType.kMemTableTotal));
      assertEquals(db.getAggregatedLongProperty("rocksdb.estimate-table-readers-mem"),
          both.get(MemoryUsageType.kTableReadersTotal));
      assertEquals(cache.getUsage(), both.get(MemoryUsageType.kCacheTotal));
      final Map<MemoryUsageType, Long> none =
          MemoryUtil.getApproximateMemoryUsageByType(null, null);
      for (final MemoryUsageType type : EnumSet.of(MemoryUsageType.kMemTableTotal,
               MemoryUsageType.kTableReadersTotal, MemoryUsageType.kCacheTotal)) {
        assertTrue(none.get(type) == null || none.get(type) == 0, type.toString());
      }
    }
  }
}
