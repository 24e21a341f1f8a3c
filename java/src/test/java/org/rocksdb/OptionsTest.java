package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Options: their defaults, copies, paths, and their text. */
class OptionsTest {
  @Test
  void defaultsAreTheEngines() {
    try (Options options = new Options(); ReadOptions read = new ReadOptions()) {
      assertEquals(64 << 20, options.writeBufferSize());
      assertEquals(2, options.maxWriteBufferNumber());
      assertEquals(-1, options.maxOpenFiles());
      assertEquals(InfoLogLevel.INFO_LEVEL, options.infoLogLevel());
      assertEquals(-2, options.ttl());
      assertTrue(read.verifyChecksums() && read.fillCache());
      assertEquals("BlockBasedTable", options.tableFactoryName());
      assertEquals("SkipListFactory", options.memTableFactoryName());
    }
  }

  @Test
  void copiesAndHalves() {
    try (DBOptions db = new DBOptions().setMaxOpenFiles(17);
         ColumnFamilyOptions family = new ColumnFamilyOptions().setNumLevels(3)) {
      final BlockBasedTableConfig table = new BlockBasedTableConfig().setBlockSize(8192);
      family.setTableFormatConfig(table);
      try (Options both = new Options(db, family); Options copy = new Options(both);
           DBOptions database = new DBOptions(both);
           ColumnFamilyOptions half = new ColumnFamilyOptions(copy)) {
        assertEquals(17, both.maxOpenFiles());
        assertEquals(17, database.maxOpenFiles());
        assertEquals(3, half.numLevels());
        assertSame(table, half.tableFormatConfig());
        assertSame(Env.getDefault(), copy.getEnv());
      }
    }
  }

  @Test
  void listsAndPaths() {
    try (Options options = new Options()) {
      assertTrue(options.dbPaths().isEmpty());
      final List<DbPath> paths = Arrays.asList(
          new DbPath(Paths.get("/a"), 1), new DbPath(Paths.get("/b/\ud83d\ude00"), 1L << 40));
      options.setDbPaths(paths).setCfPaths(paths);
      assertEquals(paths, options.dbPaths());
      assertEquals(paths, options.cfPaths());
      final List<CompressionType> levels = Arrays.asList(
          CompressionType.NO_COMPRESSION, CompressionType.DISABLE_COMPRESSION_OPTION);
      options.setCompressionPerLevel(levels);
      assertEquals(levels, options.compressionPerLevel());
      options.setMaxBytesForLevelMultiplierAdditional(new int[] {3, 4});
      assertEquals(4, options.maxBytesForLevelMultiplierAdditional()[1]);
      assertNull(options.statistics());
      try (Statistics statistics = new Statistics()) {
        options.setStatistics(statistics);
        assertNotNull(options.statistics());
      }
    }
  }

  @Test
  void propertiesBecomeOptions() {
    final Properties properties = new Properties();
    properties.put("write_buffer_size", "112");
    try (ColumnFamilyOptions options =
             ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties)) {
      assertEquals(112, options.writeBufferSize());
    }
    properties.put("nonsense", "1");
    assertNull(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
    assertThrows(IllegalArgumentException.class,
        () -> DBOptions.getDBOptionsFromProps(new Properties()));
  }

  @Test
  void textOfMutableOptions() {
    final MutableColumnFamilyOptions options = MutableColumnFamilyOptions.builder()
        .setWriteBufferSize(10).setInplaceUpdateNumLocks(5)
        .setCompressionType(CompressionType.ZSTD_COMPRESSION)
        .setMaxBytesForLevelMultiplierAdditional(new int[] {2, 3}).build();
    final String text = "write_buffer_size=10;inplace_update_num_locks=5;compression=kZSTD;"
        + "max_bytes_for_level_multiplier_additional=2:3";
    assertEquals(text, options.toString());
    assertEquals(text, MutableColumnFamilyOptions.parse(text).build().toString());
    final MutableColumnFamilyOptions.MutableColumnFamilyOptionsBuilder parsed =
        MutableColumnFamilyOptions.parse(
            "unknown={a={b=1;};c=2}; write_buffer_size=3.0; ttl=18446744073709551614;", true);
    assertEquals(3, parsed.writeBufferSize());
    assertEquals(-2, parsed.ttl());
    assertEquals(1, parsed.getUnknown().size());
    assertThrows(IllegalArgumentException.class,
        () -> MutableColumnFamilyOptions.parse("write_buffer_size=1.5"));
    assertThrows(IllegalArgumentException.class,
        () -> MutableColumnFamilyOptions.parse("nonsense=1"));
    assertThrows(OptionString.Parser.Exception.class,
        () -> MutableColumnFamilyOptions.parse("write_buffer_size"));
    assertThrows(java.util.NoSuchElementException.class,
        () -> MutableColumnFamilyOptions.builder().ttl());
  }
}
