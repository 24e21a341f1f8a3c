package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Enumerations: their values, and how they are found by them. */
class EnumTest {
  static Stream<Class<? extends Enum<?>>> types() throws Exception {
    final List<Class<? extends Enum<?>>> types = new ArrayList<>();
    for (final Class<?> type : JarClasses.all()) {
      if (type.isEnum() && Modifier.isPublic(type.getModifiers())) {
        @SuppressWarnings("unchecked")
        final Class<? extends Enum<?>> checked = (Class<? extends Enum<?>>) type;
        types.add(checked);
      }
    }
    assertTrue(types.size() > 40, types.size() + " enumerations");
    return types.stream();
  }

  private static Method valueMethod(final Class<?> type) {
    try {
      final Method method = type.getMethod("getValue");
      method.setAccessible(true);
      return method;
    } catch (final NoSuchMethodException e) {
      return null;
    }
  }

  private static Method lookUp(final Class<?> type) {
    for (final Method method : type.getMethods()) {
      if (Modifier.isStatic(method.getModifiers()) && method.getReturnType() == type
          && method.getParameterCount() == 1
          && (method.getParameterTypes()[0] == byte.class
              || method.getParameterTypes()[0] == int.class)) {
        return method;
      }
    }
    return null;
  }

  static Stream<Class<? extends Enum<?>>> typesWithValues() throws Exception {
    return types().filter(type -> valueMethod(type) != null);
  }

  static Stream<Enum<?>> constantsToFind() throws Exception {
    return typesWithValues()
        .filter(type -> lookUp(type) != null)
        .flatMap(type -> Stream.of(type.getEnumConstants()));
  }

  static Stream<Class<? extends Enum<?>>> typesToFind() throws Exception {
    return types().filter(type -> lookUp(type) != null);
  }

  private static Object argument(final Method method, final int value) {
    return method.getParameterTypes()[0] == byte.class ? (Object) (byte) value : value;
  }

  @ParameterizedTest
  @MethodSource("typesWithValues")
  void valuesDiffer(final Class<? extends Enum<?>> type) throws Exception {
    final Set<Object> values = new HashSet<>();
    for (final Enum<?> each : type.getEnumConstants()) {
      assertTrue(values.add(valueMethod(type).invoke(each)), each.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("constantsToFind")
  void isFoundByItsValue(final Enum<?> constant) throws Exception {
    final Class<?> type = constant.getDeclaringClass();
    final Number value = (Number) valueMethod(type).invoke(constant);
    final Method lookUp = lookUp(type);
    assertSame(constant, lookUp.invoke(null, argument(lookUp, value.intValue())));
  }

  @ParameterizedTest
  @MethodSource("typesToFind")
  void unknownValuesAreRefused(final Class<? extends Enum<?>> type) throws Exception {
    final Method lookUp = lookUp(type);
    final Set<Integer> known = new HashSet<>();
    int refused = 0;
    for (int value = -128; value < 128; value++) {
      try {
        assertInstanceOf(type, lookUp.invoke(null, argument(lookUp, value)));
        assertTrue(known.add(value));
      } catch (final InvocationTargetException e) {
        assertInstanceOf(IllegalArgumentException.class, e.getCause());
        refused++;
      }
    }
    // Counters use up all bytes, or nearly.
    if (type != TickerType.class) {
      assertTrue(refused > 100, refused + " values are refused");
    }
    assertTrue(known.size() <= type.getEnumConstants().length);
  }

  @ParameterizedTest
  @MethodSource("types")
  void isFoundByItsName(final Class<? extends Enum<?>> type) throws Exception {
    final Method valueOf = type.getMethod("valueOf", String.class);
    for (final Enum<?> each : type.getEnumConstants()) {
      assertSame(each, valueOf.invoke(null, each.name()));
    }
    final InvocationTargetException unknown = assertThrows(
        InvocationTargetException.class, () -> valueOf.invoke(null, "no such constant"));
    assertInstanceOf(IllegalArgumentException.class, unknown.getCause());
  }

  @ParameterizedTest
  @CsvSource({"NO_COMPRESSION,0,", "SNAPPY_COMPRESSION,1,snappy", "ZLIB_COMPRESSION,2,z",
      "BZLIB2_COMPRESSION,3,bzip2", "LZ4_COMPRESSION,4,lz4", "LZ4HC_COMPRESSION,5,lz4hc",
      "XPRESS_COMPRESSION,6,xpress", "ZSTD_COMPRESSION,7,zstd",
      "DISABLE_COMPRESSION_OPTION,127,"})
  void codecs(final CompressionType type, final byte value, final String library) {
    assertEquals(value, type.getValue());
    assertEquals(library, type.getLibraryName());
    if (library != null) {
      assertSame(type, CompressionType.getCompressionType(library));
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "no such codec", "ZSTD"})
  void unknownCodecsAreNone(final String library) {
    assertSame(CompressionType.NO_COMPRESSION, CompressionType.getCompressionType(library));
  }

  @ParameterizedTest
  @CsvSource({"Ok,0", "NotFound,1", "Corruption,2", "NotSupported,3", "InvalidArgument,4",
      "IOError,5", "MergeInProgress,6", "Incomplete,7", "ShutdownInProgress,8", "TimedOut,9",
      "Aborted,10", "Busy,11", "Expired,12", "TryAgain,13", "Undefined,127"})
  void codes(final Status.Code code, final byte value) {
    assertEquals(value, code.getValue());
  }

  @ParameterizedTest
  @CsvSource({"None,0", "MutexTimeout,1", "LockTimeout,2", "LockLimit,3", "NoSpace,4",
      "Deadlock,5", "StaleFile,6", "MemoryLimit,7", "Undefined,127"})
  void subCodes(final Status.SubCode code, final byte value) {
    assertEquals(value, code.getValue());
  }

  @ParameterizedTest
  @CsvSource({"BYTEWISE_COMPARATOR,0", "REVERSE_BYTEWISE_COMPARATOR,1"})
  void builtinComparators(final BuiltinComparator comparator, final int ordinal) {
    assertEquals(ordinal, comparator.ordinal());
  }

  @ParameterizedTest
  @CsvSource({"NONE,0", "LOOSELY_COMPATIBLE,1", "EXACT_MATCH,-1"})
  void sanityLevels(final SanityLevel level, final byte value) throws Exception {
    assertEquals(value, valueMethodOf(level));
  }

  private static Object valueMethodOf(final Enum<?> constant) throws Exception {
    for (final String name : new String[] {"getValue", "value"}) {
      try {
        final Method method = constant.getDeclaringClass().getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(constant);
      } catch (final NoSuchMethodException e) {
        // The next name.
      }
    }
    return null;
  }

  @Test
  void theOldNameOfAState() {
    assertSame(Transaction.TransactionState.COMMITTED, Transaction.TransactionState.COMMITED);
    assertNull(CompressionType.NO_COMPRESSION.getLibraryName());
  }
}
