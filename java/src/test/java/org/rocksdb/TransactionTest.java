package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.DatabaseTest.assertClosed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of both kinds. */
class TransactionTest {
  @TempDir Path folder;

  private final Options options = new Options().setCreateIfMissing(true);
  private final TransactionDBOptions locks = new TransactionDBOptions()
      .setTransactionLockTimeout(1).setDefaultLockTimeout(1);
  private final WriteOptions write = new WriteOptions();
  private final ReadOptions read = new ReadOptions();

  @AfterEach
  void closeOptions() {
    read.close();
    write.close();
    locks.close();
    options.close();
  }

  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String path() {
    return folder.resolve("db").toString();
  }

  private TransactionDB openLocking() throws RocksDBException {
    return TransactionDB.open(options, locks, path());
  }

  private OptimisticTransactionDB openOptimistic() throws RocksDBException {
    return OptimisticTransactionDB.open(options, path());
  }

  private static Status statusOf(final org.junit.jupiter.api.function.Executable call) {
    return assertThrows(RocksDBException.class, call).getStatus();
  }

  @Test
  void commitAndRollback() throws Exception {
    try (TransactionDB db = openLocking(); Transaction txn = db.beginTransaction(write)) {
      txn.put(b("k"), b("v"));
      assertArrayEquals(b("v"), txn.get(read, b("k")));
      assertNull(db.get(b("k")));
      assertEquals(1, txn.getNumPuts());
      assertEquals(1, txn.getNumKeys());
      assertEquals(Transaction.TransactionState.STARTED, txn.getState());
      txn.commit();
      assertEquals(Transaction.TransactionState.COMMITTED, txn.getState());
      assertSame(Transaction.TransactionState.COMMITED, Transaction.TransactionState.COMMITTED);
      assertArrayEquals(b("v"), db.get(b("k")));
      assertEquals(Status.Code.InvalidArgument, statusOf(txn::commit).getCode());
      assertSame(txn, db.beginTransaction(write, txn));
      txn.delete(b("k"));
      assertNull(txn.get(read, b("k")));
      txn.setSavePoint();
      txn.put(b("k"), b("w"));
      txn.rollbackToSavePoint();
      assertNull(txn.get(read, b("k")));
      assertEquals(Status.Code.NotFound, statusOf(txn::rollbackToSavePoint).getCode());
      txn.rollback();
      assertArrayEquals(b("v"), txn.get(read, b("k")));
    }
  }

  @Test
  void conflicts() throws Exception {
    try (TransactionDB db = openLocking(); Transaction one = db.beginTransaction(write);
         Transaction two = db.beginTransaction(write)) {
      assertNull(one.getForUpdate(read, b("k"), true));
      final Status status = statusOf(() -> two.put(b("k"), b("v")));
      assertEquals(Status.Code.TimedOut, status.getCode());
      assertEquals(Status.SubCode.LockTimeout, status.getSubCode());
      final TransactionDB.KeyLockInfo lock = db.getLockStatusData().get(0L);
      assertEquals("k", lock.getKey());
      assertArrayEquals(new long[] {one.getID()}, lock.getTransactionIDs());
      assertTrue(lock.isExclusive());
      // What it waited for last.
      assertArrayEquals(
          new long[] {one.getID()}, two.getWaitingTxns().getTransactionIds());
      assertEquals("k", two.getWaitingTxns().getKey());
      assertEquals(0, one.getWaitingTxns().getTransactionIds().length);
      one.undoGetForUpdate(b("k"));
      two.put(b("k"), b("v"));
      assertEquals(0, db.getDeadlockInfoBuffer().length);
      db.setDeadlockInfoBufferSize(3);
      assertNotEquals(one.getID(), two.getID());
    }
    try (OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path() + "2");
         Transaction txn = db.beginTransaction(write)) {
      txn.put(b("k"), b("v"));
      db.put(b("k"), b("other"));
      assertEquals(Status.Code.Busy, statusOf(txn::commit).getCode());
      final RocksDBException refused = assertThrows(RocksDBException.class, txn::prepare);
      assertEquals(Status.Code.InvalidArgument, refused.getStatus().getCode());
      assertArrayEquals(b("other"), db.getBaseDB().get(b("k")));
      assertSame(db.getBaseDB(), db.getBaseDB());
    }
  }

  @Test
  void deadlocks() throws Exception {
    locks.setTransactionLockTimeout(600_000);
    try (TransactionDB db = openLocking();
         // The first one has looked for a deadlock when the second one begins to wait.
         TransactionOptions detect =
             new TransactionOptions().setDeadlockDetect(true).setDeadlockTimeoutUs(0);
         Transaction one = db.beginTransaction(write, detect);
         Transaction two = db.beginTransaction(write, detect)) {
      assertTrue(one.isDeadlockDetect());
      one.put(b("a"), b("1"));
      two.put(b("b"), b("2"));
      final Thread waiter = new Thread(() -> {
        try {
          one.put(b("b"), b("1"));
        } catch (final RocksDBException e) {
          throw new IllegalStateException(e);
        }
      });
      waiter.start();
      while (!isWaiting(one)) {
        Thread.yield();
      }
      // Waits for who is at work on locks.
      assertFalse(db.getLockStatusData().isEmpty());
      final Status status = statusOf(() -> two.put(b("a"), b("2")));
      assertEquals(Status.Code.Busy, status.getCode());
      assertEquals(Status.SubCode.Deadlock, status.getSubCode());
      two.rollback();
      waiter.join();
      final TransactionDB.DeadlockPath[] paths = db.getDeadlockInfoBuffer();
      assertEquals(1, paths.length);
      assertFalse(paths[0].isEmpty());
      assertEquals(2, paths[0].path.length);
    }
  }

  private static boolean isWaiting(final Transaction txn) {
    return txn.getWaitingTxns().getTransactionIds().length > 0;
  }

  @Test
  void allFormsOfReadsAndWrites() throws Exception {
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (DBOptions dbOptions =
             new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
         ColumnFamilyOptions appends = new ColumnFamilyOptions().setMergeOperatorName(
             "stringappend");
         TransactionDB db = TransactionDB.open(dbOptions, locks, path(),
             Arrays.asList(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, appends),
                 new ColumnFamilyDescriptor(b("f"), appends)),
             handles);
         Transaction txn = db.beginTransaction(write)) {
      final ColumnFamilyHandle f = handles.get(1);
      txn.put(f, b("k1"), b("v1"));
      txn.put(f, new byte[][] {b("k"), b("2")}, new byte[][] {b("v"), b("2")});
      final ByteBuffer key = ByteBuffer.wrap(b("k3"));
      txn.put(f, key, ByteBuffer.wrap(b("v3")));
      assertEquals(2, key.position());
      final ByteBuffer direct = ByteBuffer.allocateDirect(2).put(b("k4")).flip();
      txn.merge(f, direct, ByteBuffer.allocateDirect(2).put(b("v4")).flip());
      txn.mergeUntracked(f, b("k4"), b("w"));
      txn.putUntracked(f, b("k5"), b("v5"));
      txn.singleDelete(f, b("k5"));
      txn.deleteUntracked(b("none"));
      assertEquals(1, txn.getNumMerges() - 1);
      assertArrayEquals(b("v2"), txn.get(read, f, b("k2")));
      assertArrayEquals(b("v4,w"), txn.getForUpdate(read, f, b("k4"), false));
      assertNull(txn.get(read, b("k1")));
      final byte[] room = new byte[1];
      final GetStatus found = txn.get(read, f, b("k1"), room);
      assertEquals(Status.Code.Ok, found.status.getCode());
      assertEquals(2, found.requiredSize);
      assertArrayEquals(b("v"), room);
      assertEquals(
          Status.Code.NotFound, txn.get(read, b("k1"), room).status.getCode());
      final ByteBuffer value = ByteBuffer.allocateDirect(8).position(1);
      final ByteBuffer asked = ByteBuffer.allocateDirect(2).put(b("k3")).flip();
      assertEquals(2, txn.get(read, f, asked, value).requiredSize);
      assertEquals(2, asked.position());
      assertEquals(3, value.position());
      assertEquals(8, value.limit());
      assertEquals('v', value.get(1));
      final List<byte[]> all = txn.multiGetAsList(
          read, Arrays.asList(f, f, handles.get(0)), Arrays.asList(b("k1"), b("k9"), b("k1")));
      assertArrayEquals(b("v1"), all.get(0));
      assertNull(all.get(1));
      assertNull(all.get(2));
      assertArrayEquals(
          b("v3"), txn.multiGetForUpdateAsList(read, Arrays.asList(f), Arrays.asList(b("k3")))
                       .get(0));
      assertThrows(IllegalArgumentException.class,
          () -> txn.multiGetAsList(read, Collections.emptyList(), Arrays.asList(b("k"))));
      assertThrows(NullPointerException.class, () -> txn.put(b("k"), (byte[]) null));
      assertThrows(RocksDBException.class,
          () -> txn.put(ByteBuffer.wrap(b("k")), ByteBuffer.allocateDirect(1)));
      txn.commit();
      assertArrayEquals(b("v2"), db.get(f, b("k2")));
    }
  }

  @Test
  void iteratorsSeeOwnWrites() throws Exception {
    try (TransactionDB db = openLocking(); Transaction txn = db.beginTransaction(write)) {
      db.put(b("a"), b("1"));
      db.put(b("c"), b("3"));
      txn.put(b("b"), b("2"));
      txn.delete(b("c"));
      try (RocksIterator it = txn.getIterator()) {
        it.seekToFirst();
        assertArrayEquals(b("a"), it.key());
        it.next();
        assertArrayEquals(b("b"), it.key());
        // The value stays, whatever the transaction does.
        txn.put(b("b"), b("another"));
        txn.rollback();
        assertArrayEquals(b("2"), it.value());
        it.next();
        assertArrayEquals(b("c"), it.key());
        txn.close();
        assertClosed(it::key);
      }
    }
  }

  @Test
  void snapshots() throws Exception {
    try (TransactionDB db = openLocking(); Transaction txn = db.beginTransaction(write);
         ReadOptions then = new ReadOptions()) {
      assertNull(txn.getSnapshot());
      db.put(b("k"), b("old"));
      txn.setSnapshot();
      final Snapshot snapshot = txn.getSnapshot();
      assertEquals(snapshot.nativeHandle_, txn.getSnapshot().nativeHandle_);
      db.put(b("k"), b("new"));
      then.setSnapshot(snapshot);
      assertArrayEquals(b("old"), txn.get(then, b("k")));
      assertEquals(Status.Code.Busy, statusOf(() -> txn.put(b("k"), b("w"))).getCode());
      txn.clearSnapshot();
      assertNull(txn.getSnapshot());
      assertClosed(snapshot::getSequenceNumber);
      assertThrows(IllegalStateException.class, () -> txn.get(then, b("k")));
      txn.put(b("k"), b("w"));
    }
  }

  @Test
  void notifiers() throws Exception {
    final List<Long> told = new ArrayList<>();
    try (OptimisticTransactionDB db = openOptimistic();
         Transaction txn = db.beginTransaction(write);
         AbstractTransactionNotifier notifier = new AbstractTransactionNotifier() {
           @Override
           public void snapshotCreated(final Snapshot snapshot) {
             told.add(snapshot.getSequenceNumber());
             if (told.size() > 1) {
               throw new IllegalStateException("enough");
             }
           }
         }) {
      txn.setSnapshotOnNextOperation(notifier);
      assertEquals(0, told.size());
      txn.put(b("a"), b("1"));
      assertEquals(1, told.size());
      assertNotNull(txn.getSnapshot());
      txn.setSnapshotOnNextOperation(notifier);
      assertEquals("enough",
          assertThrows(IllegalStateException.class, () -> txn.put(b("b"), b("2")))
              .getMessage());
      txn.setSnapshotOnNextOperation();
      txn.put(b("c"), b("3"));
      assertEquals(2, told.size());
    }
  }

  @Test
  void preparedOnesAreThereAgain() throws Exception {
    try (TransactionDB db = openLocking(); Transaction txn = db.beginTransaction(write)) {
      assertEquals("", txn.getName());
      txn.setName("first");
      txn.put(b("k"), b("v"));
      assertNull(db.getTransactionByName("none"));
      assertEquals(0, db.getAllPreparedTransactions().size());
      txn.prepare();
      assertEquals(Transaction.TransactionState.PREPARED, txn.getState());
      assertEquals("first", db.getTransactionByName("first").getName());
      assertEquals(1, db.getAllPreparedTransactions().size());
      assertThrows(RocksDBException.class, () -> db.beginTransaction(write).setName("first"));
    }
    try (TransactionDB db = openLocking()) {
      final List<Transaction> prepared = db.getAllPreparedTransactions();
      assertEquals(1, prepared.size());
      final Transaction txn = prepared.get(0);
      assertEquals("first", txn.getName());
      assertFalse(txn.isOwningHandle());
      assertNull(db.get(b("k")));
      txn.commit();
      assertArrayEquals(b("v"), db.get(b("k")));
      assertEquals(0, db.getAllPreparedTransactions().size());
      assertNull(db.getTransactionByName("first"));
    }
    openLocking().close();
  }

  @Test
  void itsPlainBatchMayBeCleared() throws Exception {
    try (TransactionDB db = openLocking(); Transaction txn = db.beginTransaction(write)) {
      txn.put(b("k"), b("v"));
      txn.getWriteBatch().getWriteBatch().clear();
      assertNull(txn.get(read, b("k")));
      txn.put(b("m"), b("w"));
      assertArrayEquals(b("w"), txn.get(read, b("m")));
      txn.commit();
      assertNull(db.get(b("k")));
      assertArrayEquals(b("w"), db.get(b("m")));
    }
  }

  @Test
  void whatBelongsToIt() throws Exception {
    try (TransactionDB db = openLocking(); Transaction txn = db.beginTransaction(write)) {
      txn.put(b("k"), b("v"));
      final WriteBatchWithIndex batch = txn.getWriteBatch();
      assertEquals(1, batch.count());
      assertFalse(batch.isOwningHandle());
      final long objects = Handles.liveObjects();
      for (int i = 0; i < 1000; i++) {
        txn.getWriteBatch().getWriteBatch();
        txn.getCommitTimeWriteBatch();
        txn.getWriteOptions();
      }
      assertTrue(Handles.liveObjects() <= objects + 4);
      assertEquals(0, txn.getCommitTimeWriteBatch().count());
      assertFalse(txn.getWriteOptions().sync());
      txn.getWriteOptions().setSync(true);
      assertTrue(txn.getWriteOptions().sync());
      txn.setWriteOptions(write);
      assertFalse(txn.getWriteOptions().sync());
      try (WriteBatch more = new WriteBatch()) {
        more.put(b("m"), b("1"));
        txn.rebuildFromWriteBatch(more);
      }
      assertEquals(2, txn.getNumKeys());
      txn.disableIndexing();
      txn.put(b("unseen"), b("1"));
      assertNull(txn.get(read, b("unseen")));
      txn.enableIndexing();
      txn.setLogNumber(7);
      assertEquals(7, txn.getLogNumber());
      assertTrue(txn.getElapsedTime() >= 0);
      txn.putLogData(b("blob"));
      txn.setLockTimeout(5);
      db.close();
      assertClosed(batch::count);
      assertClosed(() -> txn.get(read, b("k")));
      assertClosed(txn::commit);
    }
  }

  @Test
  void batchIterators() throws Exception {
    try (WriteBatchWithIndex batch = new WriteBatchWithIndex()) {
      batch.put(b("a"), b("1"));
      batch.delete(b("b"));
      batch.singleDelete(b("c"));
      try (WBWIRocksIterator it = batch.newIterator()) {
        assertThrows(IllegalStateException.class, it::entry);
        it.seekToFirst();
        final WBWIRocksIterator.WriteEntry entry = it.entry();
        assertEquals(WBWIRocksIterator.WriteType.PUT, entry.getType());
        assertEquals("a", entry.getKey().toString());
        final ByteBuffer value = entry.getValue().data();
        assertEquals('1', value.get(0));
        it.next();
        assertSame(entry, it.entry());
        assertEquals(WBWIRocksIterator.WriteType.DELETE, entry.getType());
        assertNull(entry.getValue());
        try (WBWIRocksIterator.WriteEntry same =
                 new WBWIRocksIterator.WriteEntry(WBWIRocksIterator.WriteType.DELETE,
                     new DirectSlice("b"), DirectSlice.NONE)) {
          assertEquals(same, entry);
        }
        it.seekForPrev(b("zz"));
        assertEquals(WBWIRocksIterator.WriteType.SINGLE_DELETE, it.entry().getType());
        batch.put(b("d"), new byte[100_000]);
        it.next();
        assertEquals(100_000, it.entry().getValue().size());
        batch.clear();
        assertThrows(IllegalStateException.class, it::entry);
        it.next();
        assertFalse(it.isValid());
        assertThrows(RocksDBException.class, it::refresh);
        batch.close();
        assertClosed(it::seekToFirst);
      }
    }
  }

  @Test
  void familiesOfOtherDatabases() throws Exception {
    try (TransactionDB db = openLocking();
         TransactionDB other = TransactionDB.open(options, locks, path() + "2");
         Transaction txn = db.beginTransaction(write)) {
      final ColumnFamilyHandle wrong = other.getDefaultColumnFamily();
      assertThrows(IllegalArgumentException.class, () -> txn.put(wrong, b("k"), b("v")));
      assertThrows(IllegalArgumentException.class, () -> txn.getIterator(wrong));
      assertThrows(IllegalArgumentException.class, () -> other.beginTransaction(write, txn));
    }
  }
}
