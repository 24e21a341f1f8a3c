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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases of all kinds: how they are opened, their families, and how they end. */
class DatabaseKindsTest {
  @TempDir Path folder;

  private final Options options = new Options().setCreateIfMissing(true);
  private final DBOptions dbOptions =
      new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
  private final TransactionDBOptions locks = new TransactionDBOptions();

  @AfterEach
  void closeOptions() {
    locks.close();
    dbOptions.close();
    options.close();
  }

  private String path() {
    return folder.resolve("db").toString();
  }

  /** A database without a list of families, or with one. */
  interface Opening {
    RocksDB open(Options options, TransactionDBOptions locks, String path) throws RocksDBException;
  }

  interface ListOpening {
    RocksDB open(DBOptions options, TransactionDBOptions locks, String path,
        List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
        throws RocksDBException;
  }

  enum Kind {
    PLAIN((o, l, p) -> RocksDB.open(o, p), (o, l, p, f, h) -> RocksDB.open(o, p, f, h)),
    PESSIMISTIC((o, l, p) -> TransactionDB.open(o, l, p),
        (o, l, p, f, h) -> TransactionDB.open(o, l, p, f, h)),
    OPTIMISTIC((o, l, p) -> OptimisticTransactionDB.open(o, p),
        (o, l, p, f, h) -> OptimisticTransactionDB.open(o, p, f, h)),
    TTL((o, l, p) -> TtlDB.open(o, p),
        (o, l, p, f, h) -> TtlDB.open(o, p, f, h, Collections.nCopies(f.size(), 0), false));

    final Opening plain;
    final ListOpening withList;

    Kind(final Opening plain, final ListOpening withList) {
      this.plain = plain;
      this.withList = withList;
    }
  }

  private RocksDB open(final Kind kind) throws RocksDBException {
    return kind.plain.open(options, locks, path());
  }

  private RocksDB open(final Kind kind, final List<ColumnFamilyHandle> handles,
      final String... names) throws RocksDBException {
    final List<ColumnFamilyDescriptor> families = new ArrayList<>();
    for (final String name : names) {
      families.add(new ColumnFamilyDescriptor(b(name)));
    }
    return kind.withList.open(dbOptions, locks, path(), families, handles);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void keepsWhatIsWritten(final Kind kind) throws Exception {
    try (RocksDB db = open(kind)) {
      assertEquals(path(), db.getName());
      assertSame(Env.getDefault(), db.getEnv());
      assertFalse(db.isClosed());
      db.put(b("k"), b("v"));
      assertEquals("v", s(db.get(b("k"))));
    }
    try (RocksDB db = open(kind)) {
      assertEquals("v", s(db.get(b("k"))));
      db.delete(b("k"));
      assertNull(db.get(b("k")));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void hasADefaultFamily(final Kind kind) throws Exception {
    try (RocksDB db = open(kind)) {
      final ColumnFamilyHandle family = db.getDefaultColumnFamily();
      assertArrayEquals(RocksDB.DEFAULT_COLUMN_FAMILY, family.getName());
      assertEquals(0, family.getID());
      assertEquals(family, db.getDefaultColumnFamily());
      family.close();
      db.put(db.getDefaultColumnFamily(), b("k"), b("v"));
      assertEquals("v", s(db.get(b("k"))));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void familiesInAnyOrder(final Kind kind) throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDB db = open(kind, handles, "one", "default", "two")) {
      assertEquals(3, handles.size());
      assertEquals("one", s(handles.get(0).getName()));
      assertEquals("default", s(handles.get(1).getName()));
      db.put(handles.get(1), b("k"), b("v"));
      assertEquals("v", s(db.get(b("k"))));
      assertSame(handles.get(1), db.getDefaultColumnFamily());
      assertNull(db.get(handles.get(0), b("k")));
    }
    for (final ColumnFamilyHandle handle : handles) {
      DatabaseTest.assertClosed(handle::getName);
      handle.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theDefaultFamilyIsAsked(final Kind kind) {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    assertThrows(IllegalArgumentException.class, () -> open(kind, handles, "one", "two"));
    assertEquals(0, handles.size());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void familiesThatAreNotThere(final Kind kind) throws Exception {
    open(kind).close();
    dbOptions.setCreateMissingColumnFamilies(false);
    final RocksDBException thrown = assertThrows(
        RocksDBException.class, () -> open(kind, new ArrayList<>(), "default", "none"));
    assertEquals(Status.Code.InvalidArgument, thrown.getStatus().getCode());
    // It is not left open.
    open(kind).close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void allFamiliesMustBeNamed(final Kind kind) throws Exception {
    open(kind, new ArrayList<>(), "default", "one").close();
    final RocksDBException thrown = assertThrows(
        RocksDBException.class, () -> open(kind, new ArrayList<>(), "default"));
    assertEquals(Status.Code.InvalidArgument, thrown.getStatus().getCode());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void isOpenedOnce(final Kind kind) throws Exception {
    try (RocksDB db = open(kind)) {
      final RocksDBException thrown = assertThrows(RocksDBException.class, () -> open(kind));
      assertEquals(Status.Code.IOError, thrown.getStatus().getCode());
      assertEquals(Status.SubCode.None, thrown.getStatus().getSubCode());
      assertTrue(thrown.getStatus().getState().contains("lock "), thrown.getMessage());
      db.put(b("k"), b("v"));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void isNotMadeUnlessAskedFor(final Kind kind) {
    options.setCreateIfMissing(false);
    final RocksDBException thrown = assertThrows(RocksDBException.class, () -> open(kind));
    assertEquals(Status.Code.InvalidArgument, thrown.getStatus().getCode());
    assertTrue(thrown.getMessage().contains("create_if_missing"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains(path()), thrown.getMessage());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void isNotMadeTwiceIfForbidden(final Kind kind) throws Exception {
    open(kind).close();
    options.setErrorIfExists(true);
    final RocksDBException thrown = assertThrows(RocksDBException.class, () -> open(kind));
    assertEquals(Status.Code.InvalidArgument, thrown.getStatus().getCode());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void isClosedTwice(final Kind kind) throws Exception {
    final RocksDB db = open(kind);
    db.close();
    assertTrue(db.isClosed());
    db.close();
    db.closeE();
    final RocksDB again = open(kind);
    again.closeE();
    assertTrue(again.isClosed());
    again.close();
    open(kind).close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void closingWithErrorsClosesFamiliesToo(final Kind kind) throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    final RocksDB db = open(kind, handles, "default", "one");
    db.closeE();
    for (final ColumnFamilyHandle handle : handles) {
      DatabaseTest.assertClosed(handle::getID);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void familiesAreMadeAndDropped(final Kind kind) throws Exception {
    try (RocksDB db = open(kind)) {
      final ColumnFamilyHandle one = db.createColumnFamily(new ColumnFamilyDescriptor(b("one")));
      final List<ColumnFamilyHandle> more;
      try (ColumnFamilyOptions family = new ColumnFamilyOptions().setNumLevels(3)) {
        more = db.createColumnFamilies(family, Bytes.list("two", "three"));
      }
      assertEquals(1, one.getID());
      assertEquals(3, more.get(1).getID());
      assertEquals(3, more.get(0).getDescriptor().getOptions().numLevels());
      final List<ColumnFamilyHandle> last = db.createColumnFamilies(
          Arrays.asList(new ColumnFamilyDescriptor(b("\0")), new ColumnFamilyDescriptor(
              new byte[] {1, 0, -1})));
      assertArrayEquals(new byte[] {1, 0, -1}, last.get(1).getName());
      assertThrows(RocksDBException.class,
          () -> db.createColumnFamily(new ColumnFamilyDescriptor(b("one"))));
      db.put(one, b("k"), b("v"));
      db.dropColumnFamily(one);
      assertTrue(one.isOwningHandle());
      assertEquals("v", s(db.get(one, b("k"))));
      assertThrows(RocksDBException.class, () -> db.dropColumnFamily(one));
      assertThrows(
          RocksDBException.class, () -> db.dropColumnFamily(db.getDefaultColumnFamily()));
      db.dropColumnFamilies(more);
      db.destroyColumnFamilyHandle(one);
      assertFalse(one.isOwningHandle());
      db.destroyColumnFamilyHandle(one);
      assertTrue(last.get(0).isOwningHandle());
    }
    assertEquals(3, RocksDB.listColumnFamilies(options, path()).size());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsDroppedStopsNothingElse(final Kind kind) throws Exception {
    try (RocksDB db = open(kind); FlushOptions flush = new FlushOptions()) {
      final ColumnFamilyHandle one = db.createColumnFamily(new ColumnFamilyDescriptor(b("one")));
      db.dropColumnFamily(one);
      assertThrows(RocksDBException.class, () -> db.put(one, b("k"), b("v")));
      db.put(b("k"), b("v"));
      assertEquals("v", s(db.get(b("k"))));
      final RocksDBException thrown =
          assertThrows(RocksDBException.class, () -> db.setOptions(one,
              MutableColumnFamilyOptions.builder().setWriteBufferSize(1 << 20).build()));
      assertNotNull(thrown.getStatus());
      try {
        db.flush(flush, one);
      } catch (final RocksDBException e) {
        assertEquals(Status.Code.ColumnFamilyDropped, e.getStatus().getCode());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void handlesAreEqualByWhatTheyStandFor(final Kind kind) throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDB db = open(kind, handles, "default", "one")) {
      assertEquals(handles.get(0), db.getDefaultColumnFamily());
      assertEquals(handles.get(0).hashCode(), db.getDefaultColumnFamily().hashCode());
      assertFalse(handles.get(0).equals(handles.get(1)));
      assertFalse(handles.get(0).equals(null));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void iteratesAndTakesSnapshots(final Kind kind) throws Exception {
    try (RocksDB db = open(kind); ReadOptions read = new ReadOptions()) {
      db.put(b("a"), b("1"));
      final Snapshot snapshot = db.getSnapshot();
      db.put(b("b"), b("2"));
      read.setSnapshot(snapshot);
      assertEquals(snapshot.getSequenceNumber(), read.snapshot().getSequenceNumber());
      assertNull(db.get(read, b("b")));
      try (RocksIterator it = db.newIterator(read)) {
        it.seekToLast();
        assertEquals("a", s(it.key()));
        assertEquals("1", s(it.value()));
      }
      db.releaseSnapshot(snapshot);
      read.setSnapshot(null);
      assertEquals("2", s(db.get(read, b("b"))));
      assertTrue(db.getLatestSequenceNumber() >= 2);
    }
  }

  // Read-only and following ones.

  @Test
  void readsWithoutWriting() throws Exception {
    open(Kind.PLAIN, new ArrayList<>(), "default", "f").close();
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDB db = RocksDB.open(path(), Arrays.asList(
             new ColumnFamilyDescriptor(b("default")), new ColumnFamilyDescriptor(b("f"))),
             handles)) {
      db.put(b("k"), b("v"));
      db.put(handles.get(1), b("k"), b("w"));
    }
    handles.clear();
    try (RocksDB db = RocksDB.openReadOnly(path(), Arrays.asList(
             new ColumnFamilyDescriptor(b("default")), new ColumnFamilyDescriptor(b("f"))),
             handles);
         WriteBatch batch = new WriteBatch(); WriteOptions write = new WriteOptions()) {
      assertEquals("v", s(db.get(b("k"))));
      assertEquals("w", s(db.get(handles.get(1), b("k"))));
      batch.put(b("a"), b("b"));
      for (final org.junit.jupiter.api.function.Executable call :
          Arrays.<org.junit.jupiter.api.function.Executable>asList(
              () -> db.put(b("a"), b("b")), () -> db.delete(b("a")),
              () -> db.put(handles.get(1), b("a"), b("b")), () -> db.write(write, batch),
              () -> db.merge(b("a"), b("b")), () -> db.deleteRange(b("a"), b("b")),
              () -> db.compactRange())) {
        final RocksDBException thrown = assertThrows(RocksDBException.class, call);
        assertEquals(Status.Code.NotSupported, thrown.getStatus().getCode());
      }
    }
    // A part of the families will do, if the default one is among them.
    try (RocksDB db = RocksDB.openReadOnly(path())) {
      assertEquals("v", s(db.get(b("k"))));
    }
    assertThrows(IllegalArgumentException.class, () -> RocksDB.openReadOnly(
        path(), Arrays.asList(new ColumnFamilyDescriptor(b("f"))), new ArrayList<>()));
  }

  @Test
  void logsMayBeForbidden() throws Exception {
    open(Kind.PLAIN).close();
    RocksDB.openReadOnly(options, path(), false).close();
    Files.write(folder.resolve("db/999999.log"), new byte[] {1});
    assertThrows(RocksDBException.class, () -> RocksDB.openReadOnly(options, path(), true));
    RocksDB.openReadOnly(options, path(), false).close();
  }

  @Test
  void nothingToRead() {
    options.setCreateIfMissing(false);
    final RocksDBException thrown =
        assertThrows(RocksDBException.class, () -> RocksDB.openReadOnly(options, path()));
    assertEquals(Status.Code.IOError, thrown.getStatus().getCode());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void followsAnother(final boolean withList) throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    final List<ColumnFamilyHandle> followed = new ArrayList<>();
    options.setMaxOpenFiles(-1);
    try (RocksDB db = open(Kind.PLAIN, handles, "default", "f");
         RocksDB second = withList
             ? RocksDB.openAsSecondary(dbOptions, path(), folder.resolve("second").toString(),
                   Arrays.asList(new ColumnFamilyDescriptor(b("default")),
                       new ColumnFamilyDescriptor(b("f"))),
                   followed)
             : RocksDB.openAsSecondary(options, path(), folder.resolve("second").toString())) {
      db.put(b("k"), b("v"));
      db.put(handles.get(1), b("k"), b("w"));
      assertNull(second.get(b("k")));
      second.tryCatchUpWithPrimary();
      assertEquals("v", s(second.get(b("k"))));
      assertEquals(withList ? 2 : 0, followed.size());
      if (withList) {
        assertEquals("w", s(second.get(followed.get(1), b("k"))));
        // The default family has a handle apart from that of the list.
        assertEquals(followed.get(0), second.getDefaultColumnFamily());
        followed.get(0).close();
      }
      assertEquals("default", s(second.getDefaultColumnFamily().getName()));
      assertThrows(RocksDBException.class, () -> second.put(b("a"), b("b")));
    }
  }

  @Test
  void destroys() throws Exception {
    try (RocksDB db = open(Kind.PLAIN)) {
      db.put(b("k"), b("v"));
      assertThrows(RocksDBException.class, () -> RocksDB.destroyDB(path(), options));
      assertEquals("v", s(db.get(b("k"))));
    }
    RocksDB.destroyDB(path(), options);
    assertTrue(Files.notExists(folder.resolve("db"))
        || folder.resolve("db").toFile().list().length == 0);
    assertEquals(0, RocksDB.listColumnFamilies(options, path()).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "with blank", "\u00e4\u00f6\u00fc", "\ud83d\ude00", "a\\b"})
  void pathsOfAllKinds(final String name) throws Exception {
    final String path = folder.resolve(name).toString();
    try (RocksDB db = RocksDB.open(options, path)) {
      db.put(b("k"), b("v"));
      assertEquals(path, db.getName());
    }
    assertTrue(Files.isDirectory(folder.resolve(name)));
    assertTrue(Files.exists(folder.resolve(name).resolve("CURRENT")));
    assertEquals(1, RocksDB.listColumnFamilies(options, path).size());
  }

  @Test
  void livesForAWhile() throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    final List<ColumnFamilyDescriptor> families = Arrays.asList(
        new ColumnFamilyDescriptor(b("default")), new ColumnFamilyDescriptor(b("f")));
    assertThrows(IllegalArgumentException.class, () -> TtlDB.open(
        dbOptions, path(), families, handles, Arrays.asList(0), false));
    try (TtlDB db = TtlDB.open(dbOptions, path(), families, handles, Arrays.asList(0, 1), false)) {
      final ColumnFamilyHandle made =
          db.createColumnFamilyWithTtl(new ColumnFamilyDescriptor(b("g")), 1);
      for (final ColumnFamilyHandle each : Arrays.asList(handles.get(0), handles.get(1), made)) {
        db.put(each, b("k"), b("v"));
        assertEquals("v", s(db.get(each, b("k"))));
      }
      Thread.sleep(2_100);
      for (final ColumnFamilyHandle each : Arrays.asList(handles.get(0), handles.get(1), made)) {
        db.compactRange(each);
      }
      assertEquals("v", s(db.get(b("k"))));
      assertNull(db.get(handles.get(1), b("k")));
      assertNull(db.get(made, b("k")));
      db.close();
      DatabaseTest.assertClosed(made::getName);
    }
  }
}
