package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.direct;
import static org.rocksdb.Bytes.inside;
import static org.rocksdb.Bytes.list;
import static org.rocksdb.Bytes.s;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many keys at once, as arrays and in buffers, few and very many. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MultiGetTest {
  // How many keys the largest calls ask for is set by it.
  private static final int SCALE = Integer.getInteger("rocksdb.test.scale", 1);
  private static final int MOST = 70_000;
  private static final int VERY_MANY = Math.min(750_000, MOST * SCALE);

  @TempDir static Path folder;

  private final Options options = new Options().setCreateIfMissing(true);
  private final TransactionDBOptions locks = new TransactionDBOptions();
  private final ReadOptions read = new ReadOptions();
  private final WriteOptions write = new WriteOptions();
  private TransactionDB db;
  private ColumnFamilyHandle family;

  @BeforeAll
  void open() throws Exception {
    db = TransactionDB.open(options, locks, folder.resolve("db").toString());
    family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
    for (final ColumnFamilyHandle each : Arrays.asList(db.getDefaultColumnFamily(), family)) {
      final String value = each == family ? "f" : "d";
      try (WriteBatch batch = new WriteBatch()) {
        for (int i = 0; i < VERY_MANY; i += 2) {
          batch.put(each, key(i), b(value + i));
        }
        db.write(write, batch);
      }
    }
  }

  @AfterAll
  void close() {
    db.close();
    write.close();
    read.close();
    locks.close();
    options.close();
  }

  private static byte[] key(final int i) {
    return b("key" + i);
  }

  private static List<byte[]> keys(final int count) {
    final List<byte[]> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(key(i));
    }
    return keys;
  }

  private static void assertFound(final String prefix, final List<byte[]> found) {
    for (int i = 0; i < found.size(); i++) {
      assertArrayEquals(i % 2 == 0 ? b(prefix + i) : null, found.get(i));
    }
  }

  private static List<String> texts(final List<byte[]> values) {
    return values.stream().map(Bytes::s).collect(Collectors.toList());
  }

  @Test
  void allForms() throws Exception {
    final ColumnFamilyHandle first = db.getDefaultColumnFamily();
    final List<String> plain = Arrays.asList("d2", null, "d0", "d2");
    final List<byte[]> wanted = list("key2", "none", "key0", "key2");
    assertEquals(plain, texts(db.multiGetAsList(wanted)));
    assertEquals(plain, texts(db.multiGetAsList(read, wanted)));
    final List<ColumnFamilyHandle> both = Arrays.asList(family, family, first, first);
    final List<String> mixed = Arrays.asList("f2", null, "d0", "d2");
    assertEquals(mixed, texts(db.multiGetAsList(both, wanted)));
    assertEquals(mixed, texts(db.multiGetAsList(read, both, wanted)));
  }

  private static String text(final ByteBufferGetStatus found) {
    if (found.status.getCode() == Status.Code.NotFound) {
      assertEquals(0, found.requiredSize);
      assertNull(found.value);
      return null;
    }
    assertEquals(Status.Code.Ok, found.status.getCode());
    assertEquals(0, found.value.position());
    return s(found.value);
  }

  private static List<String> texts(final Iterable<ByteBufferGetStatus> all) {
    final List<String> texts = new ArrayList<>();
    for (final ByteBufferGetStatus each : all) {
      texts.add(text(each));
    }
    return texts;
  }

  private static List<ByteBuffer> buffers(final int count, final int room) {
    final List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(ByteBuffer.allocateDirect(room));
    }
    return buffers;
  }

  @ParameterizedTest
  @CsvSource({"none,false", "none,true", "one,false", "one,true", "each,false", "each,true"})
  void intoBuffers(final String which, final boolean hasOptions) throws Exception {
    final ColumnFamilyHandle first = db.getDefaultColumnFamily();
    final List<ColumnFamilyHandle> handles = which.equals("none")
        ? Collections.emptyList()
        : which.equals("one") ? Arrays.asList(family) : Arrays.asList(first, family, family);
    final List<String> expected = which.equals("none")
        ? Arrays.asList("d2", null, "d4")
        : which.equals("one") ? Arrays.asList("f2", null, "f4")
                              : Arrays.asList("d2", null, "f4");
    final List<ByteBuffer> wanted =
        Arrays.asList(inside(true, "key2"), direct("none"), inside(true, "key4").slice());
    final List<ByteBuffer> values = buffers(3, 10);
    final Iterable<ByteBufferGetStatus> found = hasOptions
        ? db.multiGetByteBuffers(read, handles, wanted, values)
        : db.multiGetByteBuffers(handles, wanted, values);
    assertEquals(expected, texts(found));
    assertSame(values.get(0), found.iterator().next().value);
    // Keys stay as they were.
    assertEquals("key2", s(wanted.get(0)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void intoBuffersOfTheDefaultFamily(final boolean hasOptions) throws Exception {
    final List<ByteBuffer> wanted = Arrays.asList(direct("key6"), direct("key8"));
    final List<ByteBufferGetStatus> found = hasOptions
        ? db.multiGetByteBuffers(read, wanted, buffers(2, 8))
        : db.multiGetByteBuffers(wanted, buffers(2, 8));
    assertEquals(Arrays.asList("d6", "d8"), texts((Iterable<ByteBufferGetStatus>) found));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 5})
  void valuesThatDoNotFit(final int room) throws Exception {
    final List<ByteBufferGetStatus> found = db.multiGetByteBuffers(
        Collections.singletonList(direct("key1000")), buffers(1, room));
    assertEquals(Status.Code.Ok, found.get(0).status.getCode());
    assertEquals(5, found.get(0).requiredSize);
    assertEquals("d1000".substring(0, room), s(found.get(0).value));
  }

  @Test
  void aLimitBelowTheCapacity() throws Exception {
    final ByteBuffer value = ByteBuffer.allocateDirect(10);
    ((Buffer) value).limit(1);
    final List<ByteBufferGetStatus> found = db.multiGetByteBuffers(
        Collections.singletonList(direct("key1000")), Collections.singletonList(value));
    // At its beginning, a buffer is filled whatever its limit.
    assertEquals("d1000", s(found.get(0).value));
    ((Buffer) value).position(2);
    ((Buffer) value).limit(5);
    db.multiGetByteBuffers(
        Collections.singletonList(direct("key1000")), Collections.singletonList(value));
    assertEquals("d10", s(value));
    assertEquals(2, value.position());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 250, 60_000, MOST})
  void asList(final int count) throws Exception {
    assertFound("d", db.multiGetAsList(keys(count)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 250, 60_000, MOST})
  void asListOfAFamily(final int count) throws Exception {
    assertFound("f", db.multiGetAsList(Collections.nCopies(count, family), keys(count)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 250, 60_000})
  void ofATransaction(final int count) throws Exception {
    try (Transaction txn = db.beginTransaction(write)) {
      assertFound("d", txn.multiGetAsList(read, keys(count)));
      assertFound("f",
          txn.multiGetAsList(read, Collections.nCopies(count, family), keys(count)));
      txn.put(key(1), b("mine"));
      if (count > 1) {
        assertEquals("mine", s(txn.multiGetAsList(read, keys(count)).get(1)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 250, 10_000})
  void forUpdate(final int count) throws Exception {
    try (Transaction txn = db.beginTransaction(write)) {
      assertFound("d", txn.multiGetForUpdateAsList(read, keys(count)));
      assertEquals(count, txn.getNumKeys());
      assertFound("f",
          txn.multiGetForUpdateAsList(read, Collections.nCopies(count, family), keys(count)));
      assertEquals(2 * count, txn.getNumKeys());
    }
  }

  @Test
  void veryManyAtOnce() throws Exception {
    assertFound("d", db.multiGetAsList(keys(VERY_MANY)));
  }

  @Test
  void noKeysAtAll() {
    // RocksDB's Java fails with the same error.
    assertThrows(AssertionError.class, () -> db.multiGetAsList(Collections.emptyList()));
  }

  @Test
  void withASnapshot() throws Exception {
    final Snapshot before = db.getSnapshot();
    try (ReadOptions then = new ReadOptions().setSnapshot(before)) {
      db.put(b("key0"), b("changed"));
      assertEquals(Arrays.asList("d0"), texts(db.multiGetAsList(then, list("key0"))));
      assertEquals(Arrays.asList("changed"), texts(db.multiGetAsList(read, list("key0"))));
    } finally {
      db.releaseSnapshot(before);
      db.put(b("key0"), b("d0"));
    }
  }
}
