package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.s;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine makes of settings of tables and memtables, as its OPTIONS file tells. */
class TableConfigTest {
  @TempDir Path folder;

  private String path() {
    return folder.resolve("db").toString();
  }

  /** The lines of the OPTIONS file of a database with such options. */
  private List<String> optionsFile(final Options options) throws Exception {
    RocksDB.open(options.setCreateIfMissing(true), path()).close();
    final String name = OptionsUtil.getLatestOptionsFileName(path(), Env.getDefault());
    final List<String> lines = new ArrayList<>();
    for (final String line : new String(
             Files.readAllBytes(folder.resolve("db").resolve(name)), StandardCharsets.UTF_8)
             .split("\n")) {
      lines.add(line.trim());
    }
    return lines;
  }

  private static Arguments block(
      final String expected, final Consumer<BlockBasedTableConfig> setter) {
    return Arguments.of(expected, setter);
  }

  static Stream<Arguments> blockBased() {
    return Stream.of(
        block("cache_index_and_filter_blocks=true", c -> c.setCacheIndexAndFilterBlocks(true)),
        block("cache_index_and_filter_blocks_with_high_priority=false",
            c -> c.setCacheIndexAndFilterBlocksWithHighPriority(false)),
        block("pin_l0_filter_and_index_blocks_in_cache=true",
            c -> c.setPinL0FilterAndIndexBlocksInCache(true)),
        block("pin_top_level_index_and_filter=false", c -> c.setPinTopLevelIndexAndFilter(false)),
        block("index_type=kTwoLevelIndexSearch",
            c -> c.setIndexType(IndexType.kTwoLevelIndexSearch)),
        block("index_type=kBinarySearch", c -> c.setIndexType(IndexType.kBinarySearch)),
        block("data_block_index_type=kDataBlockBinaryAndHash",
            c -> c.setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)),
        block("data_block_hash_table_util_ratio=0.500000",
            c -> c.setDataBlockHashTableUtilRatio(0.5)),
        block("checksum=kCRC32c", c -> c.setChecksumType(ChecksumType.kCRC32c)),
        block("checksum=kNoChecksum", c -> c.setChecksumType(ChecksumType.kNoChecksum)),
        block("checksum=kxxHash", c -> c.setChecksumType(ChecksumType.kxxHash)),
        block("checksum=kxxHash64", c -> c.setChecksumType(ChecksumType.kxxHash64)),
        block("checksum=kXXH3", c -> c.setChecksumType(ChecksumType.kXXH3)),
        block("no_block_cache=true", c -> c.setNoBlockCache(true)),
        block("block_size=8192", c -> c.setBlockSize(8_192)),
        block("block_size_deviation=17", c -> c.setBlockSizeDeviation(17)),
        block("block_restart_interval=5", c -> c.setBlockRestartInterval(5)),
        block("index_block_restart_interval=3", c -> c.setIndexBlockRestartInterval(3)),
        block("metadata_block_size=2048", c -> c.setMetadataBlockSize(2_048)),
        block("optimize_filters_for_memory=false", c -> c.setOptimizeFiltersForMemory(false)),
        block("use_delta_encoding=false", c -> c.setUseDeltaEncoding(false)),
        block("whole_key_filtering=false", c -> c.setWholeKeyFiltering(false)),
        block("verify_compression=true", c -> c.setVerifyCompression(true)),
        block("read_amp_bytes_per_bit=32", c -> c.setReadAmpBytesPerBit(32)),
        block("format_version=5", c -> c.setFormatVersion(5)),
        block("enable_index_compression=false", c -> c.setEnableIndexCompression(false)),
        block("index_shortening=kNoShortening",
            c -> c.setIndexShortening(IndexShorteningMode.kNoShortening)),
        block("index_shortening=kShortenSeparatorsAndSuccessor",
            c -> c.setIndexShortening(IndexShorteningMode.kShortenSeparatorsAndSuccessor)),
        block("max_auto_readahead_size=4096", c -> c.setMaxAutoReadaheadSize(4_096)),
        block("initial_auto_readahead_size=2048", c -> c.setInitialAutoReadaheadSize(2_048)),
        block("num_file_reads_for_auto_readahead=5", c -> c.setNumFileReadsForAutoReadahead(5)),
        block("decouple_partitioned_filters=false", c -> c.setDecouplePartitionedFilters(false)),
        block("detect_filter_construct_corruption=true",
            c -> c.setDetectFilterConstructCorruption(true)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("blockBased")
  void settingsReachTheEngine(final String expected, final Consumer<BlockBasedTableConfig> setter)
      throws Exception {
    final BlockBasedTableConfig config = new BlockBasedTableConfig();
    setter.accept(config);
    try (Options options = new Options().setTableFormatConfig(config)) {
      assertSame(config, options.tableFormatConfig());
      assertEquals("BlockBasedTable", options.tableFactoryName());
      final List<String> lines = optionsFile(options);
      assertTrue(lines.contains(expected),
          lines.stream().filter(l -> l.startsWith(expected.replaceAll("=.*", "="))).findAny()
              .orElse("nothing") + " instead of " + expected);
    }
  }

  @ParameterizedTest
  @MethodSource("blockBased")
  void settingsAreReadBack(final String expected, final Consumer<BlockBasedTableConfig> setter)
      throws Exception {
    final BlockBasedTableConfig config = new BlockBasedTableConfig();
    setter.accept(config);
    try (Options options = new Options().setTableFormatConfig(config);
         ConfigOptions how = new ConfigOptions(); DBOptions loaded = new DBOptions()) {
      final List<String> written = optionsFile(options);
      final List<ColumnFamilyDescriptor> families = new ArrayList<>();
      OptionsUtil.loadLatestOptions(how, path(), loaded, families);
      try (ColumnFamilyOptions family = families.get(0).getOptions();
           Options again = new Options(loaded, family)) {
        assertTrue(family.tableFormatConfig() instanceof BlockBasedTableConfig);
        RocksDB.destroyDB(path(), again);
        again.setTableFormatConfig(family.tableFormatConfig());
        final List<String> rewritten = optionsFile(again);
        final String name = expected.replaceAll("=.*", "=");
        assertEquals(line(written, name), line(rewritten, name));
      }
    }
  }

  private static String line(final List<String> lines, final String beginning) {
    return lines.stream().filter(l -> l.startsWith(beginning)).findFirst().orElse("nothing");
  }

  @Test
  void laterChangesHaveNoEffect() throws Exception {
    final BlockBasedTableConfig config = new BlockBasedTableConfig().setBlockSize(1_024);
    try (Options options = new Options().setTableFormatConfig(config)) {
      config.setBlockSize(2_048);
      assertTrue(optionsFile(options).contains("block_size=1024"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, -100})
  void versionsBelowTheFirst(final int version) {
    assertThrows(
        AssertionError.class, () -> new BlockBasedTableConfig().setFormatVersion(version));
  }

  @Test
  void versionsThatDoNotExist() {
    final BlockBasedTableConfig config = new BlockBasedTableConfig().setFormatVersion(99_999);
    try (Options options = new Options().setCreateIfMissing(true).setTableFormatConfig(config)) {
      assertThrows(RocksDBException.class, () -> RocksDB.open(options, path()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7})
  void versionsThatDo(final int version) throws Exception {
    final BlockBasedTableConfig config = new BlockBasedTableConfig().setFormatVersion(version);
    try (Options options = new Options().setCreateIfMissing(true).setTableFormatConfig(config);
         FlushOptions flush = new FlushOptions(); RocksDB db = RocksDB.open(options, path())) {
      db.put(b("k"), b("v"));
      db.flush(flush);
      assertEquals("v", s(db.get(b("k"))));
      assertEquals(version,
          db.getPropertiesOfAllTables().values().iterator().next().getFormatVersion());
    }
  }

  @Test
  void deprecatedSettings() {
    final BlockBasedTableConfig config = new BlockBasedTableConfig();
    assertTrue(config.hashIndexAllowCollision());
    assertTrue(config.setHashIndexAllowCollision(false).hashIndexAllowCollision());
    assertEquals(8 << 20, config.blockCacheSize());
    assertEquals(5, config.setBlockCacheSize(5).blockCacheSize());
    assertEquals(3, config.setCacheNumShardBits(3).cacheNumShardBits());
    try (BloomFilter filter = new BloomFilter()) {
      assertSame(filter, config.setFilter(filter).filterPolicy());
      assertNull(config.setFilterPolicy(null).filterPolicy());
    }
  }

  @Test
  void oneCacheForMany() throws Exception {
    try (LRUCache cache = new LRUCache(8 << 20); Statistics statistics = new Statistics();
         Options options = new Options().setCreateIfMissing(true).setStatistics(statistics);
         FlushOptions flush = new FlushOptions()) {
      options.setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
      final List<RocksDB> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(RocksDB.open(options, folder.resolve("db" + i).toString()));
        all.get(i).put(b("k"), new byte[1_000]);
        all.get(i).flush(flush);
        assertNotNull(all.get(i).get(b("k")));
      }
      assertTrue(cache.getUsage() >= 4_000, cache.getUsage() + " bytes");
      assertEquals(4, statistics.getTickerCount(TickerType.BLOCK_CACHE_DATA_ADD));
      all.forEach(RocksDB::close);
    }
  }

  static Stream<Arguments> memTables() {
    return Stream.of(Arguments.of("SkipListFactory", new SkipListMemTableConfig()),
        Arguments.of("VectorRepFactory", new VectorMemTableConfig()),
        Arguments.of("HashSkipListRepFactory", new HashSkipListMemTableConfig()),
        Arguments.of("HashLinkListRepFactory", new HashLinkedListMemTableConfig()));
  }

  @ParameterizedTest
  @MethodSource("memTables")
  void memTablesOfAllKinds(final String name, final MemTableConfig config) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true).setMemTableConfig(config)) {
      options.setAllowConcurrentMemtableWrite(false);
      options.useFixedLengthPrefixExtractor(1);
      assertSame(config, options.memTableConfig());
      final String found = options.memTableFactoryName();
      assertEquals(name.replace("LinkList", ""), found.replaceAll("Link(ed)?List", ""));
      try (RocksDB db = RocksDB.open(options, path()); FlushOptions flush = new FlushOptions();
           ReadOptions read = new ReadOptions().setTotalOrderSeek(true)) {
        for (final String key : new String[] {"b1", "a2", "a1"}) {
          db.put(b(key), b(key));
        }
        assertEquals("a2", s(db.get(b("a2"))));
        db.flush(flush);
        try (RocksIterator it = db.newIterator(read)) {
          it.seekToFirst();
          assertEquals("a1", s(it.key()));
        }
      }
    }
  }

  @Test
  void defaultsOfMemTables() {
    final HashSkipListMemTableConfig skip = new HashSkipListMemTableConfig();
    assertEquals(1_000_000, skip.bucketCount());
    assertEquals(4, skip.height());
    assertEquals(4, skip.branchingFactor());
    final HashLinkedListMemTableConfig linked = new HashLinkedListMemTableConfig();
    assertEquals(50_000, linked.bucketCount());
    assertEquals(0, linked.hugePageTlbSize());
    assertEquals(4_096, linked.bucketEntriesLoggingThreshold());
    assertTrue(linked.ifLogBucketDistWhenFlush());
    assertEquals(256, linked.thresholdUseSkiplist());
    assertEquals(0, new VectorMemTableConfig().reservedSize());
    assertThrows(IllegalArgumentException.class,
        () -> {
          try (Options options = new Options()) {
            options.setMemTableConfig(new HashSkipListMemTableConfig().setBucketCount(-1));
          }
        });
  }

  @Test
  void plainTables() throws Exception {
    final PlainTableConfig config = new PlainTableConfig();
    assertEquals(0, config.keySize());
    assertEquals(10, config.bloomBitsPerKey());
    assertEquals(0.75, config.hashTableRatio());
    assertEquals(16, config.indexSparseness());
    assertEquals(0, config.hugePageTlbSize());
    assertSame(EncodingType.kPlain, config.encodingType());
    assertFalse(config.fullScanMode());
    assertFalse(config.storeIndexInFile());
    try (Options options = new Options().setTableFormatConfig(config)) {
      assertEquals("PlainTable", options.tableFactoryName());
      assertSame(config, options.tableFormatConfig());
    }
  }

  // From text.

  @ParameterizedTest
  @CsvSource({"write_buffer_size,112", "min_write_buffer_number_to_merge,10",
      "target_file_size_base,100", "num_levels,3", "compression,kZSTD",
      "disable_auto_compactions,true", "compaction_style,kCompactionStyleUniversal"})
  void familiesFromProperties(final String name, final String value) {
    final Properties properties = new Properties();
    properties.put(name, value);
    try (ColumnFamilyOptions options =
             ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties)) {
      assertNotNull(options);
    }
    properties.put("no_such_option", "1");
    assertNull(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
    try (ConfigOptions lenient = new ConfigOptions().setIgnoreUnknownOptions(true);
         ColumnFamilyOptions options =
             ColumnFamilyOptions.getColumnFamilyOptionsFromProps(lenient, properties)) {
      assertNotNull(options);
    }
    properties.remove("no_such_option");
    properties.put(name, "no such value");
    assertNull(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
  }

  @ParameterizedTest
  @CsvSource({"allow_mmap_reads,true", "bytes_per_sync,13", "max_open_files,19",
      "use_direct_io_for_compaction_reads,true", "wal_recovery_mode,kAbsoluteConsistency",
      "create_if_missing,true"})
  void databasesFromProperties(final String name, final String value) {
    final Properties properties = new Properties();
    properties.put(name, value);
    try (DBOptions options = DBOptions.getDBOptionsFromProps(properties)) {
      assertNotNull(options);
    }
    properties.put("no_such_option", "1");
    assertNull(DBOptions.getDBOptionsFromProps(properties));
    try (ConfigOptions lenient = new ConfigOptions().setIgnoreUnknownOptions(true);
         DBOptions options = DBOptions.getDBOptionsFromProps(lenient, properties)) {
      assertNotNull(options);
    }
  }

  // Presets.

  static Stream<Arguments> presets() {
    return Stream.of(
        Arguments.of("optimizeForSmallDb",
            (Consumer<Options>) Options::optimizeForSmallDb),
        Arguments.of("optimizeForPointLookup",
            (Consumer<Options>) o -> o.optimizeForPointLookup(8)),
        Arguments.of("optimizeLevelStyleCompaction",
            (Consumer<Options>) Options::optimizeLevelStyleCompaction),
        Arguments.of("optimizeLevelStyleCompaction(budget)",
            (Consumer<Options>) o -> o.optimizeLevelStyleCompaction(400 << 20)),
        Arguments.of("optimizeUniversalStyleCompaction",
            (Consumer<Options>) Options::optimizeUniversalStyleCompaction),
        Arguments.of("optimizeUniversalStyleCompaction(budget)",
            (Consumer<Options>) o -> o.optimizeUniversalStyleCompaction(400 << 20)),
        Arguments.of("prepareForBulkLoad", (Consumer<Options>) Options::prepareForBulkLoad),
        Arguments.of("setIncreaseParallelism",
            (Consumer<Options>) o -> o.setIncreaseParallelism(4)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("presets")
  void presetsOpen(final String name, final Consumer<Options> preset) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true)) {
      preset.accept(options);
      try (RocksDB db = RocksDB.open(options, path())) {
        db.put(b("k"), b("v"));
        assertEquals("v", s(db.get(b("k"))));
      }
    }
  }

  @Test
  void oldDefaults() {
    try (ColumnFamilyOptions options = new ColumnFamilyOptions().oldDefaults(4, 6)) {
      assertEquals(4 << 20, options.writeBufferSize());
      assertSame(CompactionPriority.ByCompensatedSize, options.compactionPriority());
      assertEquals(2 << 20, options.targetFileSizeBase());
      assertEquals(10 << 20, options.maxBytesForLevelBase());
      assertEquals(0, options.softPendingCompactionBytesLimit());
      assertEquals(0, options.hardPendingCompactionBytesLimit());
      assertEquals(24, options.level0StopWritesTrigger());
    }
  }
}
