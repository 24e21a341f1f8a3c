package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each pair of a setter and a getter of each class of options, as found by reflection. */
class AccessorTest {
  @TempDir static Path folder;

  private static final List<Class<?>> CLASSES = Arrays.asList(Options.class, DBOptions.class,
      ColumnFamilyOptions.class, ReadOptions.class, WriteOptions.class, FlushOptions.class,
      CompactRangeOptions.class, CompactionOptions.class, CompactionOptionsFIFO.class,
      CompactionOptionsUniversal.class, CompressionOptions.class, EnvOptions.class,
      IngestExternalFileOptions.class, ImportColumnFamilyOptions.class,
      TransactionDBOptions.class, TransactionOptions.class, OptimisticTransactionOptions.class,
      ComparatorOptions.class, ConfigOptions.class, BackupEngineOptions.class,
      BlockBasedTableConfig.class, PlainTableConfig.class, HashLinkedListMemTableConfig.class,
      HashSkipListMemTableConfig.class, VectorMemTableConfig.class,
      SkipListMemTableConfig.class);

  /** One option of one class. */
  static final class Pair {
    final Class<?> owner;
    final Method setter;
    final Method getter;

    Pair(final Class<?> owner, final Method setter, final Method getter) {
      this.owner = owner;
      this.setter = setter;
      this.getter = getter;
    }

    Class<?> type() {
      return setter.getParameterTypes()[0];
    }

    @Override
    public String toString() {
      return owner.getSimpleName() + "." + getter.getName() + "(" + type().getSimpleName() + ")";
    }
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
    final String exception = plain.replace("BgError", "Bgerror").replace("zStd", "zstd");
    for (final String each : new String[] {plain, exception, "get" + name, "is" + name}) {
      try {
        return owner.getMethod(each);
      } catch (final NoSuchMethodException e) {
        // The next name.
      }
    }
    return null;
  }

  static Stream<Pair> pairs() {
    final List<Pair> pairs = new ArrayList<>();
    for (final Class<?> owner : CLASSES) {
      for (final Method setter : owner.getMethods()) {
        if (!setter.getName().startsWith("set") || setter.getParameterCount() != 1
            || setter.isBridge() || Modifier.isStatic(setter.getModifiers())
            // It does nothing, and says so.
            || setter.getName().equals("setHashIndexAllowCollision")) {
          continue;
        }
        final Method getter = getterOf(owner, setter);
        if (getter != null && !samples(setter.getParameterTypes()[0]).isEmpty()) {
          pairs.add(new Pair(owner, setter, getter));
        }
      }
    }
    pairs.sort(Comparator.comparing(Pair::toString));
    assertTrue(pairs.size() > 500, pairs.size() + " options");
    return pairs.stream();
  }

  // The engine has them no longer: an object remembers what it was given.
  private static final List<String> REMEMBERED = Arrays.asList("failIfOptionsFileError",
      "maxWriteBufferNumberToMaintain", "randomAccessMaxBufferSize",
      "skipCheckingSstFileSizesOnDbOpen");

  static Stream<Pair> pairsOfNativeObjects() {
    return pairs().filter(pair -> RocksObject.class.isAssignableFrom(pair.owner)
        && !REMEMBERED.contains(pair.getter.getName()));
  }

  static Stream<Pair> pairsThatAreCopied() {
    return pairs().filter(pair -> copyConstructor(pair.owner) != null);
  }

  private static Constructor<?> copyConstructor(final Class<?> type) {
    try {
      return type.getConstructor(type);
    } catch (final NoSuchMethodException e) {
      return null;
    }
  }

  private static Object make(final Class<?> type) throws Exception {
    return type == BackupEngineOptions.class
        ? new BackupEngineOptions(folder.toString())
        : type.getConstructor().newInstance();
  }

  private static void close(final Object object) throws Exception {
    if (object instanceof AutoCloseable) {
      ((AutoCloseable) object).close();
    }
  }

  // Some getters have a wider type than their setters.
  private static void assertValue(final Object expected, final Object found) {
    assertEquals(expected instanceof Integer && found instanceof Long
        ? Long.valueOf((Integer) expected) : expected, found);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void givesBackWhatWasSet(final Pair pair) throws Exception {
    final Object object = make(pair.owner);
    for (final Object value : samples(pair.type())) {
      assertSame(object, pair.setter.invoke(object, value));
      assertValue(value, pair.getter.invoke(object));
    }
    close(object);
  }

  @ParameterizedTest
  @MethodSource("pairsThatAreCopied")
  void copiesHaveIt(final Pair pair) throws Exception {
    final Object object = make(pair.owner);
    final List<Object> samples = samples(pair.type());
    for (final Object value : samples) {
      pair.setter.invoke(object, value);
      final Object copy = copyConstructor(pair.owner).newInstance(object);
      assertValue(value, pair.getter.invoke(copy));
      // One is not the other.
      pair.setter.invoke(copy, samples.get(0));
      assertValue(value, pair.getter.invoke(object));
      close(copy);
    }
    close(object);
  }

  @ParameterizedTest
  @MethodSource("pairsOfNativeObjects")
  void closedOnesAnswerNothing(final Pair pair) throws Exception {
    final Object object = make(pair.owner);
    close(object);
    final InvocationTargetException set = assertThrows(InvocationTargetException.class,
        () -> pair.setter.invoke(object, samples(pair.type()).get(0)));
    assertInstanceOf(AssertionError.class, set.getCause());
    final InvocationTargetException get = assertThrows(
        InvocationTargetException.class, () -> pair.getter.invoke(object));
    assertInstanceOf(AssertionError.class, get.getCause());
  }

  static Stream<Pair> pairsOfBothHalves() {
    return pairs().filter(pair -> pair.owner == DBOptions.class
        || pair.owner == ColumnFamilyOptions.class);
  }

  private static Method of(final Class<?> owner, final Method method) throws Exception {
    return owner.getMethod(method.getName(), method.getParameterTypes());
  }

  @ParameterizedTest
  @MethodSource("pairsOfBothHalves")
  void bothHalvesMakeOptions(final Pair pair) throws Exception {
    try (DBOptions db = new DBOptions(); ColumnFamilyOptions family = new ColumnFamilyOptions()) {
      final Object half = pair.owner == DBOptions.class ? db : family;
      for (final Object value : samples(pair.type())) {
        pair.setter.invoke(half, value);
        try (Options both = new Options(db, family)) {
          assertValue(value, of(Options.class, pair.getter).invoke(both));
          final Object again = pair.owner.getConstructor(Options.class).newInstance(both);
          assertValue(value, pair.getter.invoke(again));
          close(again);
        }
      }
    }
  }
}
