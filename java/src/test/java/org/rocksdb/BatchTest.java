package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.inside;
import static org.rocksdb.Bytes.s;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches with and without an index: their records, and what they do to a database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchTest {
  @TempDir static Path folder;

  private final DBOptions options =
      new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
  private final ColumnFamilyOptions appends =
      new ColumnFamilyOptions().setMergeOperatorName("stringappend");
  private final WriteOptions write = new WriteOptions();
  private final ReadOptions read = new ReadOptions();
  private final DBOptions plain = new DBOptions();
  private RocksDB db;
  private ColumnFamilyHandle family;

  @BeforeAll
  void open() throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    db = RocksDB.open(options, folder.resolve("db").toString(),
        Arrays.asList(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, appends),
            new ColumnFamilyDescriptor(b("f"), appends)),
        handles);
    family = handles.get(1);
  }

  @AfterAll
  void close() {
    db.close();
    plain.close();
    read.close();
    write.close();
    appends.close();
    options.close();
  }

  private void clear() throws Exception {
    for (final ColumnFamilyHandle each : Arrays.asList(db.getDefaultColumnFamily(), family)) {
      db.deleteRange(each, b("a"), b("zz"));
    }
  }

  enum Kind {
    PLAIN,
    INDEXED,
    OVERWRITING;

    AbstractWriteBatch make() {
      return this == PLAIN ? new WriteBatch() : new WriteBatchWithIndex(this == OVERWRITING);
    }
  }

  private void write(final AbstractWriteBatch batch) throws RocksDBException {
    if (batch instanceof WriteBatch) {
      db.write(write, (WriteBatch) batch);
    } else {
      db.write(write, (WriteBatchWithIndex) batch);
    }
  }

  private static String records(final AbstractWriteBatch batch) throws Exception {
    final List<String> seen = new ArrayList<>();
    try (HandlerForTests handler = new HandlerForTests(seen, null)) {
      batch.getWriteBatch().iterate(handler);
    }
    return seen.toString();
  }

  interface Adding {
    void to(AbstractWriteBatch batch, ColumnFamilyHandle family) throws RocksDBException;
  }

  static Stream<Arguments> additions() {
    final List<Object[]> forms = new ArrayList<>();
    add(forms, "put", "put 0 k v", (to, f) -> to.put(b("k"), b("v")));
    add(forms, "put direct", "put 0 k v", (to, f) -> to.put(inside(true, "k"), inside(true, "v")));
    add(forms, "put heap", "put 0 k v", (to, f) -> to.put(inside(false, "k"), inside(false, "v")));
    add(forms, "put, family", "put 1 k v", (to, f) -> to.put(f, b("k"), b("v")));
    add(forms, "put direct, family", "put 1 k v",
        (to, f) -> to.put(f, inside(true, "k"), inside(true, "v")));
    add(forms, "put heap, family", "put 1 k v",
        (to, f) -> to.put(f, inside(false, "k"), inside(false, "v")));
    add(forms, "put an empty key and value", "put 0  ", (to, f) -> to.put(b(""), b("")));
    add(forms, "merge", "merge 0 k v", (to, f) -> to.merge(b("k"), b("v")));
    add(forms, "merge, family", "merge 1 k v", (to, f) -> to.merge(f, b("k"), b("v")));
    add(forms, "delete", "delete 0 k", (to, f) -> to.delete(b("k")));
    add(forms, "delete direct", "delete 0 k", (to, f) -> to.delete(inside(true, "k")));
    add(forms, "delete heap", "delete 0 k", (to, f) -> to.delete(inside(false, "k")));
    add(forms, "delete, family", "delete 1 k", (to, f) -> to.delete(f, b("k")));
    add(forms, "delete direct, family", "delete 1 k", (to, f) -> to.delete(f, inside(true, "k")));
    add(forms, "delete heap, family", "delete 1 k", (to, f) -> to.delete(f, inside(false, "k")));
    add(forms, "singleDelete", "singleDelete 0 k", (to, f) -> to.singleDelete(b("k")));
    add(forms, "singleDelete, family", "singleDelete 1 k", (to, f) -> to.singleDelete(f, b("k")));
    return Stream.of(Kind.values()).flatMap(kind -> forms.stream().map(
        form -> Arguments.of(kind, form[0], form[1], form[2])));
  }

  private static void add(
      final List<Object[]> forms, final String name, final String record, final Adding adding) {
    forms.add(new Object[] {name, record, adding});
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("additions")
  void records(final Kind kind, final String name, final String record, final Adding adding)
      throws Exception {
    try (AbstractWriteBatch batch = kind.make()) {
      adding.to(batch, family);
      assertEquals("[" + record + "]", records(batch));
      assertEquals(1, batch.count());
      write(batch);
      batch.clear();
      assertEquals(0, batch.count());
      assertEquals("[]", records(batch));
    }
    clear();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void buffersAreConsumed(final Kind kind) throws Exception {
    try (AbstractWriteBatch batch = kind.make()) {
      for (final boolean isDirect : new boolean[] {true, false}) {
        final ByteBuffer key = inside(isDirect, "k");
        final ByteBuffer value = inside(isDirect, "value");
        batch.put(key, value);
        assertEquals(key.limit(), key.position());
        assertEquals(value.limit(), value.position());
        final ByteBuffer deleted = inside(isDirect, "k");
        batch.delete(deleted);
        assertEquals(deleted.limit(), deleted.position());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void allOrNothing(final Kind kind) throws Exception {
    db.put(b("old"), b("x"));
    try (AbstractWriteBatch batch = kind.make()) {
      batch.put(b("k1"), b("v1"));
      batch.merge(family, b("k2"), b("a"));
      batch.merge(family, b("k2"), b("b"));
      batch.delete(b("old"));
      assertNull(db.get(b("k1")));
      write(batch);
      assertEquals("v1", s(db.get(b("k1"))));
      assertEquals("a,b", s(db.get(family, b("k2"))));
      assertNull(db.get(b("old")));
      // It can be written again.
      db.delete(b("k1"));
      write(batch);
      assertEquals("v1", s(db.get(b("k1"))));
    }
    clear();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void savePointsAreAStack(final Kind kind) throws Exception {
    try (AbstractWriteBatch batch = kind.make()) {
      batch.put(b("a"), b("1"));
      batch.setSavePoint();
      batch.put(b("b"), b("2"));
      batch.setSavePoint();
      batch.delete(b("a"));
      batch.rollbackToSavePoint();
      assertEquals("[put 0 a 1, put 0 b 2]", records(batch));
      batch.rollbackToSavePoint();
      assertEquals("[put 0 a 1]", records(batch));
      assertNotFound(batch::rollbackToSavePoint);
      assertNotFound(batch::popSavePoint);
      batch.setSavePoint();
      batch.put(b("c"), b("3"));
      batch.popSavePoint();
      assertNotFound(batch::rollbackToSavePoint);
      assertEquals(2, batch.count());
    }
  }

  private static void assertNotFound(final org.junit.jupiter.api.function.Executable call) {
    final RocksDBException thrown = assertThrows(RocksDBException.class, call);
    assertEquals(Status.Code.NotFound, thrown.getStatus().getCode());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aSizeLimitHolds(final Kind kind) throws Exception {
    try (AbstractWriteBatch batch = kind.make()) {
      batch.setMaxBytes(19);
      batch.put(b("k1"), b("v1"));
      final RocksDBException thrown =
          assertThrows(RocksDBException.class, () -> batch.put(b("k2"), b("v2")));
      assertEquals(Status.Code.Aborted, thrown.getStatus().getCode());
      assertEquals(Status.SubCode.MemoryLimit, thrown.getStatus().getSubCode());
      assertEquals(1, batch.count());
      assertEquals("[put 0 k1 v1]", records(batch));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void logDataDoesNotCount(final Kind kind) throws Exception {
    try (AbstractWriteBatch batch = kind.make()) {
      batch.putLogData(b("note"));
      assertEquals(0, batch.count());
      assertEquals("[log note]", records(batch));
    }
  }

  @Test
  void rangesAreRecorded() throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      db.put(b("k1"), b("v"));
      db.put(b("k9"), b("v"));
      batch.deleteRange(b("k1"), b("k5"));
      batch.deleteRange(family, b("a"), b("b"));
      assertTrue(batch.hasDeleteRange());
      assertEquals(2, batch.count());
      db.write(write, batch);
      assertNull(db.get(b("k1")));
      assertEquals("v", s(db.get(b("k9"))));
    }
    clear();
  }

  private static void assertOnly(final WriteBatch batch, final int which) {
    final BooleanSupplier[] all = {batch::hasPut, batch::hasMerge, batch::hasDelete,
        batch::hasSingleDelete, batch::hasDeleteRange, batch::hasBeginPrepare,
        batch::hasEndPrepare, batch::hasCommit, batch::hasRollback};
    for (int i = 0; i < all.length; i++) {
      assertEquals(i == which, all[i].getAsBoolean(), "kind " + i);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 2, 3, 4})
  void knowsWhatItHas(final int which) throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      switch (which) {
        case 0:
          batch.put(b("k"), b("v"));
          break;
        case 1:
          batch.merge(b("k"), b("v"));
          break;
        case 2:
          batch.delete(b("k"));
          break;
        case 3:
          batch.singleDelete(b("k"));
          break;
        case 4:
          batch.deleteRange(b("k"), b("l"));
          break;
        default:
          batch.putLogData(b("k"));
      }
      assertOnly(batch, which);
    }
  }

  @Test
  void bytesAreTheSameBatch() throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      assertEquals(12, batch.getDataSize());
      batch.put(b("k1"), b("v1"));
      assertEquals(19, batch.getDataSize());
      batch.delete(family, b("k2"));
      try (WriteBatch copy = new WriteBatch(batch.data())) {
        assertEquals(2, copy.count());
        assertEquals("[put 0 k1 v1, delete 1 k2]", records(copy));
        assertArrayEquals(batch.data(), copy.data());
        batch.clear();
        assertEquals(2, copy.count());
      }
      assertSame(batch, batch.getWriteBatch());
    }
  }

  @Test
  void bytesThatAreNoBatch() throws Exception {
    try (WriteBatch batch = new WriteBatch(new byte[] {1, 2, 3})) {
      final RocksDBException thrown =
          assertThrows(RocksDBException.class, () -> db.write(write, batch));
      assertEquals(Status.Code.Corruption, thrown.getStatus().getCode());
    }
    assertNull(db.get(b("still works")));
  }

  @Test
  void theEndOfWhatIsLogged() throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(b("k1"), b("v1"));
      batch.markWalTerminationPoint();
      batch.put(b("k2"), b("v2"));
      final WriteBatch.SavePoint point = batch.getWalTerminationPoint();
      assertEquals(19, point.getSize());
      assertEquals(1, point.getCount());
      assertEquals(2, point.getContentFlags());
      assertFalse(point.isCleared());
      batch.clear();
      assertTrue(batch.getWalTerminationPoint().isCleared());
    }
    final WriteBatch.SavePoint point = new WriteBatch.SavePoint(1, 2, 3);
    point.clear();
    assertTrue(point.isCleared());
  }

  @Test
  void aHandlerMayStop() throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(b("a"), b("1"));
      batch.put(b("b"), b("2"));
      final List<String> seen = new ArrayList<>();
      try (HandlerForTests handler = new HandlerForTests(seen, null) {
        @Override
        public boolean shouldContinue() {
          return seen.isEmpty();
        }
      }) {
        batch.iterate(handler);
      }
      assertEquals("[put 0 a 1]", seen.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 50})
  void manyThreadsWrite(final int threads) throws Exception {
    final List<Thread> all = new ArrayList<>();
    final List<Throwable> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < threads; t++) {
      final int first = t;
      all.add(new Thread(() -> {
        try {
          for (int round = first; round < 100; round += threads) {
            try (WriteBatch batch = new WriteBatch()) {
              for (int i = 0; i < 20; i++) {
                batch.put(b(String.format("t%02d.%02d", round, i)), b("v" + i));
              }
              db.write(write, batch);
            }
          }
        } catch (final Throwable e) {
          wrong.add(e);
        }
      }));
      all.get(t).start();
    }
    for (final Thread thread : all) {
      thread.join();
    }
    assertEquals(0, wrong.size(), wrong.toString());
    int count = 0;
    try (RocksIterator it = db.newIterator()) {
      for (it.seek(b("t")); it.isValid(); it.next()) {
        count++;
      }
    }
    assertEquals(2_000, count);
    clear();
  }

  // The index.

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsItsOwnWrites(final boolean overwrites) throws Exception {
    db.put(b("k1"), b("base"));
    db.put(b("k2"), b("base"));
    db.put(family, b("k1"), b("base"));
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(overwrites)) {
      assertNull(batch.getFromBatch(plain, b("k1")));
      assertEquals("base", s(batch.getFromBatchAndDB(db, read, b("k1"))));
      batch.put(b("k1"), b("mine"));
      assertEquals("mine", s(batch.getFromBatch(plain, b("k1"))));
      assertEquals("mine", s(batch.getFromBatchAndDB(db, read, b("k1"))));
      batch.delete(b("k1"));
      assertNull(batch.getFromBatch(plain, b("k1")));
      assertNull(batch.getFromBatchAndDB(db, read, b("k1")));
      batch.put(family, b("k1"), b("other"));
      assertEquals("other", s(batch.getFromBatch(family, plain, b("k1"))));
      assertEquals("other", s(batch.getFromBatchAndDB(db, family, read, b("k1"))));
      assertNull(batch.getFromBatchAndDB(db, read, b("k1")));
      assertEquals("base", s(batch.getFromBatchAndDB(db, read, b("k2"))));
    }
    clear();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void walksOverBatchAndDatabase(final boolean overwrites) throws Exception {
    for (final String key : new String[] {"a", "b", "c"}) {
      db.put(b(key), b("base"));
    }
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(overwrites)) {
      batch.delete(b("b"));
      batch.put(b("c"), b("mine"));
      batch.put(b("d"), b("mine"));
      try (RocksIterator it = batch.newIteratorWithBase(db.newIterator())) {
        final StringBuilder forwards = new StringBuilder();
        for (it.seekToFirst(); it.isValid(); it.next()) {
          forwards.append(s(it.key())).append(s(it.value()).charAt(0));
        }
        assertEquals("abcmdm", forwards.toString());
        final StringBuilder backwards = new StringBuilder();
        for (it.seekToLast(); it.isValid(); it.prev()) {
          backwards.append(s(it.key()));
        }
        assertEquals("dca", backwards.toString());
        it.seek(inside(true, "b"));
        assertEquals("c", s(it.key()));
        it.seekForPrev(inside(false, "b"));
        assertEquals("a", s(it.key()));
        it.seek(inside(false, "e"));
        assertFalse(it.isValid());
        it.status();
      }
      try (RocksIterator it =
               batch.newIteratorWithBase(family, db.newIterator(family), read)) {
        it.seekToFirst();
        assertFalse(it.isValid());
      }
    }
    clear();
  }

  @Test
  void entriesOfTheIndex() throws Exception {
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
      batch.put(b("b\0"), b("v\0"));
      batch.delete(b("a"));
      batch.merge(b("c"), b("m"));
      batch.singleDelete(b("d"));
      batch.put(family, b("e"), b("elsewhere"));
      final WBWIRocksIterator.WriteType[] types = {WBWIRocksIterator.WriteType.DELETE,
          WBWIRocksIterator.WriteType.PUT, WBWIRocksIterator.WriteType.MERGE,
          WBWIRocksIterator.WriteType.SINGLE_DELETE};
      final String[] keys = {"a", "b\0", "c", "d"};
      final String[] values = {null, "v\0", "m", null};
      try (WBWIRocksIterator it = batch.newIterator()) {
        int i = 0;
        for (it.seekToFirst(); it.isValid(); it.next()) {
          final WBWIRocksIterator.WriteEntry entry = it.entry();
          assertSame(types[i], entry.getType());
          assertEquals(keys[i], entry.getKey().toString());
          assertEquals(values[i],
              entry.getValue() == DirectSlice.NONE || entry.getValue() == null
                  ? null : entry.getValue().toString());
          i++;
        }
        assertEquals(4, i);
        it.seek(b("b"));
        assertEquals("b\0", it.entry().getKey().toString());
        it.seek(inside(true, "c"));
        assertEquals("c", it.entry().getKey().toString());
        it.seek(inside(false, "cc"));
        assertEquals("d", it.entry().getKey().toString());
        it.seekForPrev(b("bb"));
        assertEquals("b\0", it.entry().getKey().toString());
        it.seekForPrev(inside(true, "a"));
        assertEquals("a", it.entry().getKey().toString());
        it.seekToLast();
        it.prev();
        assertEquals("c", it.entry().getKey().toString());
      }
      try (WBWIRocksIterator it = batch.newIterator(family)) {
        it.seekToFirst();
        assertEquals("e", it.entry().getKey().toString());
        it.next();
        assertFalse(it.isValid());
      }
      assertEquals(5, batch.getWriteBatch().count());
    }
  }

  private static String keysOf(final WriteBatchWithIndex batch) {
    final StringBuilder keys = new StringBuilder();
    try (WBWIRocksIterator it = batch.newIterator()) {
      for (it.seekToFirst(); it.isValid(); it.next()) {
        keys.append(it.entry().getKey()).append(' ');
      }
    }
    return keys.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theIndexForgetsWhatItsPlainBatchForgets(final boolean overwrites) throws Exception {
    final byte[] noRecord = new byte[20];
    Arrays.fill(noRecord, (byte) 0xFF);
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(overwrites)) {
      batch.put(b("k1"), b("v1"));
      batch.put(b("k2"), b("v2"));
      batch.getWriteBatch().clear();
      assertNull(batch.getFromBatch(plain, b("k2")));
      batch.put(b("k3"), noRecord);
      assertEquals("k3 ", keysOf(batch));
      batch.getWriteBatch().setSavePoint();
      batch.delete(b("k3"));
      batch.put(b("k4"), b("v4"));
      batch.getWriteBatch().rollbackToSavePoint();
      assertNull(batch.getFromBatch(plain, b("k4")));
      assertArrayEquals(noRecord, batch.getFromBatch(plain, b("k3")));
      batch.put(b("k5"), noRecord);
      assertEquals("k3 k5 ", keysOf(batch));
      assertNotFound(() -> batch.getWriteBatch().rollbackToSavePoint());
    }
  }

  // Orders of Java's.

  private static final class ByBytes extends AbstractComparator {
    ByBytes(final ComparatorOptions options) {
      super(options);
    }

    @Override
    public String name() {
      return "by.bytes";
    }

    @Override
    public int compare(final ByteBuffer a, final ByteBuffer b) {
      while (a.hasRemaining() && b.hasRemaining()) {
        final int order = Integer.compare(a.get() & 0xFF, b.get() & 0xFF);
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(a.remaining(), b.remaining());
    }
  }

  /** Whether the collector takes it: the engine holds what it may still call. */
  private static boolean isGone(final WeakReference<?> reference) {
    for (int i = 0; i < 5 && reference.get() != null; i++) {
      System.gc();
    }
    return reference.get() == null;
  }

  // The batch and its order are closed; nobody but the iterator can have them.
  private RocksIterator overAClosedBatch(final List<WeakReference<ByBytes>> orders)
      throws Exception {
    try (ComparatorOptions how = new ComparatorOptions(); ByBytes order = new ByBytes(how);
         WriteBatchWithIndex batch = new WriteBatchWithIndex(order, 0, true)) {
      orders.add(new WeakReference<>(order));
      batch.put(b("b"), b("mine"));
      batch.put(b("d"), b("mine"));
      return batch.newIteratorWithBase(db.newIterator());
    }
  }

  @Test
  void iteratorsKeepTheOrderOfTheirBatch() throws Exception {
    clear();
    final List<WeakReference<ByBytes>> orders = new ArrayList<>();
    try (RocksIterator it = overAClosedBatch(orders)) {
      assertFalse(isGone(orders.get(0)));
      it.seek(b("c"));
      assertEquals("d", s(it.key()));
      it.prev();
      assertEquals("b", s(it.key()));
    }
    assertTrue(isGone(orders.get(0)));
  }

  enum Reading {
    BATCH,
    BATCH_AND_DATABASE,
    ITERATOR
  }

  // It was read over a database of that order, which is closed with all that it had.
  private WriteBatchWithIndex behindItsDatabase(
      final Reading reading, final List<WeakReference<ByBytes>> orders) throws Exception {
    final String path = folder.resolve("ordered" + reading).toString();
    try (ComparatorOptions how = new ComparatorOptions(); ByBytes order = new ByBytes(how);
         Options create = new Options().setCreateIfMissing(true).setComparator(order);
         RocksDB ordered = RocksDB.open(create, path)) {
      orders.add(new WeakReference<>(order));
      final WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
      switch (reading) {
        case BATCH:
          batch.getFromBatch(ordered.getDefaultColumnFamily(), plain, b("a"));
          break;
        case BATCH_AND_DATABASE:
          batch.getFromBatchAndDB(ordered, read, b("a"));
          break;
        default:
          batch.newIteratorWithBase(ordered.newIterator()).close();
      }
      return batch;
    }
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void batchesKeepTheOrderThatAReadGaveThem(final Reading reading) throws Exception {
    final List<WeakReference<ByBytes>> orders = new ArrayList<>();
    try (WriteBatchWithIndex batch = behindItsDatabase(reading, orders)) {
      assertFalse(isGone(orders.get(0)));
      batch.put(b("b"), b("2"));
      batch.put(b("a"), b("1"));
      assertEquals("a b ", keysOf(batch));
    }
    assertTrue(isGone(orders.get(0)));
  }
}
