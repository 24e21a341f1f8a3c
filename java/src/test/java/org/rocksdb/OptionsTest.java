package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Options: every plain accessor gives back what was set. */
class OptionsTest {
  static Stream<Class<?>> classes() {
    return Stream.of(Options.class, DBOptions.class, ColumnFamilyOptions.class,
        ReadOptions.class, WriteOptions.class, FlushOptions.class, CompactRangeOptions.class,
        CompactionOptions.class, CompactionOptionsFIFO.class, CompactionOptionsUniversal.class,
        CompressionOptions.class, EnvOptions.class, IngestExternalFileOptions.class,
        ImportColumnFamilyOptions.class, TransactionDBOptions.class, TransactionOptions.class,
        OptimisticTransactionOptions.class, ComparatorOptions.class,
        BlockBasedTableConfig.class, PlainTableConfig.class, HashLinkedListMemTableConfig.class,
        HashSkipListMemTableConfig.class, VectorMemTableConfig.class,
        SkipListMemTableConfig.class);
  }

  private static List<Object> samples(final Class<?> type) {
    if (type == boolean.class) {
      return Arrays.asList(true, false, true);
    }
    if (type == int.class) {
      return Arrays.asList(7, 123);
    }
    if (type == long.class) {
      return Arrays.asList(11L, 1L << 33);
    }
    if (type == double.class) {
      return Arrays.asList(0.3, 0.7);
    }
    if (type == String.class) {
      return Arrays.asList("one", "t\u00e9xt \ud83d\ude00", "");
    }
    return type.isEnum() ? Arrays.asList(type.getEnumConstants()) : new ArrayList<>();
  }

  private static Method getterOf(final Class<?> owner, final Method setter) {
    final String name = setter.getName().substring(3);
    final String plain = Character.toLowerCase(name.charAt(0)) + name.substring(1);
    final String withoutBg = plain.replace("BgError", "Bgerror").replace("zStd", "zstd");
    for (final String each : new String[] {plain, withoutBg, "get" + name, "is" + name}) {
      try {
        return owner.getMethod(each);
      } catch (final NoSuchMethodException e) {
        // The next name.
      }
    }
    return null;
  }

  @ParameterizedTest
  @MethodSource("classes")
  void roundTrip(final Class<?> owner) throws Exception {
    final Object object = owner.getConstructor().newInstance();
    int checked = 0;
    for (final Method setter : owner.getMethods()) {
      if (!setter.getName().startsWith("set") || setter.getParameterCount() != 1
          || setter.isBridge() || Modifier.isStatic(setter.getModifiers())
          || setter.getName().equals("setHashIndexAllowCollision")) {
        continue;
      }
      final Method getter = getterOf(owner, setter);
      final Class<?> type = setter.getParameterTypes()[0];
      if (getter == null || samples(type).isEmpty()) {
        continue;
      }
      for (final Object value : samples(type)) {
        assertSame(object, setter.invoke(object, value), setter.getName());
        final Object found = getter.invoke(object);
        assertEquals(value instanceof Integer && found instanceof Long
            ? Long.valueOf((Integer) value) : value, found, setter.getName());
      }
      checked++;
    }
    assertTrue(checked > 0);
    if (object instanceof AutoCloseable) {
      ((AutoCloseable) object).close();
    }
  }

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
