package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.empty;
import static org.rocksdb.Bytes.inside;
import static org.rocksdb.Bytes.list;
import static org.rocksdb.Bytes.s;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The forms of a transaction's calls, with both kinds of transactions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionFormsTest {
  enum Kind { PESSIMISTIC, OPTIMISTIC }

  @TempDir static Path folder;

  private final DBOptions options =
      new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
  private final ColumnFamilyOptions appends =
      new ColumnFamilyOptions().setMergeOperatorName("stringappend");
  private final TransactionDBOptions locks =
      new TransactionDBOptions().setTransactionLockTimeout(0).setDefaultLockTimeout(0);
  private final WriteOptions write = new WriteOptions();
  private final ReadOptions read = new ReadOptions();
  private final Map<Kind, RocksDB> databases = new EnumMap<>(Kind.class);
  private final Map<Kind, ColumnFamilyHandle> families = new EnumMap<>(Kind.class);
  private int keys;

  @BeforeAll
  void open() throws Exception {
    final List<ColumnFamilyDescriptor> all =
        Arrays.asList(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, appends),
            new ColumnFamilyDescriptor(b("f"), appends));
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    databases.put(Kind.PESSIMISTIC,
        TransactionDB.open(options, locks, folder.resolve("locking").toString(), all, handles));
    families.put(Kind.PESSIMISTIC, handles.get(1));
    handles.clear();
    databases.put(Kind.OPTIMISTIC,
        OptimisticTransactionDB.open(options, folder.resolve("checking").toString(), all, handles));
    families.put(Kind.OPTIMISTIC, handles.get(1));
  }

  @AfterAll
  void close() {
    databases.values().forEach(RocksDB::close);
    read.close();
    write.close();
    locks.close();
    appends.close();
    options.close();
  }

  private Transaction begin(final Kind kind) {
    return kind == Kind.PESSIMISTIC
        ? ((TransactionDB) databases.get(kind)).beginTransaction(write)
        : ((OptimisticTransactionDB) databases.get(kind)).beginTransaction(write);
  }

  private String freshKey() {
    return String.format("key%04d", keys++);
  }

  interface Writing {
    void write(Transaction txn, ColumnFamilyHandle family, String key, String value)
        throws RocksDBException;
  }

  interface Reading {
    String read(Transaction txn, ReadOptions read, ColumnFamilyHandle family, String key)
        throws RocksDBException;
  }

  private static final class Forms<T> {
    final List<Object[]> all = new ArrayList<>();

    Forms<T> plain(final String name, final T call) {
      all.add(new Object[] {name, false, call});
      return this;
    }

    Forms<T> family(final String name, final T call) {
      all.add(new Object[] {"family, " + name, true, call});
      return this;
    }

    Stream<Arguments> withKinds() {
      return Stream.of(Kind.values()).flatMap(kind -> all.stream().map(
          form -> Arguments.of(kind, form[0], form[1], form[2])));
    }
  }

  // A key and a value in several parts, which are joined.
  private static byte[][] parts(final String text) {
    final int middle = text.length() / 2;
    return new byte[][] {b(text.substring(0, middle)), b(""), b(text.substring(middle))};
  }

  static Stream<Arguments> puts() {
    return new Forms<Writing>()
        .plain("arrays", (t, f, k, v) -> t.put(b(k), b(v)))
        .plain("parts", (t, f, k, v) -> t.put(parts(k), parts(v)))
        .plain("direct", (t, f, k, v) -> t.put(inside(true, k), inside(true, v)))
        .plain("heap", (t, f, k, v) -> t.put(inside(false, k), inside(false, v)))
        .plain("untracked", (t, f, k, v) -> t.putUntracked(b(k), b(v)))
        .plain("untracked parts", (t, f, k, v) -> t.putUntracked(parts(k), parts(v)))
        .family("arrays", (t, f, k, v) -> t.put(f, b(k), b(v)))
        .family("arrays, tracked", (t, f, k, v) -> t.put(f, b(k), b(v), false))
        .family("parts", (t, f, k, v) -> t.put(f, parts(k), parts(v)))
        .family("parts, tracked", (t, f, k, v) -> t.put(f, parts(k), parts(v), false))
        .family("direct", (t, f, k, v) -> t.put(f, inside(true, k), inside(true, v)))
        .family("heap", (t, f, k, v) -> t.put(f, inside(false, k), inside(false, v)))
        .family("direct, tracked",
            (t, f, k, v) -> t.put(f, inside(true, k), inside(true, v), false))
        .family("untracked", (t, f, k, v) -> t.putUntracked(f, b(k), b(v)))
        .family("untracked parts", (t, f, k, v) -> t.putUntracked(f, parts(k), parts(v)))
        .withKinds();
  }

  static Stream<Arguments> merges() {
    return new Forms<Writing>()
        .plain("arrays", (t, f, k, v) -> t.merge(b(k), b(v)))
        .plain("direct", (t, f, k, v) -> t.merge(inside(true, k), inside(true, v)))
        .plain("heap", (t, f, k, v) -> t.merge(inside(false, k), inside(false, v)))
        .plain("untracked", (t, f, k, v) -> t.mergeUntracked(b(k), b(v)))
        .plain("untracked direct",
            (t, f, k, v) -> t.mergeUntracked(inside(true, k), inside(true, v)))
        .plain("untracked heap",
            (t, f, k, v) -> t.mergeUntracked(inside(false, k), inside(false, v)))
        .family("arrays", (t, f, k, v) -> t.merge(f, b(k), b(v)))
        .family("arrays, tracked", (t, f, k, v) -> t.merge(f, b(k), b(v), false))
        .family("direct", (t, f, k, v) -> t.merge(f, inside(true, k), inside(true, v)))
        .family("heap", (t, f, k, v) -> t.merge(f, inside(false, k), inside(false, v)))
        .family("direct, tracked",
            (t, f, k, v) -> t.merge(f, inside(true, k), inside(true, v), false))
        .family("untracked", (t, f, k, v) -> t.mergeUntracked(f, b(k), b(v)))
        .family("untracked direct",
            (t, f, k, v) -> t.mergeUntracked(f, inside(true, k), inside(true, v)))
        .withKinds();
  }

  static Stream<Arguments> deletes() {
    return new Forms<Writing>()
        .plain("array", (t, f, k, v) -> t.delete(b(k)))
        .plain("parts", (t, f, k, v) -> t.delete(parts(k)))
        .plain("single", (t, f, k, v) -> t.singleDelete(b(k)))
        .plain("single parts", (t, f, k, v) -> t.singleDelete(parts(k)))
        .plain("untracked", (t, f, k, v) -> t.deleteUntracked(b(k)))
        .plain("untracked parts", (t, f, k, v) -> t.deleteUntracked(parts(k)))
        .family("array", (t, f, k, v) -> t.delete(f, b(k)))
        .family("array, tracked", (t, f, k, v) -> t.delete(f, b(k), false))
        .family("parts", (t, f, k, v) -> t.delete(f, parts(k)))
        .family("parts, tracked", (t, f, k, v) -> t.delete(f, parts(k), false))
        .family("single", (t, f, k, v) -> t.singleDelete(f, b(k)))
        .family("single, tracked", (t, f, k, v) -> t.singleDelete(f, b(k), false))
        .family("single parts", (t, f, k, v) -> t.singleDelete(f, parts(k)))
        .family("untracked", (t, f, k, v) -> t.deleteUntracked(f, b(k)))
        .family("untracked parts", (t, f, k, v) -> t.deleteUntracked(f, parts(k)))
        .withKinds();
  }

  private static String s(final GetStatus found, final byte[] value) {
    if (found.status.getCode() == Status.Code.NotFound) {
      assertEquals(0, found.requiredSize);
      return null;
    }
    assertEquals(Status.Code.Ok, found.status.getCode());
    return Bytes.s(Arrays.copyOf(value, found.requiredSize));
  }

  private static String s(final GetStatus found, final ByteBuffer key, final ByteBuffer value) {
    assertEquals(key.limit(), key.position());
    if (found.status.getCode() == Status.Code.NotFound) {
      assertEquals(2, value.position());
      return null;
    }
    // Unlike with a database, the position moves behind the value.
    assertEquals(2 + found.requiredSize, value.position());
    assertEquals(value.capacity(), value.limit());
    ((Buffer) value).flip();
    ((Buffer) value).position(2);
    return Bytes.s(value);
  }

  interface BufferCall {
    GetStatus get(ByteBuffer key, ByteBuffer value) throws RocksDBException;
  }

  interface ArrayCall {
    GetStatus get(byte[] key, byte[] value) throws RocksDBException;
  }

  private static String into(final String key, final ArrayCall call) throws RocksDBException {
    final byte[] value = new byte[20];
    return s(call.get(b(key), value), value);
  }

  private static String into(final boolean isDirect, final String key, final BufferCall call)
      throws RocksDBException {
    final ByteBuffer wanted = inside(isDirect, key);
    final ByteBuffer value = empty(isDirect, 20);
    ((Buffer) value).position(2);
    return s(call.get(wanted, value), wanted, value);
  }

  private static Forms<Reading> someGets() {
    return new Forms<Reading>()
        .plain("get", (t, r, f, k) -> Bytes.s(t.get(r, b(k))))
        .plain("get into an array", (t, r, f, k) -> into(k, (x, v) -> t.get(r, x, v)))
        .plain("get direct", (t, r, f, k) -> into(true, k, (x, v) -> t.get(r, x, v)))
        .plain("get heap", (t, r, f, k) -> into(false, k, (x, v) -> t.get(r, x, v)))
        .plain("multiGet", (t, r, f, k) -> Bytes.s(t.multiGet(r, new byte[][] {b(k)})[0]))
        .plain("multiGetAsList", (t, r, f, k) -> Bytes.s(t.multiGetAsList(r, list(k)).get(0)))
        .family("get", (t, r, f, k) -> Bytes.s(t.get(r, f, b(k))))
        .family("get, the other order", (t, r, f, k) -> Bytes.s(t.get(f, r, b(k))))
        .family("get into an array", (t, r, f, k) -> into(k, (x, v) -> t.get(r, f, x, v)))
        .family("get direct", (t, r, f, k) -> into(true, k, (x, v) -> t.get(r, f, x, v)))
        .family("get heap", (t, r, f, k) -> into(false, k, (x, v) -> t.get(r, f, x, v)))
        .family("multiGet",
            (t, r, f, k) -> Bytes.s(t.multiGet(r, Arrays.asList(f), new byte[][] {b(k)})[0]))
        .family("multiGetAsList, one family",
            (t, r, f, k) -> Bytes.s(t.multiGetAsList(r, f, list(k)).get(0)))
        .family("multiGetAsList",
            (t, r, f, k) -> Bytes.s(t.multiGetAsList(r, Arrays.asList(f), list(k)).get(0)));
  }

  static Stream<Arguments> gets() {
    return someGets().withKinds();
  }

  static Stream<Arguments> getsForUpdate() {
    return new Forms<Reading>()
        .plain("array", (t, r, f, k) -> Bytes.s(t.getForUpdate(r, b(k), true)))
        .plain("into an array",
            (t, r, f, k) -> into(k, (x, v) -> t.getForUpdate(r, x, v, true)))
        .plain("direct", (t, r, f, k) -> into(true, k, (x, v) -> t.getForUpdate(r, x, v, true)))
        .plain("heap", (t, r, f, k) -> into(false, k, (x, v) -> t.getForUpdate(r, x, v, true)))
        .plain("multiGet",
            (t, r, f, k) -> Bytes.s(t.multiGetForUpdate(r, new byte[][] {b(k)})[0]))
        .plain("multiGetAsList",
            (t, r, f, k) -> Bytes.s(t.multiGetForUpdateAsList(r, list(k)).get(0)))
        .family("array", (t, r, f, k) -> Bytes.s(t.getForUpdate(r, f, b(k), true)))
        .family("array, validated",
            (t, r, f, k) -> Bytes.s(t.getForUpdate(r, f, b(k), true, true)))
        .family("into an array",
            (t, r, f, k) -> into(k, (x, v) -> t.getForUpdate(r, f, x, v, true)))
        .family("into an array, validated",
            (t, r, f, k) -> into(k, (x, v) -> t.getForUpdate(r, f, x, v, true, true)))
        .family("direct",
            (t, r, f, k) -> into(true, k, (x, v) -> t.getForUpdate(r, f, x, v, true)))
        .family("heap, validated",
            (t, r, f, k) -> into(false, k, (x, v) -> t.getForUpdate(r, f, x, v, true, true)))
        .family("multiGet", (t, r, f, k) -> Bytes.s(t.multiGetForUpdate(
            r, Arrays.asList(f), new byte[][] {b(k)})[0]))
        .family("multiGetAsList", (t, r, f, k) -> Bytes.s(t.multiGetForUpdateAsList(
            r, Arrays.asList(f), list(k)).get(0)))
        .withKinds();
  }

  private ColumnFamilyHandle family(final Kind kind, final boolean hasFamily) {
    return hasFamily ? families.get(kind) : databases.get(kind).getDefaultColumnFamily();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("puts")
  void puts(final Kind kind, final String name, final boolean hasFamily, final Writing form)
      throws Exception {
    final RocksDB db = databases.get(kind);
    final ColumnFamilyHandle in = family(kind, hasFamily);
    final String key = freshKey();
    try (Transaction txn = begin(kind)) {
      form.write(txn, families.get(kind), key, "value");
      assertEquals("value", Bytes.s(txn.get(read, in, b(key))));
      assertNull(db.get(in, b(key)));
      assertEquals(1, txn.getNumPuts());
      txn.rollback();
      assertNull(db.get(in, b(key)));
    }
    try (Transaction txn = begin(kind)) {
      form.write(txn, families.get(kind), key, "value");
      txn.commit();
      assertEquals("value", Bytes.s(db.get(in, b(key))));
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("merges")
  void merges(final Kind kind, final String name, final boolean hasFamily, final Writing form)
      throws Exception {
    final String key = freshKey();
    try (Transaction txn = begin(kind)) {
      form.write(txn, families.get(kind), key, "a");
      form.write(txn, families.get(kind), key, "b");
      assertEquals(2, txn.getNumMerges());
      assertEquals("a,b", Bytes.s(txn.get(read, family(kind, hasFamily), b(key))));
      txn.commit();
    }
    assertEquals(
        "a,b", Bytes.s(databases.get(kind).get(family(kind, hasFamily), b(key))));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("deletes")
  void deletes(final Kind kind, final String name, final boolean hasFamily, final Writing form)
      throws Exception {
    final RocksDB db = databases.get(kind);
    final ColumnFamilyHandle in = family(kind, hasFamily);
    final String key = freshKey();
    db.put(in, b(key), b("value"));
    try (Transaction txn = begin(kind)) {
      form.write(txn, families.get(kind), key, null);
      assertNull(txn.get(read, in, b(key)));
      assertEquals("value", Bytes.s(db.get(in, b(key))));
      assertEquals(1, txn.getNumDeletes());
      txn.commit();
    }
    assertNull(db.get(in, b(key)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("gets")
  void gets(final Kind kind, final String name, final boolean hasFamily, final Reading form)
      throws Exception {
    final ColumnFamilyHandle in = family(kind, hasFamily);
    final String key = freshKey();
    try (Transaction txn = begin(kind)) {
      assertNull(form.read(txn, read, families.get(kind), key));
      databases.get(kind).put(in, b(key), b("stored"));
      assertEquals("stored", form.read(txn, read, families.get(kind), key));
      txn.put(in, b(key), b("mine"));
      assertEquals("mine", form.read(txn, read, families.get(kind), key));
      txn.delete(in, b(key));
      assertNull(form.read(txn, read, families.get(kind), key));
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("getsForUpdate")
  void getsForUpdate(final Kind kind, final String name, final boolean hasFamily,
      final Reading form) throws Exception {
    final ColumnFamilyHandle in = family(kind, hasFamily);
    final String key = freshKey();
    try (Transaction txn = begin(kind); Transaction other = begin(kind)) {
      assertNull(form.read(txn, read, families.get(kind), key));
      if (kind == Kind.PESSIMISTIC) {
        // It has the lock.
        final RocksDBException thrown = assertThrows(
            RocksDBException.class, () -> other.put(in, b(key), b("other")));
        assertEquals(Status.Code.TimedOut, thrown.getStatus().getCode());
        txn.put(in, b(key), b("mine"));
        txn.commit();
        assertEquals("mine", form.read(other, read, families.get(kind), key));
      } else {
        // What it has read must be the same when it is committed.
        other.put(in, b(key), b("other"));
        other.commit();
        txn.put(in, b(key + "x"), b("mine"));
        final RocksDBException thrown = assertThrows(RocksDBException.class, txn::commit);
        assertEquals(Status.Code.Busy, thrown.getStatus().getCode());
        assertNull(databases.get(kind).get(in, b(key + "x")));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void iterators(final Kind kind) throws Exception {
    final ColumnFamilyHandle family = families.get(kind);
    databases.get(kind).put(b("x1"), b("stored"));
    databases.get(kind).put(family, b("x2"), b("stored"));
    try (Transaction txn = begin(kind)) {
      txn.put(b("x3"), b("mine"));
      txn.put(family, b("x4"), b("mine"));
      final List<RocksIterator> all = Arrays.asList(txn.getIterator(), txn.getIterator(read),
          txn.getIterator(family), txn.getIterator(read, family));
      final String[] expected = {"x1x3", "x1x3", "x2x4", "x2x4"};
      for (int i = 0; i < all.size(); i++) {
        final StringBuilder seen = new StringBuilder();
        try (RocksIterator it = all.get(i)) {
          for (it.seek(b("x")); it.isValid(); it.next()) {
            seen.append(Bytes.s(it.key()));
          }
        }
        assertEquals(expected[i], seen.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void iteratorsSeeWhatIsAddedBehindThem(final Kind kind) throws Exception {
    try (Transaction txn = begin(kind); RocksIterator it = txn.getIterator()) {
      for (int i = 0; i < 50; i++) {
        txn.put(b(String.format("z%02d", 2 * i)), b("v"));
      }
      it.seek(b("z"));
      for (int i = 0; i < 50; i++) {
        assertEquals(String.format("z%02d", i), Bytes.s(it.key()));
        txn.put(b(String.format("z%02d", i + 1)), b("w"));
        it.next();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void counts(final Kind kind) throws Exception {
    try (Transaction txn = begin(kind)) {
      assertEquals(0, txn.getNumKeys());
      txn.put(b("n1"), b("v"));
      txn.put(b("n2"), b("v"));
      txn.put(b("n2"), b("w"));
      txn.delete(b("n3"));
      txn.merge(b("n4"), b("v"));
      assertEquals(4, txn.getNumKeys());
      assertEquals(3, txn.getNumPuts());
      assertEquals(1, txn.getNumDeletes());
      assertEquals(1, txn.getNumMerges());
      assertTrue(txn.getElapsedTime() >= 0);
      assertEquals(5, txn.getWriteBatch().count());
      txn.putLogData(b("note"));
      assertEquals(5, txn.getWriteBatch().count());
      txn.rollback();
      assertEquals(0, txn.getNumKeys());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void savePoints(final Kind kind) throws Exception {
    final String key = freshKey();
    try (Transaction txn = begin(kind)) {
      txn.put(b(key), b("first"));
      txn.setSavePoint();
      txn.put(b(key), b("second"));
      txn.setSavePoint();
      txn.delete(b(key));
      assertNull(txn.get(read, b(key)));
      txn.rollbackToSavePoint();
      assertEquals("second", Bytes.s(txn.get(read, b(key))));
      txn.rollbackToSavePoint();
      assertEquals("first", Bytes.s(txn.get(read, b(key))));
      final RocksDBException thrown =
          assertThrows(RocksDBException.class, txn::rollbackToSavePoint);
      assertEquals(Status.Code.NotFound, thrown.getStatus().getCode());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void indexing(final Kind kind) throws Exception {
    final String key = freshKey();
    try (Transaction txn = begin(kind)) {
      txn.disableIndexing();
      txn.put(b(key), b("unseen"));
      assertNull(txn.get(read, b(key)));
      txn.enableIndexing();
      txn.put(b(key + "x"), b("seen"));
      assertEquals("seen", Bytes.s(txn.get(read, b(key + "x"))));
      txn.commit();
    }
    assertEquals("unseen", Bytes.s(databases.get(kind).get(b(key))));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void snapshots(final Kind kind) throws Exception {
    final String key = freshKey();
    final RocksDB db = databases.get(kind);
    db.put(b(key), b("old"));
    try (Transaction txn = begin(kind); ReadOptions then = new ReadOptions()) {
      assertNull(txn.getSnapshot());
      txn.setSnapshot();
      then.setSnapshot(txn.getSnapshot());
      db.put(b(key), b("new"));
      assertEquals("old", Bytes.s(txn.get(then, b(key))));
      assertEquals("new", Bytes.s(txn.get(read, b(key))));
      then.setSnapshot(null);
      txn.clearSnapshot();
      assertNull(txn.getSnapshot());
      txn.setSnapshotOnNextOperation();
      assertNull(txn.getSnapshot());
      txn.put(b(key + "x"), b("v"));
      assertTrue(txn.getSnapshot().getSequenceNumber() > 0);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void conflictsWithItsSnapshot(final Kind kind) throws Exception {
    final String key = freshKey();
    final RocksDB db = databases.get(kind);
    try (Transaction txn = begin(kind)) {
      txn.setSnapshot();
      db.put(b(key), b("newer"));
      final RocksDBException thrown = assertThrows(RocksDBException.class, () -> {
        txn.put(b(key), b("mine"));
        txn.commit();
      });
      assertEquals(Status.Code.Busy, thrown.getStatus().getCode());
    }
    assertEquals("newer", Bytes.s(db.get(b(key))));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatItWasGiven(final Kind kind) throws Exception {
    try (Transaction txn = begin(kind); WriteOptions other = new WriteOptions()) {
      assertFalse(txn.getWriteOptions().disableWAL());
      other.setDisableWAL(true);
      txn.setWriteOptions(other);
      assertTrue(txn.getWriteOptions().disableWAL());
      assertEquals(other.sync(), txn.getWriteOptions().sync());
      txn.setLogNumber(1234);
      assertEquals(1234, txn.getLogNumber());
      assertEquals(0, txn.getCommitTimeWriteBatch().count());
      assertEquals(Transaction.TransactionState.STARTED, txn.getState());
      try (WriteBatch batch = new WriteBatch()) {
        batch.put(b("from a batch"), b("v"));
        txn.rebuildFromWriteBatch(batch);
      }
      assertEquals("v", Bytes.s(txn.get(read, b("from a batch"))));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void itIsUsedAgain(final Kind kind) throws Exception {
    try (Transaction txn = begin(kind)) {
      final String key = freshKey();
      txn.put(b(key), b("v"));
      txn.commit();
      final Transaction again = kind == Kind.PESSIMISTIC
          ? ((TransactionDB) databases.get(kind)).beginTransaction(write, txn)
          : ((OptimisticTransactionDB) databases.get(kind)).beginTransaction(write, txn);
      assertTrue(txn == again);
      assertEquals(0, txn.getNumKeys());
      txn.delete(b(key));
      txn.commit();
      assertNull(databases.get(kind).get(b(key)));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void severalKeysOfSeveralFamilies(final Kind kind) throws Exception {
    final ColumnFamilyHandle first = databases.get(kind).getDefaultColumnFamily();
    final ColumnFamilyHandle second = families.get(kind);
    final String key = freshKey();
    try (Transaction txn = begin(kind)) {
      txn.put(first, b(key), b("one"));
      txn.put(second, b(key), b("two"));
      final List<ColumnFamilyHandle> handles = Arrays.asList(second, first, second);
      final List<byte[]> wanted = list(key, key, key + "x");
      final List<String> expected = Arrays.asList("two", "one", null);
      assertEquals(expected, texts(txn.multiGetAsList(read, handles, wanted)));
      assertEquals(expected, texts(txn.multiGetForUpdateAsList(read, handles, wanted)));
      assertThrows(IllegalArgumentException.class,
          () -> txn.multiGetAsList(read, handles, list(key)));
      assertThrows(IllegalArgumentException.class,
          () -> txn.multiGetForUpdateAsList(read, handles, list(key)));
    }
  }

  private static List<String> texts(final List<byte[]> values) {
    return values.stream().map(Bytes::s).collect(Collectors.toList());
  }
}
