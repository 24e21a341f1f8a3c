package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that may change while a database is open: builders, their text, and its parser. */
class MutableOptionsTest {
  @TempDir Path folder;

  /** An option of one of the two builders. */
  static final class Pair {
    final boolean isOfFamily;
    final Method setter;
    final Method getter;

    Pair(final boolean isOfFamily, final Method setter, final Method getter) {
      this.isOfFamily = isOfFamily;
      this.setter = setter;
      this.getter = getter;
    }

    AbstractMutableOptions.AbstractMutableOptionsBuilder<?, ?, ?> builder() {
      return isOfFamily ? MutableColumnFamilyOptions.builder() : MutableDBOptions.builder();
    }

    AbstractMutableOptions.AbstractMutableOptionsBuilder<?, ?, ?> parse(final String text) {
      return isOfFamily ? MutableColumnFamilyOptions.parse(text) : MutableDBOptions.parse(text);
    }

    @Override
    public String toString() {
      return getter.getName();
    }
  }

  static Stream<Pair> pairs() {
    final List<Pair> pairs = new ArrayList<>();
    for (final Class<?> type :
        new Class<?>[] {MutableColumnFamilyOptions.MutableColumnFamilyOptionsBuilder.class,
            MutableDBOptions.MutableDBOptionsBuilder.class}) {
      for (final Method setter : type.getMethods()) {
        if (!setter.getName().startsWith("set") || setter.isBridge()
            || setter.getParameterCount() != 1) {
          continue;
        }
        final String name = setter.getName().substring(3);
        try {
          pairs.add(new Pair(
              type == MutableColumnFamilyOptions.MutableColumnFamilyOptionsBuilder.class, setter,
              type.getMethod(Character.toLowerCase(name.charAt(0)) + name.substring(1))));
        } catch (final NoSuchMethodException e) {
          throw new AssertionError(setter + " has no getter", e);
        }
      }
    }
    pairs.sort(Comparator.comparing(Pair::toString));
    assertTrue(pairs.size() > 50, pairs.size() + " options");
    return pairs.stream();
  }

  private static Object[] samples(final Class<?> type) {
    if (type == boolean.class) {
      return new Object[] {true, false};
    }
    if (type == int.class) {
      return new Object[] {7, 0};
    }
    if (type == long.class) {
      return new Object[] {11L, 1L << 40};
    }
    if (type == double.class) {
      return new Object[] {0.25, 12.0};
    }
    if (type == int[].class) {
      return new Object[] {new int[] {3}, new int[] {1, 2, 3}};
    }
    if (type == String.class) {
      return new Object[] {"02:20-19:50"};
    }
    assertTrue(type.isEnum(), type.toString());
    return type.getEnumConstants();
  }

  private static void assertValue(final Object expected, final Object found) {
    if (expected instanceof int[]) {
      assertArrayEquals((int[]) expected, (int[]) found);
    } else {
      assertEquals(expected, found);
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void givesBackWhatWasSet(final Pair pair) throws Exception {
    final Object builder = pair.builder();
    for (final Object value : samples(pair.setter.getParameterTypes()[0])) {
      assertSame(builder, pair.setter.invoke(builder, value));
      assertValue(value, pair.getter.invoke(builder));
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void whatWasNotSetIsNotThere(final Pair pair) {
    final InvocationTargetException thrown = assertThrows(
        InvocationTargetException.class, () -> pair.getter.invoke(pair.builder()));
    assertInstanceOf(NoSuchElementException.class, thrown.getCause());
    assertEquals("", pair.builder().build().toString());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void textIsReadBack(final Pair pair) throws Exception {
    for (final Object value : samples(pair.setter.getParameterTypes()[0])) {
      final AbstractMutableOptions.AbstractMutableOptionsBuilder<?, ?, ?> builder =
          pair.builder();
      pair.setter.invoke(builder, value);
      final String text = builder.build().toString();
      assertTrue(text.matches("[a-z0-9_]+=[^;]*"), text);
      final AbstractMutableOptions.AbstractMutableOptionsBuilder<?, ?, ?> parsed =
          pair.parse(text);
      assertValue(value, pair.getter.invoke(parsed));
      assertEquals(text, parsed.build().toString());
      // Blanks and a last delimiter change nothing.
      assertEquals(text, pair.parse(" " + text.replace("=", " = ") + " ; ").build().toString());
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theEngineKnowsIt(final Pair pair) throws Exception {
    try (RocksDB db = RocksDB.open(folder.resolve("db").toString())) {
      final Object now = pair.isOfFamily ? db.getOptions() : db.getDBOptions();
      final Object value = pair.getter.invoke(now);
      assertNotNull(value);
      final Object builder = pair.builder();
      pair.setter.invoke(builder, value);
      if (pair.isOfFamily) {
        db.setOptions(
            ((MutableColumnFamilyOptions.MutableColumnFamilyOptionsBuilder) builder).build());
      } else {
        db.setDBOptions(((MutableDBOptions.MutableDBOptionsBuilder) builder).build());
      }
      assertValue(value, pair.getter.invoke(
          pair.isOfFamily ? db.getOptions() : db.getDBOptions()));
    }
  }

  @ParameterizedTest
  @CsvSource({"nonsense=1", "write_buffer_size=1.5", "write_buffer_size=x", "ttl=x",
      "write_buffer_size=1=2", "compression=kNonsense",
      "memtable_prefix_bloom_size_ratio=x"})
  void valuesThatAreRefused(final String text) {
    assertThrows(
        IllegalArgumentException.class, () -> MutableColumnFamilyOptions.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"write_buffer_size", "=1",
      "write_buffer_size=1;;ttl=2", "write buffer=1", "nonsense={a=1"})
  void textThatIsNone(final String text) {
    assertThrows(OptionString.Parser.Exception.class,
        () -> MutableColumnFamilyOptions.parse(text, true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ";"})
  void textOfNothing(final String text) {
    try {
      assertEquals("", MutableColumnFamilyOptions.parse(text).build().toString());
    } catch (final OptionString.Parser.Exception e) {
      // A delimiter alone is no text of options.
      assertEquals(";", text);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "false,false", "1,false", "yes,false"})
  void flags(final String text, final boolean expected) {
    assertEquals(expected, MutableColumnFamilyOptions.parse("disable_auto_compactions=" + text)
        .disableAutoCompactions());
  }

  @Test
  void unknownOptionsAreKept() {
    final MutableDBOptions.MutableDBOptionsBuilder parsed = MutableDBOptions.parse(
        "max_open_files=9;whatever={a=1;b={c=2}};list=1:2", true);
    assertEquals(9, parsed.maxOpenFiles());
    assertEquals(2, parsed.getUnknown().size());
    assertEquals("max_open_files=9", parsed.build().toString());
  }

  @Test
  void allOrNothing() throws Exception {
    try (RocksDB db = RocksDB.open(folder.resolve("db").toString())) {
      final long before = db.getOptions().writeBufferSize();
      final int files = db.getDBOptions().maxOpenFiles();
      final RocksDBException thrown = assertThrows(RocksDBException.class,
          () -> db.setDBOptions(MutableDBOptions.builder().setMaxOpenFiles(files + 7)
              .setDailyOffpeakTimeUTC("nonsense").build()));
      assertEquals(Status.Code.InvalidArgument, thrown.getStatus().getCode());
      assertEquals(files, db.getDBOptions().maxOpenFiles());
      assertEquals(before, db.getOptions().writeBufferSize());
    }
  }

  @Test
  void ofOneFamilyAlone() throws Exception {
    try (RocksDB db = RocksDB.open(folder.resolve("db").toString())) {
      final ColumnFamilyHandle family =
          db.createColumnFamily(new ColumnFamilyDescriptor(Bytes.b("f")));
      db.setOptions(family, MutableColumnFamilyOptions.builder()
          .setWriteBufferSize(123_456).setTtl(77).build());
      assertEquals(123_456, db.getOptions(family).writeBufferSize());
      assertEquals(77, db.getOptions(family).ttl());
      assertEquals(64 << 20, db.getOptions().writeBufferSize());
      // What it says may be written back.
      db.setOptions(family, db.getOptions(family).build());
      db.setDBOptions(db.getDBOptions().build());
    }
  }

  @Test
  void besideNamesWithBlanks() throws Exception {
    final Path logs = java.nio.file.Files.createDirectory(folder.resolve("of the logs"));
    try (ComparatorOptions how = new ComparatorOptions();
         AbstractComparator order = new AbstractComparator(how) {
           @Override
           public String name() {
             return "an order, by bytes";
           }

           @Override
           public int compare(final java.nio.ByteBuffer a, final java.nio.ByteBuffer b) {
             return a.compareTo(b);
           }
         };
         Options options = new Options().setCreateIfMissing(true).setComparator(order)
             .setDbLogDir(logs.toString()).setWriteBufferSize(123_456).setMaxOpenFiles(77);
         RocksDB db = RocksDB.open(options, folder.resolve("db").toString())) {
      assertEquals(123_456, db.getOptions().writeBufferSize());
      assertEquals(77, db.getDBOptions().maxOpenFiles());
      final List<String> unknown = new ArrayList<>();
      for (final OptionString.Entry each : db.getDBOptions().getUnknown()) {
        unknown.add(each.toString());
      }
      assertTrue(unknown.contains("db_log_dir=" + logs), unknown.toString());
    }
  }

  @Test
  void valueTypes() {
    assertSame(MutableOptionKey.ValueType.LONG,
        MutableColumnFamilyOptions.MemtableOption.write_buffer_size.getValueType());
    assertSame(MutableOptionKey.ValueType.ENUM,
        MutableColumnFamilyOptions.MiscOption.compression.getValueType());
    assertSame(MutableOptionKey.ValueType.BOOLEAN,
        MutableColumnFamilyOptions.CompactionOption.disable_auto_compactions.getValueType());
    assertSame(MutableOptionKey.ValueType.INT,
        MutableDBOptions.DBOption.max_open_files.getValueType());
    assertSame(MutableOptionKey.ValueType.STRING,
        MutableDBOptions.DBOption.daily_offpeak_time_utc.getValueType());
  }
}
