package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.DatabaseTest.assertClosed;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What is closed answers so, and never ends the virtual machine. */
class ClosedTest {
  private static final byte[] KEY = {'k'};

  @TempDir Path folder;

  private String path() {
    return folder.resolve("db").toString();
  }

  @Test
  void databaseAndWhatItHandedOut() throws Exception {
    final RocksDB db = RocksDB.open(path());
    db.put(KEY, KEY);
    final RocksIterator iterator = db.newIterator();
    iterator.seekToFirst();
    final Snapshot snapshot = db.getSnapshot();
    final ColumnFamilyHandle family =
        db.createColumnFamily(new ColumnFamilyDescriptor(new byte[] {'f'}));
    db.close();
    db.close();
    assertClosed(() -> db.get(KEY));
    assertClosed(() -> db.put(KEY, KEY));
    assertClosed(db::newIterator);
    assertClosed(db::getSnapshot);
    assertClosed(iterator::next);
    assertClosed(iterator::key);
    assertClosed(iterator::seekToFirst);
    assertClosed(snapshot::getSequenceNumber);
    assertClosed(family::getName);
    assertClosed(() -> db.getDefaultColumnFamily().getName());
    db.releaseSnapshot(snapshot);
    iterator.close();
    family.close();
    try (ReadOptions options = new ReadOptions()) {
      assertClosed(() -> options.setSnapshot(snapshot));
    }
  }

  @Test
  void optionsAndBatches() throws Exception {
    final Options options = new Options();
    options.close();
    assertClosed(() -> options.setCreateIfMissing(true));
    assertClosed(() -> RocksDB.open(options, path()));
    final ReadOptions read = new ReadOptions();
    read.close();
    try (RocksDB db = RocksDB.open(path())) {
      assertClosed(() -> db.get(read, KEY));
      final WriteBatch batch = new WriteBatch();
      batch.close();
      assertClosed(() -> batch.put(KEY, KEY));
      try (WriteOptions write = new WriteOptions()) {
        assertClosed(() -> db.write(write, batch));
      }
      final RocksIterator iterator = db.newIterator();
      iterator.close();
      assertClosed(iterator::isValid);
      assertClosed(iterator::next);
    }
    final LRUCache cache = new LRUCache(1);
    cache.close();
    try (ColumnFamilyOptions family = new ColumnFamilyOptions()) {
      final BlockBasedTableConfig table = new BlockBasedTableConfig().setBlockCache(cache);
      assertClosed(() -> family.setTableFormatConfig(table));
    }
  }

  @Test
  void nonsenseIsRefused() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> new WriteBatch(-1));
    assertThrows(NullPointerException.class, () -> RocksDB.open((String) null));
    try (RocksDB db = RocksDB.open(path())) {
      assertThrows(IndexOutOfBoundsException.class, () -> db.delete(KEY, 0, -1));
      assertThrows(IndexOutOfBoundsException.class, () -> db.get(KEY, 1, 1));
      assertThrows(NullPointerException.class, () -> db.put(null, KEY));
      assertThrows(NullPointerException.class, () -> db.put(KEY, null));
      try (RocksDB other = RocksDB.open(folder.resolve("other").toString())) {
        assertThrows(IllegalArgumentException.class,
            () -> db.get(other.getDefaultColumnFamily(), KEY));
      }
      // A handle of another kind.
      try (WriteOptions write = new WriteOptions()) {
        assertThrows(IllegalArgumentException.class,
            () -> Reads.get(db.nativeHandle_, write.nativeHandle_, 0, KEY, 0, 1));
        assertClosed(() -> Reads.get(12345, 0, 0, KEY, 0, 1));
      }
    }
  }

  @Test
  void closeBesideCalls() throws Exception {
    for (int round = 0; round < 20; round++) {
      final RocksDB db = RocksDB.open(path());
      db.put(KEY, KEY);
      final AtomicInteger answers = new AtomicInteger();
      final List<Thread> threads = new ArrayList<>();
      final AtomicInteger wrong = new AtomicInteger();
      for (int i = 0; i < 4; i++) {
        final int kind = i;
        final Thread thread = new Thread(() -> {
          try (RocksIterator iterator = db.newIterator()) {
            while (true) {
              if (kind % 2 == 0) {
                db.get(KEY);
              } else {
                iterator.seekToFirst();
              }
              answers.incrementAndGet();
            }
          } catch (final AssertionError closed) {
            // A call on the closed database must fail like this.
          } catch (final Throwable e) {
            wrong.incrementAndGet();
          }
        });
        threads.add(thread);
        thread.start();
      }
      while (answers.get() < 100 && wrong.get() == 0) {
        Thread.yield();
      }
      db.close();
      for (final Thread thread : threads) {
        thread.join();
      }
      assertEquals(0, wrong.get());
      // It is closed now, whatever was under way.
      RocksDB.open(path()).close();
    }
  }

  /** An order in which one thread waits. */
  private static final class WaitingOrder extends AbstractComparator {
    final CountDownLatch inside = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    volatile Thread waiting;

    WaitingOrder(final ComparatorOptions options) {
      super(options);
    }

    @Override
    public String name() {
      return "waits";
    }

    @Override
    public int compare(final ByteBuffer a, final ByteBuffer b) {
      if (Thread.currentThread() == waiting) {
        inside.countDown();
        try {
          go.await();
        } catch (final InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return a.compareTo(b);
    }
  }

  /** A thread that keeps the virtual machine from ending no longer than the test does. */
  private static Thread start(final Executable work) {
    final Thread thread = new Thread(() -> {
      try {
        work.execute();
      } catch (final Throwable e) {
        throw new IllegalStateException(e);
      }
    });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void assertEnds(final Thread thread) throws InterruptedException {
    thread.join(TimeUnit.MINUTES.toMillis(10));
    assertFalse(thread.isAlive());
  }

  private static boolean isClosed(final Executable call) {
    try {
      call.execute();
      return false;
    } catch (final Throwable closed) {
      return closed instanceof AssertionError;
    }
  }

  /** Waits until a database that ends on another thread can be opened again. */
  private void assertEnds(final Options options) throws InterruptedException {
    assertEnds(start(() -> {
      while (true) {
        try {
          RocksDB.open(options, path()).close();
          return;
        } catch (final RocksDBException isOpenYet) {
          Thread.yield();
        }
      }
    }));
  }

  @Test
  void closeBesideACallOfAListener() throws Exception {
    final AtomicReference<RocksDB> open = new AtomicReference<>();
    final AtomicReference<byte[]> answer = new AtomicReference<>();
    try (ComparatorOptions how = new ComparatorOptions();
         WaitingOrder order = new WaitingOrder(how);
         AbstractEventListener listener = new AbstractEventListener(
             AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED) {
           @Override
           public void onFlushCompleted(final RocksDB db, final FlushJobInfo info) {
             order.waiting = Thread.currentThread();
             try {
               answer.set(open.get().get(KEY));
             } catch (final RocksDBException e) {
               throw new IllegalStateException(e);
             }
           }
         };
         Options options = new Options().setCreateIfMissing(true).setComparator(order);
         FlushOptions flush = new FlushOptions().setWaitForFlush(false)) {
      options.setListeners(Collections.singletonList(listener));
      final RocksDB db = RocksDB.open(options, path());
      open.set(db);
      final ColumnFamilyHandle family = db.getDefaultColumnFamily();
      db.put(KEY, KEY);
      db.flush(flush);
      assertTrue(order.inside.await(10, TimeUnit.MINUTES));
      final Thread closer = start(db::close);
      while (!isClosed(family::getName)) {
        Thread.yield();
      }
      // The listener's thread is the last to use the database now.
      order.go.countDown();
      assertEnds(closer);
      assertArrayEquals(KEY, answer.get());
      RocksDB.open(options, path()).close();
    }
  }

  @Test
  void closeInAListener() throws Exception {
    for (final boolean waits : new boolean[] {true, false}) {
      final AtomicReference<RocksDB> open = new AtomicReference<>();
      final CountDownLatch returned = new CountDownLatch(1);
      try (AbstractEventListener listener = new AbstractEventListener(
               AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED) {
             @Override
             public void onFlushCompleted(final RocksDB db, final FlushJobInfo info) {
               open.get().close();
               returned.countDown();
             }
           };
           Options options = new Options().setCreateIfMissing(true);
           FlushOptions flush = new FlushOptions().setWaitForFlush(waits)) {
        options.setListeners(Collections.singletonList(listener));
        final RocksDB db = RocksDB.open(options, path());
        open.set(db);
        db.put(KEY, KEY);
        final Thread flusher = start(() -> db.flush(flush));
        assertTrue(returned.await(10, TimeUnit.MINUTES));
        assertEnds(flusher);
        assertClosed(() -> db.get(KEY));
        assertEnds(options);
      }
    }
  }

  /** On the thread of the program's that closes the family. */
  @Test
  void closeWhenAFamilyGoes() throws Exception {
    final AtomicReference<RocksDB> open = new AtomicReference<>();
    try (AbstractEventListener listener = new AbstractEventListener(
             AbstractEventListener.EnabledEventCallback.ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED) {
           @Override
           public void onColumnFamilyHandleDeletionStarted(final ColumnFamilyHandle family) {
             open.get().close();
           }
         };
         Options options = new Options().setCreateIfMissing(true)) {
      options.setListeners(Collections.singletonList(listener));
      final RocksDB db = RocksDB.open(options, path());
      open.set(db);
      final ColumnFamilyHandle family =
          db.createColumnFamily(new ColumnFamilyDescriptor(new byte[] {'f'}));
      db.dropColumnFamily(family);
      assertEnds(start(family::close));
      assertClosed(() -> db.get(KEY));
      RocksDB.open(options, path()).close();
    }
  }

  @Test
  void gettersLeakNothing() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      final long before = Handles.liveObjects();
      for (int i = 0; i < 20_000; i++) {
        db.getDefaultColumnFamily().getDescriptor();
        new ColumnFamilyDescriptor(KEY);
        if (i % 5_000 == 0) {
          System.gc();
          Thread.sleep(20);
        }
      }
      LeakTest.awaitObjects(before + 2_000);
    }
  }
}
