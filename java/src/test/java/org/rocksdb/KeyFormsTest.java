package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.buffer;
import static org.rocksdb.Bytes.empty;
import static org.rocksdb.Bytes.inside;
import static org.rocksdb.Bytes.padded;
import static org.rocksdb.Bytes.s;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of putting, merging, deleting and looking up does what the others do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeyFormsTest {
  @TempDir static Path folder;

  private final DBOptions options =
      new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
  private final ColumnFamilyOptions appends =
      new ColumnFamilyOptions().setMergeOperatorName("stringappend");
  private final ReadOptions read = new ReadOptions();
  private final WriteOptions write = new WriteOptions();
  private RocksDB db;
  private Forms.Where at;
  private ColumnFamilyHandle other;
  private int keys;

  @BeforeAll
  void open() throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    db = RocksDB.open(options, folder.resolve("db").toString(),
        Arrays.asList(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, appends),
            new ColumnFamilyDescriptor(b("f"), appends)),
        handles);
    other = handles.get(1);
    at = new Forms.Where(db, other, read, write);
  }

  @AfterAll
  void close() {
    db.close();
    write.close();
    read.close();
    appends.close();
    options.close();
  }

  static List<Forms.Form<Forms.Writing>> puts() {
    return Forms.puts();
  }

  static List<Forms.Form<Forms.Writing>> merges() {
    return Forms.merges();
  }

  static List<Forms.Form<Forms.Writing>> deletes() {
    return Forms.deletes();
  }

  static List<Forms.Form<Forms.Reading>> gets() {
    return Forms.gets();
  }

  static List<Forms.Form<Forms.Asking>> keyExists() {
    return Forms.keyExists();
  }

  static List<Forms.Form<Forms.Asking>> keyMayExist() {
    return Forms.keyMayExist();
  }

  private String freshKey() {
    return String.format("key%04d", keys++);
  }

  private ColumnFamilyHandle familyOf(final Forms.Form<?> form) {
    return form.hasFamily ? other : db.getDefaultColumnFamily();
  }

  private ColumnFamilyHandle notFamilyOf(final Forms.Form<?> form) {
    return form.hasFamily ? db.getDefaultColumnFamily() : other;
  }

  @ParameterizedTest
  @MethodSource("puts")
  void putsAndReplaces(final Forms.Form<Forms.Writing> form) throws Exception {
    final String key = freshKey();
    form.call.write(at, key, "value");
    assertEquals("value", s(db.get(familyOf(form), b(key))));
    assertNull(db.get(notFamilyOf(form), b(key)));
    form.call.write(at, key, "other");
    assertEquals("other", s(db.get(familyOf(form), b(key))));
  }

  @ParameterizedTest
  @MethodSource("puts")
  void putsAnEmptyValue(final Forms.Form<Forms.Writing> form) throws Exception {
    final String key = freshKey();
    form.call.write(at, key, "");
    assertEquals(0, db.get(familyOf(form), b(key)).length);
  }

  @ParameterizedTest
  @MethodSource("puts")
  void putsTheEmptyKey(final Forms.Form<Forms.Writing> form) throws Exception {
    form.call.write(at, "", form.name);
    assertEquals(form.name, s(db.get(familyOf(form), new byte[0])));
    db.delete(familyOf(form), new byte[0]);
  }

  @ParameterizedTest
  @MethodSource("puts")
  void putsLongKeysAndValues(final Forms.Form<Forms.Writing> form) throws Exception {
    // Longer than what is copied to the stack.
    final char[] many = new char[5_000];
    Arrays.fill(many, 'x');
    final String key = freshKey() + new String(many);
    form.call.write(at, key, key + key);
    assertEquals(key + key, s(db.get(familyOf(form), b(key))));
    db.delete(familyOf(form), b(key));
  }

  @ParameterizedTest
  @MethodSource("merges")
  void merges(final Forms.Form<Forms.Writing> form) throws Exception {
    final String key = freshKey();
    form.call.write(at, key, "a");
    form.call.write(at, key, "b");
    assertEquals("a,b", s(db.get(familyOf(form), b(key))));
    assertNull(db.get(notFamilyOf(form), b(key)));
  }

  @ParameterizedTest
  @MethodSource("deletes")
  void deletes(final Forms.Form<Forms.Writing> form) throws Exception {
    final String key = freshKey();
    db.put(b(key), b("stays or goes"));
    db.put(other, b(key), b("stays or goes"));
    db.put(familyOf(form), b(key + "1"), b("stays"));
    form.call.write(at, key, "");
    assertNull(db.get(familyOf(form), b(key)));
    assertEquals("stays or goes", s(db.get(notFamilyOf(form), b(key))));
    assertEquals("stays", s(db.get(familyOf(form), b(key + "1"))));
  }

  @ParameterizedTest
  @MethodSource("deletes")
  void deletesWhatIsNotThere(final Forms.Form<Forms.Writing> form) throws Exception {
    final String key = freshKey();
    form.call.write(at, key, "");
    assertNull(db.get(familyOf(form), b(key)));
  }

  @ParameterizedTest
  @MethodSource("gets")
  void gets(final Forms.Form<Forms.Reading> form) throws Exception {
    final String key = freshKey();
    assertNull(form.call.read(at, key));
    db.put(familyOf(form), b(key), b("value"));
    db.put(notFamilyOf(form), b(key), b("another"));
    assertEquals("value", form.call.read(at, key));
    db.put(familyOf(form), b(key), new byte[0]);
    assertEquals("", form.call.read(at, key));
    db.delete(familyOf(form), b(key));
    assertNull(form.call.read(at, key));
  }

  @ParameterizedTest
  @MethodSource("keyExists")
  void knowsWhetherAKeyExists(final Forms.Form<Forms.Asking> form) throws Exception {
    final String key = freshKey();
    db.put(notFamilyOf(form), b(key), b("in another family"));
    assertFalse(form.call.ask(at, key));
    db.put(familyOf(form), b(key), b("value"));
    assertTrue(form.call.ask(at, key));
    db.delete(familyOf(form), b(key));
    assertFalse(form.call.ask(at, key));
  }

  @ParameterizedTest
  @MethodSource("keyMayExist")
  void knowsWhetherAKeyMayExist(final Forms.Form<Forms.Asking> form) throws Exception {
    final String key = freshKey();
    db.put(familyOf(form), b(key), b("value"));
    assertTrue(form.call.ask(at, key));
    // A memtable knows for sure.
    db.delete(familyOf(form), b(key));
    assertFalse(form.call.ask(at, key));
  }

  private int get(final boolean hasFamily, final boolean hasOptions, final boolean isPart,
      final String key, final byte[] value, final int offset, final int room)
      throws RocksDBException {
    final byte[] bytes = padded(key);
    final int size = b(key).length;
    if (isPart) {
      if (hasFamily) {
        return hasOptions ? db.get(other, read, bytes, 2, size, value, offset, room)
                          : db.get(other, bytes, 2, size, value, offset, room);
      }
      return hasOptions ? db.get(read, bytes, 2, size, value, offset, room)
                        : db.get(bytes, 2, size, value, offset, room);
    }
    if (hasFamily) {
      return hasOptions ? db.get(other, read, b(key), value) : db.get(other, b(key), value);
    }
    return hasOptions ? db.get(read, b(key), value) : db.get(b(key), value);
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void getsIntoAnArray(final boolean hasFamily, final boolean hasOptions) throws Exception {
    final String key = freshKey();
    final byte[] value = b("------");
    assertEquals(RocksDB.NOT_FOUND, get(hasFamily, hasOptions, false, key, value, 0, 6));
    assertEquals("------", s(value));
    db.put(hasFamily ? other : db.getDefaultColumnFamily(), b(key), b("1234"));
    assertEquals(4, get(hasFamily, hasOptions, false, key, value, 0, 6));
    assertEquals("1234--", s(value));
    final byte[] small = b("--");
    assertEquals(4, get(hasFamily, hasOptions, false, key, small, 0, 2));
    assertEquals("12", s(small));
    assertEquals(4, get(hasFamily, hasOptions, false, key, new byte[0], 0, 0));
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void getsIntoAPartOfAnArray(final boolean hasFamily, final boolean hasOptions)
      throws Exception {
    final String key = freshKey();
    final byte[] value = b("------");
    assertEquals(RocksDB.NOT_FOUND, get(hasFamily, hasOptions, true, key, value, 2, 3));
    db.put(hasFamily ? other : db.getDefaultColumnFamily(), b(key), b("1234"));
    assertEquals(4, get(hasFamily, hasOptions, true, key, value, 2, 3));
    assertEquals("--123-", s(value));
    assertEquals(4, get(hasFamily, hasOptions, true, key, value, 1, 0));
    assertEquals("--123-", s(value));
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void getsIntoABuffer(final boolean hasFamily, final boolean isDirect) throws Exception {
    final ColumnFamilyHandle family = hasFamily ? other : db.getDefaultColumnFamily();
    final String key = freshKey();
    final ByteBuffer value = empty(isDirect, 12);
    ((Buffer) value).position(3);
    final ByteBuffer missing = inside(isDirect, key);
    assertEquals(RocksDB.NOT_FOUND,
        hasFamily ? db.get(family, read, missing, value) : db.get(read, missing, value));
    assertEquals(missing.limit(), missing.position());
    assertEquals(3, value.position());
    assertEquals(12, value.limit());
    db.put(family, b(key), b("1234"));
    final ByteBuffer asked = inside(isDirect, key);
    assertEquals(
        4, hasFamily ? db.get(family, read, asked, value) : db.get(read, asked, value));
    assertEquals(3, value.position());
    assertEquals("1234", s(value));
    // Too little room.
    ((Buffer) value).clear();
    value.put(new byte[12]);
    ((Buffer) value).position(9);
    final ByteBuffer again = buffer(isDirect, key);
    assertEquals(
        4, hasFamily ? db.get(family, read, again, value) : db.get(read, again, value));
    assertEquals(9, value.position());
    assertEquals(12, value.limit());
    assertEquals("123", s(value));
    assertEquals(0, value.get(8));
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void holdersGetTheValue(final boolean hasFamily, final boolean hasOptions) throws Exception {
    final ColumnFamilyHandle family = hasFamily ? other : db.getDefaultColumnFamily();
    final String key = freshKey();
    final Holder<byte[]> holder = new Holder<>(b("before"));
    assertFalse(mayExist(hasFamily, hasOptions, key, holder));
    assertNull(holder.getValue());
    final byte[] noText = {0, -1, 127, -128, 0};
    db.put(family, b(key), noText);
    assertTrue(mayExist(hasFamily, hasOptions, key, holder));
    assertArrayEquals(noText, holder.getValue());
  }

  private boolean mayExist(final boolean hasFamily, final boolean hasOptions, final String key,
      final Holder<byte[]> holder) {
    if (hasFamily) {
      return hasOptions ? db.keyMayExist(other, read, b(key), holder)
                        : db.keyMayExist(other, padded(key), 2, b(key).length, holder);
    }
    return hasOptions ? db.keyMayExist(read, padded(key), 2, b(key).length, holder)
                      : db.keyMayExist(b(key), holder);
  }

  private KeyMayExist mayExist(final boolean hasFamily, final boolean hasOptions,
      final ByteBuffer key, final ByteBuffer value) {
    if (hasFamily) {
      return hasOptions ? db.keyMayExist(other, read, key, value)
                        : db.keyMayExist(other, key, value);
    }
    return hasOptions ? db.keyMayExist(read, key, value) : db.keyMayExist(key, value);
  }

  @ParameterizedTest
  @CsvSource({"false, false, false", "false, false, true", "false, true, false",
      "false, true, true", "true, false, false", "true, false, true", "true, true, false",
      "true, true, true"})
  void keysThatMayExistGiveTheirValue(
      final boolean hasFamily, final boolean hasOptions, final boolean isDirect)
      throws Exception {
    final String key = freshKey();
    final ByteBuffer value = empty(isDirect, 24);
    ((Buffer) value).position(12);
    final KeyMayExist none =
        mayExist(hasFamily, hasOptions, inside(isDirect, key), value);
    assertEquals(KeyMayExist.KeyMayExistEnum.kNotExist, none.exists);
    assertEquals(0, none.valueLength);
    db.put(hasFamily ? other : db.getDefaultColumnFamily(), b(key), b("value"));
    final ByteBuffer asked = inside(isDirect, key);
    final KeyMayExist found = mayExist(hasFamily, hasOptions, asked, value);
    assertEquals(new KeyMayExist(KeyMayExist.KeyMayExistEnum.kExistsWithValue, 5), found);
    assertEquals(asked.limit(), asked.position());
    assertEquals(12, value.position());
    assertEquals("value", s(value));
    // One byte less than it needs.
    ((Buffer) value).clear();
    ((Buffer) value).position(20);
    final KeyMayExist cut =
        mayExist(hasFamily, hasOptions, inside(isDirect, key), value);
    assertEquals(5, cut.valueLength);
    assertEquals("valu", s(value));
  }

  private static void assertReadOnly(final Executable call) {
    assertThrows(ReadOnlyBufferException.class, call);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readOnlyBuffersStayAsTheyAre(final boolean isDirect) throws Exception {
    final String key = freshKey();
    db.put(b(key), b("value"));
    final ByteBuffer room = empty(isDirect, 8);
    final ByteBuffer shown = room.asReadOnlyBuffer();
    assertReadOnly(() -> db.get(read, buffer(isDirect, key), shown));
    assertReadOnly(() -> db.keyMayExist(read, buffer(isDirect, key), shown));
    if (isDirect) {
      final List<ByteBuffer> one = Collections.singletonList(buffer(true, key));
      assertReadOnly(() -> db.multiGetByteBuffers(one, Collections.singletonList(shown)));
    }
    try (RocksIterator it = db.newIterator()) {
      it.seek(b(key));
      assertReadOnly(() -> it.key(shown));
      assertReadOnly(() -> it.value(shown));
    }
    final String path = folder.resolve("transactions" + isDirect).toString();
    try (Options create = new Options().setCreateIfMissing(true);
         TransactionDBOptions locks = new TransactionDBOptions();
         TransactionDB locking = TransactionDB.open(create, locks, path);
         Transaction txn = locking.beginTransaction(write)) {
      txn.put(b(key), b("value"));
      assertReadOnly(() -> txn.get(read, buffer(isDirect, key), shown));
      assertReadOnly(() -> txn.getForUpdate(read, buffer(isDirect, key), shown, true));
    }
    assertArrayEquals(new byte[8], Buffers.bytes(room));
    assertEquals(8, shown.remaining());
    // What is only read may be so.
    if (isDirect) {
      assertEquals(5, db.get(read, buffer(true, key).asReadOnlyBuffer(), room));
      assertEquals("value", s(room));
    }
  }
}
