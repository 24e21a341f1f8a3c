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
import static org.rocksdb.DatabaseTest.assertClosed;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Options that RocksDB's Java lacks and that are no plain fields: objects, sets, lists. */
class OwnOptionsTest {
  @TempDir Path folder;

  private String path(final String name) {
    return folder.resolve(name).toString();
  }

  /** The value of an option in the OPTIONS file of a new database. */
  private String written(final Options options, final String name) throws Exception {
    final String path = path("written" + options.hashCode() + name);
    RocksDB.open(options.setCreateIfMissing(true), path).close();
    final Path file =
        folder.resolve(path).resolve(OptionsUtil.getLatestOptionsFileName(path, Env.getDefault()));
    for (final String line :
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
      if (line.trim().startsWith(name + "=")) {
        return line.trim().substring(name.length() + 1);
      }
    }
    return null;
  }

  // Objects that are made by name.

  @Test
  void objectsByName() throws Exception {
    try (Options options = new Options();
         FileChecksumGenFactory checksums =
             new FileChecksumGenFactory("FileChecksumGenCrc32cFactory");
         CompressionManager codecs = new CompressionManager("BuiltinV2");
         SliceTransform prefix = new SliceTransform("fixed:4")) {
      assertNull(options.fileChecksumGenFactory());
      assertNull(options.compressionManager());
      assertNull(options.memtableInsertWithHintPrefixExtractor());
      assertSame(options, options.setFileChecksumGenFactory(checksums));
      assertSame(options, options.setCompressionManager(codecs));
      assertSame(options, options.setMemtableInsertWithHintPrefixExtractor(prefix));
      assertSame(checksums, options.fileChecksumGenFactory());
      assertSame(codecs, options.compressionManager());
      assertSame(prefix, options.memtableInsertWithHintPrefixExtractor());
      assertEquals("FileChecksumGenCrc32cFactory", checksums.getId());
      assertTrue(prefix.getId().contains("4"), prefix.getId());
      // Who uses them keeps them.
      checksums.close();
      codecs.close();
      prefix.close();
      assertEquals("FileChecksumGenCrc32cFactory", written(options, "file_checksum_gen_factory"));
      assertTrue(written(options, "compression_manager").contains("Builtin"));
      assertTrue(written(options, "memtable_insert_with_hint_prefix_extractor").contains("4"));
      options.setFileChecksumGenFactory(null).setCompressionManager(null);
      assertEquals("nullptr", written(options, "file_checksum_gen_factory"));
      assertEquals("nullptr", written(options, "compression_manager"));
    }
  }

  @Test
  void bothHalvesHaveTheObjects() throws Exception {
    try (DBOptions database = new DBOptions();
         ColumnFamilyOptions family = new ColumnFamilyOptions();
         FileChecksumGenFactory checksums =
             new FileChecksumGenFactory("FileChecksumGenCrc32cFactory");
         LRUCache cache = new LRUCache(1 << 20);
         CompressionOptions codec = new CompressionOptions().setLevel(3)) {
      database.setFileChecksumGenFactory(checksums);
      family.setBlobCache(cache).setBlobCompressionOpts(codec);
      try (Options both = new Options(database, family); Options copy = new Options(both);
           DBOptions first = new DBOptions(copy);
           ColumnFamilyOptions second = new ColumnFamilyOptions(copy)) {
        assertSame(checksums, first.fileChecksumGenFactory());
        assertSame(cache, second.blobCache());
        assertSame(codec, second.blobCompressionOpts());
        assertTrue(written(copy, "blob_compression_opts").contains("level=3;"));
        assertEquals("FileChecksumGenCrc32cFactory", written(copy, "file_checksum_gen_factory"));
      }
    }
  }

  static Stream<Executable> unknownNames() {
    return Stream.of(() -> new FileChecksumGenFactory("nonsense"),
        () -> new FlushBlockPolicyFactory("nonsense"),
        () -> new UserDefinedIndexFactory("nonsense"), () -> new CompressionManager("nonsense"),
        () -> new SliceTransform("nonsense"));
  }

  @ParameterizedTest
  @MethodSource("unknownNames")
  void namesThatNothingHas(final Executable make) {
    assertThrows(RocksDBException.class, make);
  }

  @Test
  void namesOfNothing() {
    assertThrows(IllegalArgumentException.class, () -> new CompressionManager("nullptr"));
    assertThrows(NullPointerException.class, () -> new CompressionManager(null));
  }

  @Test
  void closedObjectsAreRefused() throws Exception {
    final CompressionManager codecs = new CompressionManager("BuiltinV2");
    final UserDefinedIndexFactory index = new UserDefinedIndexFactory("trie_index");
    final AbstractInplaceCallback joined = new Joined();
    codecs.close();
    index.close();
    joined.close();
    assertClosed(codecs::getId);
    try (Options options = new Options(); ReadOptions read = new ReadOptions()) {
      assertClosed(() -> options.setCompressionManager(codecs));
      assertClosed(() -> options.setInplaceCallback(joined));
      assertClosed(() -> read.setTableIndexFactory(index));
      assertClosed(() -> options.setTableFormatConfig(
          new BlockBasedTableConfig().setUserDefinedIndexFactory(index)));
      assertNull(options.compressionManager());
    }
  }

  // Sets and flags.

  @Test
  void setsOfConstants() {
    try (Options options = new Options(); DBOptions half = new DBOptions()) {
      assertEquals(Collections.emptySet(), options.checksumHandoffFileTypes());
      assertEquals(
          EnumSet.of(CompactionStyle.LEVEL), options.calculateSstWriteLifetimeHintSet());
      options.setChecksumHandoffFileTypes(Arrays.asList(FileType.kWalFile, FileType.kBlobFile))
          .setCalculateSstWriteLifetimeHintSet(EnumSet.of(CompactionStyle.FIFO));
      assertEquals(EnumSet.of(FileType.kWalFile, FileType.kBlobFile),
          options.checksumHandoffFileTypes());
      assertEquals(EnumSet.of(CompactionStyle.FIFO), options.calculateSstWriteLifetimeHintSet());
      half.setChecksumHandoffFileTypes(EnumSet.allOf(FileType.class));
      assertEquals(EnumSet.allOf(FileType.class), half.checksumHandoffFileTypes());
      half.setChecksumHandoffFileTypes(Collections.emptyList());
      assertEquals(Collections.emptySet(), half.checksumHandoffFileTypes());
    }
  }

  @Test
  void constantsReachTheEngine() throws Exception {
    try (Options options = new Options()) {
      assertSame(CacheTier.kNonVolatileBlockTier, options.lowestUsedCacheTier());
      assertEquals(VerifyOutputFlags.kVerifyNone, options.verifyOutputFlags());
      options.setLowestUsedCacheTier(CacheTier.kVolatileTier)
          .setVerifyOutputFlags(VerifyOutputFlags.kVerifyIteration
              | VerifyOutputFlags.kEnableForLocalCompaction);
      assertEquals("kVolatileTier", written(options, "lowest_used_cache_tier"));
      assertEquals("1026", written(options, "verify_output_flags"));
      options.setVerifyOutputFlags(VerifyOutputFlags.kVerifyAll);
      assertEquals("4294967295", written(options, "verify_output_flags"));
    }
    try (CompactRangeOptions range = new CompactRangeOptions()) {
      assertSame(
          BlobGarbageCollectionPolicy.kUseDefault, range.blobGarbageCollectionPolicy());
      range.setBlobGarbageCollectionPolicy(BlobGarbageCollectionPolicy.kForce);
      assertSame(BlobGarbageCollectionPolicy.kForce, range.blobGarbageCollectionPolicy());
    }
    try (BackupEngineOptions backups = new BackupEngineOptions(folder.toString())) {
      final int naming = ShareFilesNaming.kUseDbSessionId | ShareFilesNaming.kFlagIncludeFileSize;
      assertEquals(naming, backups.shareFilesWithChecksumNaming());
      backups.setShareFilesWithChecksumNaming(ShareFilesNaming.kLegacyCrc32cAndFileSize);
      assertEquals(1, backups.shareFilesWithChecksumNaming());
    }
  }

  @Test
  void gettersWithPrefixes() {
    try (TransactionDBOptions database = new TransactionDBOptions();
         TransactionOptions options = new TransactionOptions()) {
      assertEquals(9, database.setMaxNumDeadlocks(9).getMaxNumDeadlocks());
      assertTrue(database.setRollbackMergeOperands(true).isRollbackMergeOperands());
      assertTrue(options.setSkipPrepare(true).isSkipPrepare());
      assertEquals(7, options.setDeadlockTimeoutUs(7).getDeadlockTimeoutUs());
    }
  }

  // Updates in place.

  /** Joins what is put to what is there; an empty text changes nothing, "!" is thrown. */
  private static class Joined extends AbstractInplaceCallback {
    @Override
    public byte[] update(final byte[] existingValue, final byte[] deltaValue) {
      if (deltaValue.length == 0) {
        return null;
      }
      if (s(deltaValue).equals("!")) {
        throw new IllegalStateException("no value today");
      }
      if (s(deltaValue).equals("-")) {
        return Arrays.copyOf(existingValue, existingValue.length - 1);
      }
      return existingValue == null ? deltaValue : b(s(existingValue) + s(deltaValue));
    }
  }

  /** Answers what {@link Joined} never does. */
  private static class Anothers extends AbstractInplaceCallback {
    @Override
    public byte[] update(final byte[] existingValue, final byte[] deltaValue) {
      return b("another's");
    }
  }

  private static Options inPlace(final AbstractInplaceCallback callback) {
    return new Options().setCreateIfMissing(true).setInplaceUpdateSupport(true)
        .setAllowConcurrentMemtableWrite(false).setInplaceCallback(callback);
  }

  @Test
  void updatesInPlace() throws Exception {
    try (AbstractInplaceCallback joined = new Joined(); Options options = inPlace(joined)) {
      assertSame(joined, options.inplaceCallback());
      joined.close();
      try (RocksDB db = RocksDB.open(options, path("db"))) {
        db.put(b("k"), b("a"));
        db.put(b("k"), b("bc"));
        assertEquals("abc", s(db.get(b("k"))));
        db.put(b("k"), b(""));
        assertEquals("abc", s(db.get(b("k"))));
        db.put(b("k"), b("-"));
        assertEquals("ab", s(db.get(b("k"))));
      }
      // What the log has is asked again.
      try (RocksDB db = RocksDB.open(options, path("db"))) {
        assertEquals("ab", s(db.get(b("k"))));
        assertThrows(IllegalStateException.class, () -> db.put(b("k"), b("!")));
        assertEquals("ab", s(db.get(b("k"))));
      }
    }
  }

  @Test
  void aDatabaseKeepsItsCallback() throws Exception {
    final Options options = inPlace(new Joined());
    final AbstractInplaceCallback joined = options.inplaceCallback();
    try (RocksDB db = RocksDB.open(options, path("db"))) {
      options.close();
      joined.close();
      // They do not take its place.
      for (int i = 0; i < 100; i++) {
        try (AbstractInplaceCallback other = new Anothers()) {
          db.put(b("k"), b("1"));
        }
      }
      assertEquals(100, db.get(b("k")).length);
    }
  }

  @Test
  void joinedOptionsKeepTheirCallback() throws Exception {
    final AbstractInplaceCallback joined = new Joined();
    try (Options source = inPlace(joined); AbstractInplaceCallback later = new Anothers();
         ColumnFamilyOptions family = new ColumnFamilyOptions(source);
         DBOptions database = new DBOptions(source.setInplaceCallback(later));
         Options both = new Options(database, family)) {
      assertSame(joined, both.inplaceCallback());
      for (final AutoCloseable each : new AutoCloseable[] {source, family, database, joined}) {
        each.close();
      }
      // It does not take the place.
      try (AbstractInplaceCallback other = new Anothers();
           RocksDB db = RocksDB.open(both, path("db"))) {
        db.put(b("k"), b("v"));
        assertEquals("v", s(db.get(b("k"))));
      }
    }
  }

  @Test
  void callbacksInPlaceAreCounted() {
    final List<AbstractInplaceCallback> all = new ArrayList<>();
    assertThrows(IllegalStateException.class, () -> {
      for (int i = 0; i < 65; i++) {
        all.add(new Joined());
      }
    });
    assertTrue(all.size() <= 64);
    all.forEach(AbstractInplaceCallback::close);
    new Joined().close();
  }

  // Blob files.

  /** Remembers what it is asked. */
  private static class Partitions extends AbstractBlobFilePartitionStrategy {
    final List<String> asked = new ArrayList<>();

    @Override
    public String name() {
      return "partitions";
    }

    @Override
    public int selectPartition(final int numPartitions, final int columnFamilyId,
        final byte[] key, final byte[] value) {
      if (s(key).equals("!")) {
        throw new IllegalStateException("no file today");
      }
      asked.add(numPartitions + " " + columnFamilyId + " " + s(key) + "=" + s(value));
      return -1;
    }
  }

  @Test
  void partitionsOfBlobFiles() throws Exception {
    try (Partitions partitions = new Partitions();
         Options options = new Options().setCreateIfMissing(true).setEnableBlobFiles(true)
             .setEnableBlobDirectWrite(true).setBlobDirectWritePartitions(3)
             .setAllowConcurrentMemtableWrite(false)
             .setBlobDirectWritePartitionStrategy(partitions)) {
      assertSame(partitions, options.blobDirectWritePartitionStrategy());
      partitions.close();
      try (RocksDB db = RocksDB.open(options, path("db"))) {
        db.put(b("k"), b("value"));
        assertEquals(Collections.singletonList("3 0 k=value"), partitions.asked);
        assertEquals("value", s(db.get(b("k"))));
        assertThrows(IllegalStateException.class, () -> db.put(b("!"), b("value")));
        assertNull(db.get(b("!")));
        assertEquals("value", s(db.get(b("k"))));
      }
    }
  }

  @Test
  void aCacheOfBlobs() throws Exception {
    try (LRUCache cache = new LRUCache(8 << 20);
         Options options = new Options().setCreateIfMissing(true).setEnableBlobFiles(true)
             .setBlobCache(cache);
         FlushOptions flush = new FlushOptions();
         RocksDB db = RocksDB.open(options, path("db"))) {
      db.put(b("k"), new byte[100_000]);
      db.flush(flush);
      final long before = cache.getUsage();
      assertEquals(100_000, db.get(b("k")).length);
      assertTrue(cache.getUsage() >= before + 100_000, cache.getUsage() + " bytes");
      cache.close();
      assertEquals(100_000, db.get(b("k")).length);
    }
  }

  // Compactions.

  /** Carries compactions out in the same process, or does not. */
  private class Service extends AbstractCompactionService {
    private final CompactionServiceJobStatus answer;
    final List<String> told = Collections.synchronizedList(new ArrayList<>());
    volatile byte[] input;

    Service(final CompactionServiceJobStatus answer) {
      this.answer = answer;
    }

    @Override
    public String name() {
      return "service";
    }

    @Override
    public ScheduleResponse schedule(
        final CompactionServiceJobInfo info, final byte[] compactionServiceInput) {
      input = compactionServiceInput;
      told.add("schedule " + info.getColumnFamilyName() + " " + info.isManualCompaction() + " "
          + (info.getJobId() > 0) + " " + info.getDbName().equals(path("db")));
      if (answer == null) {
        throw new IllegalStateException("no service today");
      }
      return new ScheduleResponse("job", answer == CompactionServiceJobStatus.kUseLocal
          ? answer : CompactionServiceJobStatus.kSuccess);
    }

    @Override
    public Result waitForResult(final String scheduledJobId) {
      told.add("wait " + scheduledJobId);
      if (answer != CompactionServiceJobStatus.kSuccess) {
        return new Result(answer, new byte[0]);
      }
      try (Options options = new Options()) {
        return new Result(
            answer, RocksDB.openAndCompact(options, path("db"), path("output"), input));
      } catch (final RocksDBException e) {
        told.add(e.toString());
        return new Result(CompactionServiceJobStatus.kFailure, new byte[0]);
      }
    }

    @Override
    public void onInstallation(
        final String scheduledJobId, final CompactionServiceJobStatus status) {
      told.add("installed " + scheduledJobId + " " + status);
    }
  }

  private List<String> compactedBy(final Service service, final boolean works) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true)
             .setCompactionService(service);
         FlushOptions flush = new FlushOptions()) {
      assertSame(service, options.compactionService());
      service.close();
      try (RocksDB db = RocksDB.open(options, path("db"))) {
        for (int i = 0; i < 2; i++) {
          db.put(b("a"), b("a" + i));
          db.put(b("z"), b("z" + i));
          db.flush(flush);
        }
        if (works) {
          db.compactRange();
          assertEquals("0", db.getProperty("rocksdb.num-files-at-level0"));
        } else {
          final RocksDBException failed =
              assertThrows(RocksDBException.class, () -> db.compactRange());
          assertSame(Status.Code.Incomplete, failed.getStatus().getCode());
          assertEquals("2", db.getProperty("rocksdb.num-files-at-level0"));
        }
        assertEquals("a1", s(db.get(b("a"))));
        db.put(b("b"), b("b"));
      }
    }
    return service.told;
  }

  @Test
  void compactionsElsewhere() throws Exception {
    assertEquals(Arrays.asList("schedule default true true true", "wait job",
                     "installed job kSuccess"),
        compactedBy(new Service(CompactionServiceJobStatus.kSuccess), true));
  }

  @Test
  void compactionsThatStayHere() throws Exception {
    assertEquals(Collections.singletonList("schedule default true true true"),
        compactedBy(new Service(CompactionServiceJobStatus.kUseLocal), true));
  }

  @Test
  void servicesThatFail() throws Exception {
    final List<String> told =
        compactedBy(new Service(CompactionServiceJobStatus.kFailure), false);
    assertEquals("wait job", told.get(1));
  }

  @Test
  void servicesThatThrow() throws Exception {
    assertEquals("schedule default true true true", compactedBy(new Service(null), false).get(0));
  }

  private static Thread run(final Executable work) {
    final Thread thread = new Thread(() -> {
      try {
        work.execute();
      } catch (final Throwable e) {
        // A compaction that is given up.
      }
    });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void aCloseEndsTheWaitOfACall() throws Exception {
    final CountDownLatch waits = new CountDownLatch(1);
    final CountDownLatch canceled = new CountDownLatch(1);
    try (Service service = new Service(CompactionServiceJobStatus.kAborted) {
           @Override
           public Result waitForResult(final String scheduledJobId) {
             waits.countDown();
             try {
               canceled.await();
             } catch (final InterruptedException e) {
               throw new IllegalStateException(e);
             }
             return super.waitForResult(scheduledJobId);
           }

           @Override
           public void cancelAwaitingJobs() {
             canceled.countDown();
           }
         };
         Options options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true)
             .setCompactionService(service);
         FlushOptions flush = new FlushOptions();
         RocksDB db = RocksDB.open(options, path("db"))) {
      for (int i = 0; i < 2; i++) {
        db.put(b("a"), b("a" + i));
        db.put(b("z"), b("z" + i));
        db.flush(flush);
      }
      final Thread compacts = run(db::compactRange);
      assertTrue(waits.await(10, TimeUnit.MINUTES));
      final Thread closes = run(db::close);
      closes.join(600_000);
      final boolean isClosed = !closes.isAlive();
      canceled.countDown();
      compacts.join();
      closes.join();
      assertTrue(isClosed, "the close waits for the call, and that for the service");
    }
  }

  @Test
  void workersWithoutAnInput() throws Exception {
    RocksDB.open(path("db")).close();
    try (Options options = new Options()) {
      assertThrows(RocksDBException.class,
          () -> RocksDB.openAndCompact(options, path("db"), path("output"), b("nonsense")));
      assertThrows(NullPointerException.class,
          () -> RocksDB.openAndCompact(options, path("db"), path("output"), null));
    }
  }

  @Test
  void compactionsOfFilesAreCanceled() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
         FlushOptions flush = new FlushOptions();
         CompactionOptions how = new CompactionOptions();
         RocksDB db = RocksDB.open(options, path("db"))) {
      for (int i = 0; i < 2; i++) {
        db.put(b("k"), b("v" + i));
        db.flush(flush);
      }
      final List<String> files = new ArrayList<>();
      for (final LiveFileMetaData file : db.getLiveFilesMetaData()) {
        files.add(file.fileName());
      }
      assertFalse(how.canceled());
      assertSame(how, how.setCanceled(true));
      assertTrue(how.canceled());
      final RocksDBException stopped = assertThrows(
          RocksDBException.class, () -> db.compactFiles(how, files, 1, -1, null));
      assertSame(Status.Code.Incomplete, stopped.getStatus().getCode());
      assertEquals("2", db.getProperty("rocksdb.num-files-at-level0"));
      how.setCanceled(false);
      assertEquals(1, db.compactFiles(how, files, 1, -1, null).size());
    }
  }

  @Test
  void agesOfTemperatures() throws Exception {
    try (CompactionOptionsFIFO fifo = new CompactionOptionsFIFO()) {
      assertEquals(Collections.emptyList(), fifo.fileTemperatureAgeThresholds());
      final List<FileTemperatureAge> ages =
          Arrays.asList(new FileTemperatureAge(Temperature.WARM, 60),
              new FileTemperatureAge(Temperature.COLD, 1L << 40));
      assertSame(fifo, fifo.setFileTemperatureAgeThresholds(ages));
      assertEquals(ages, fifo.fileTemperatureAgeThresholds());
      assertSame(Temperature.COLD, fifo.fileTemperatureAgeThresholds().get(1).temperature());
      try (Options options = new Options().setCompactionStyle(CompactionStyle.FIFO)
               .setCompactionOptionsFIFO(fifo)) {
        final String text = written(options, "compaction_options_fifo");
        assertTrue(text.contains("kWarm") && text.contains("age=60"), text);
      }
    }
  }

  // Tables.

  @Test
  void tablesOfBlocks() throws Exception {
    final MetadataCacheOptions metadata = new MetadataCacheOptions()
        .setTopLevelIndexPinning(PinningTier.kAll).setPartitionPinning(PinningTier.kNone)
        .setUnpartitionedPinning(PinningTier.kFlushedAndSimilar);
    final BlockBasedTableConfig config = new BlockBasedTableConfig();
    assertNull(config.flushBlockPolicyFactory());
    assertNull(config.userDefinedIndexFactory());
    assertSame(PrepopulateBlockCache.kDisable, config.prepopulateBlockCache());
    assertSame(PinningTier.kFallback, config.metadataCacheOptions().partitionPinning());
    try (FlushBlockPolicyFactory policy =
             new FlushBlockPolicyFactory("FlushBlockEveryKeyPolicyFactory");
         UserDefinedIndexFactory index = new UserDefinedIndexFactory("trie_index");
         Options options = new Options()) {
      config.setFlushBlockPolicyFactory(policy).setUserDefinedIndexFactory(index)
          .setMetadataCacheOptions(metadata)
          .setPrepopulateBlockCache(PrepopulateBlockCache.kFlushAndCompaction);
      assertSame(policy, config.flushBlockPolicyFactory());
      assertSame(index, config.userDefinedIndexFactory());
      assertSame(metadata, config.metadataCacheOptions());
      options.setTableFormatConfig(config);
    }
    try (Options options = new Options().setCreateIfMissing(true);
         FlushBlockPolicyFactory policy =
             new FlushBlockPolicyFactory("FlushBlockEveryKeyPolicyFactory");
         UserDefinedIndexFactory index = new UserDefinedIndexFactory("trie_index");
         ConfigOptions how = new ConfigOptions(); DBOptions loaded = new DBOptions();
         FlushOptions flush = new FlushOptions(); ReadOptions read = new ReadOptions()) {
      options.setTableFormatConfig(
          config.setFlushBlockPolicyFactory(policy).setUserDefinedIndexFactory(index));
      policy.close();
      index.close();
      assertTrue(written(options, "flush_block_policy_factory").contains("EveryKey"));
      assertTrue(written(options, "user_defined_index_factory").contains("trie_index"));
      assertEquals("kFlushAndCompaction", written(options, "prepopulate_block_cache"));
      final String pinned = written(options, "metadata_cache_options");
      assertTrue(pinned.contains("top_level_index_pinning=kAll")
          && pinned.contains("partition_pinning=kNone")
          && pinned.contains("unpartitioned_pinning=kFlushedAndSimilar"), pinned);
      try (RocksDB db = RocksDB.open(options, path("db"));
           UserDefinedIndexFactory trie = new UserDefinedIndexFactory("trie_index")) {
        for (int i = 0; i < 10; i++) {
          db.put(b("k" + i), b("v" + i));
        }
        db.flush(flush);
        assertNull(read.tableIndexFactory());
        assertSame(trie, read.setTableIndexFactory(trie).tableIndexFactory());
        try (ReadOptions copy = new ReadOptions(read);
             RocksIterator it = db.newIterator(read)) {
          trie.close();
          read.close();
          assertSame(trie, copy.tableIndexFactory());
          assertEquals("v7", s(db.get(copy, b("k7"))));
          it.seek(b("k3"));
          assertEquals("v3", s(it.value()));
        }
        assertEquals(10, db.getPropertiesOfAllTables().values().iterator().next()
            .getNumDataBlocks());
      }
      // What was written is read back.
      final List<ColumnFamilyDescriptor> families = new ArrayList<>();
      OptionsUtil.loadLatestOptions(how, path("db"), loaded, families);
      final BlockBasedTableConfig again =
          (BlockBasedTableConfig) families.get(0).getOptions().tableFormatConfig();
      assertTrue(again.flushBlockPolicyFactory().getId().contains("EveryKey"));
      assertTrue(again.userDefinedIndexFactory().getId().contains("trie_index"));
      assertSame(PinningTier.kAll, again.metadataCacheOptions().topLevelIndexPinning());
      assertSame(PrepopulateBlockCache.kFlushAndCompaction, again.prepopulateBlockCache());
      families.get(0).getOptions().close();
    }
  }

  @Test
  void memoryThatIsCharged() throws Exception {
    final Map<CacheEntryRole, CacheUsageOptions.Decision> roles = Collections.singletonMap(
        CacheEntryRole.kFileMetadata, CacheUsageOptions.Decision.kEnabled);
    final CacheUsageOptions usage = new CacheUsageOptions();
    assertSame(CacheUsageOptions.Decision.kFallback, usage.options());
    assertEquals(Collections.emptyMap(), usage.optionsOverrides());
    assertSame(usage, usage.setOptionsOverrides(roles));
    assertEquals(roles, usage.optionsOverrides());
    try (LRUCache cache = new LRUCache(8 << 20);
         Options options = new Options().setCreateIfMissing(true)) {
      final BlockBasedTableConfig config =
          new BlockBasedTableConfig().setBlockCache(cache).setCacheUsageOptions(usage);
      assertSame(usage, config.cacheUsageOptions());
      options.setTableFormatConfig(config);
      RocksDB.open(options, path("db")).close();
      // That role cannot be charged, as the engine says.
      usage.setOptionsOverrides(Collections.singletonMap(
          CacheEntryRole.kDataBlock, CacheUsageOptions.Decision.kEnabled));
      options.setTableFormatConfig(config);
      final RocksDBException refused =
          assertThrows(RocksDBException.class, () -> RocksDB.open(options, path("db")).close());
      assertSame(Status.Code.NotSupported, refused.getStatus().getCode());
    }
  }

  // Reads and writes.

  @Test
  void partsOfReads() throws Exception {
    try (ReadOptions read = new ReadOptions(); RocksDB db = RocksDB.open(path("db"))) {
      assertNull(read.requestId());
      assertEquals(-1, read.mergeOperandCountThreshold());
      assertSame(IOPriority.IO_TOTAL, read.rateLimiterPriority());
      assertSame(IOActivity.kUnknown, read.ioActivity());
      read.setRequestId("request \u00e9").setMergeOperandCountThreshold(0)
          .setRateLimiterPriority(IOPriority.IO_USER)
          .setIoActivity(IOActivity.kCustomIOActivity80);
      try (ReadOptions copy = new ReadOptions(read)) {
        read.setRequestId(null).setMergeOperandCountThreshold(-1);
        assertNull(read.requestId());
        assertEquals(-1, read.mergeOperandCountThreshold());
        assertEquals("request \u00e9", copy.requestId());
        assertEquals(0, copy.mergeOperandCountThreshold());
        assertSame(IOPriority.IO_USER, copy.rateLimiterPriority());
        assertSame(IOActivity.kCustomIOActivity80, copy.ioActivity());
        db.put(b("k"), b("v"));
        assertEquals("v", s(db.get(copy, b("k"))));
      }
    }
  }

  @Test
  void prioritiesOfWrites() throws Exception {
    try (WriteOptions write = new WriteOptions(); RocksDB db = RocksDB.open(path("db"))) {
      assertSame(IOPriority.IO_TOTAL, write.rateLimiterPriority());
      db.put(write.setRateLimiterPriority(IOPriority.IO_USER), b("k"), b("v"));
      // The engine takes no others.
      write.setRateLimiterPriority(IOPriority.IO_LOW);
      final RocksDBException refused =
          assertThrows(RocksDBException.class, () -> db.put(write, b("k"), b("w")));
      assertSame(Status.Code.InvalidArgument, refused.getStatus().getCode());
    }
  }

  @Test
  void howOptionsAreRead() {
    try (ConfigOptions how = new ConfigOptions(); RocksMemEnv env = new RocksMemEnv(
             Env.getDefault())) {
      assertEquals(";", how.delimiter());
      assertFalse(how.ignoreUnknownOptions());
      assertTrue(how.inputStringsEscaped());
      assertSame(SanityLevel.EXACT_MATCH, how.sanityLevel());
      assertSame(ConfigOptions.Depth.kDepthDefault, how.depth());
      assertSame(Env.getDefault(), how.getEnv());
      assertSame(env, how.setEnv(env).getEnv());
      how.setDelimiter(",").setIgnoreUnknownOptions(true).setInputStringsEscaped(false)
          .setSanityLevel(SanityLevel.NONE).setDepth(ConfigOptions.Depth.kDepthShallow);
      assertEquals(",", how.delimiter());
      assertTrue(how.ignoreUnknownOptions());
      assertFalse(how.inputStringsEscaped());
      assertSame(SanityLevel.NONE, how.sanityLevel());
      assertSame(ConfigOptions.Depth.kDepthShallow, how.depth());
    }
  }

  // Backups.

  private BackupEngine engine(final String name) throws Exception {
    Files.createDirectories(folder.resolve(name));
    try (BackupEngineOptions options = new BackupEngineOptions(path(name))) {
      return BackupEngine.open(Env.getDefault(), options);
    }
  }

  @Test
  void restores() throws Exception {
    try (RestoreOptions restore = new RestoreOptions(false);
         BackupEngine one = engine("one"); BackupEngine other = engine("other")) {
      assertSame(RestoreOptions.Mode.kPurgeAllFiles, restore.mode());
      for (final RestoreOptions.Mode mode : RestoreOptions.Mode.values()) {
        assertSame(mode, restore.setMode(mode).mode());
      }
      assertEquals(Collections.emptyList(), restore.alternateDirs());
      assertSame(restore, restore.setAlternateDirs(Arrays.asList(one, other)));
      assertEquals(Arrays.asList(one, other), restore.alternateDirs());
      try (RocksDB db = RocksDB.open(path("db"))) {
        db.put(b("k"), b("v"));
        one.createNewBackup(db, true);
      }
      // The options keep it.
      other.close();
      one.restoreDbFromLatestBackup(
          path("db"), path("db"), restore.setMode(RestoreOptions.Mode.kVerifyChecksum));
      try (RocksDB db = RocksDB.open(path("db"))) {
        assertArrayEquals(b("v"), db.get(b("k")));
      }
      assertClosed(() -> restore.setAlternateDirs(Collections.singletonList(other)));
    }
  }

  @Test
  void nothingIsLeft() throws Exception {
    final long before = Handles.liveObjects();
    for (int i = 0; i < 10; i++) {
      try (Options options = new Options(); Joined joined = new Joined();
           Partitions partitions = new Partitions();
           Service service = new Service(CompactionServiceJobStatus.kUseLocal);
           CompressionManager codecs = new CompressionManager("BuiltinV2");
           UserDefinedIndexFactory index = new UserDefinedIndexFactory("trie_index");
           ReadOptions read = new ReadOptions().setTableIndexFactory(index)) {
        options.setInplaceCallback(joined).setBlobDirectWritePartitionStrategy(partitions)
            .setCompactionService(service).setCompressionManager(codecs)
            .setTableFormatConfig(
                new BlockBasedTableConfig().setUserDefinedIndexFactory(index));
        assertNotNull(read.tableIndexFactory());
      }
    }
    assertTrue(Handles.liveObjects() <= before, Handles.liveObjects() + " objects are left");
  }
}
