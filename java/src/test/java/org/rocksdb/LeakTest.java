package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is done again and again leaves no native objects behind, and no memory. {@code
 * -Drocksdb.test.scale} does it more often; with 100 that is 100,000 descriptors, 1,000 stores
 * and a million keys at once.
 */
class LeakTest {
  private static final int SCALE = Integer.getInteger("rocksdb.test.scale", 1);
  private static final long MEGABYTE = 1 << 20;
  // So much more each time is more than the heap may have.
  private static final int MOST_ROUNDS = 10;

  @TempDir Path folder;

  private String path() {
    return folder.resolve("db").toString();
  }

  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private interface Work {
    void run() throws Exception;
  }

  private static long residentBytes() throws Exception {
    final String[] fields =
        new String(Files.readAllBytes(Paths.get("/proc/self/statm")), StandardCharsets.US_ASCII)
            .split(" ");
    return Long.parseLong(fields[1]) * 4096;
  }

  private static long objectsLeft() throws Exception {
    long left = Handles.liveObjects();
    for (int i = 0; i < 100; i++) {
      System.gc();
      Reclaimer.reclaim();
      final long now = Handles.liveObjects();
      if (now == left && i > 3) {
        break;
      }
      left = now;
      Thread.sleep(10);
    }
    return left;
  }

  /**
   * Waits until there are at most so many objects. The virtual machine tells of what nobody can
   * reach when it likes to.
   */
  static void awaitObjects(final long most) throws Exception {
    final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (Handles.liveObjects() > most) {
      assertTrue(System.nanoTime() < end, Handles.liveObjects() + " objects, not " + most);
      System.gc();
      Reclaimer.reclaim();
      Thread.sleep(10);
    }
  }

  /**
   * Does it often enough to be warm, and then again as often. The heap may grow to its full size
   * meanwhile, and memory that was given back stays with the allocator for a while: what leaks
   * grows again with every round.
   */
  private static void isFlat(final int times, final Work work) throws Exception {
    for (int i = 0; i < times; i++) {
      work.run();
    }
    final long objects = objectsLeft();
    long more = Long.MAX_VALUE;
    for (int round = 0; round < MOST_ROUNDS && more >= 200 * MEGABYTE; round++) {
      final long bytes = residentBytes();
      for (int i = 0; i < times; i++) {
        work.run();
      }
      awaitObjects(objects);
      more = residentBytes() - bytes;
    }
    assertTrue(more < 200 * MEGABYTE, more / MEGABYTE + " MiB more with every round");
  }

  @Test
  void aProgramTellsWhatItLeftOpenIfItIsAskedTo() throws Exception {
    for (final boolean isAsked : new boolean[] {true, false}) {
      final Process process =
          new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
              "-XX:ErrorFile=" + folder.resolve("crash.log"), "-Drocksdb.leaks=" + isAsked, "-cp",
              System.getProperty("java.class.path"), LeavingProgram.class.getName())
              .redirectErrorStream(true)
              .start();
      final String out =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), out);
      assertTrue(out.contains("left: true"), out);
      assertEquals(isAsked, out.contains("org.rocksdb.Options was not closed"), out);
      assertEquals(isAsked, out.contains("LeavingProgram.main"), out);
      assertFalse(out.contains("WriteOptions was not closed"), out);
    }
  }

  @Test
  void descriptors() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      isFlat(Math.max(5_000, 1_000 * SCALE), () -> {
        db.getDefaultColumnFamily().getDescriptor().getOptions().numLevels();
        new ColumnFamilyDescriptor(b("f")).getOptions();
      });
    }
  }

  @Test
  void storesOpenedAndClosed() throws Exception {
    isFlat(10 * SCALE, () -> {
      final List<ColumnFamilyHandle> handles = new ArrayList<>();
      try (DBOptions options =
               new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
           RocksDB db = RocksDB.open(options, path(),
               Arrays.asList(new ColumnFamilyDescriptor(b("default")),
                   new ColumnFamilyDescriptor(b("f"))),
               handles)) {
        db.put(handles.get(1), b("k"), b("v"));
        // Neither is closed: the database's close ends both.
        db.newIterator().seekToFirst();
        db.getSnapshot();
      }
    });
  }

  @Test
  void manyKeysAtOnce() throws Exception {
    final int count = Math.max(5_000, Math.min(1_000_000, 10_000 * SCALE));
    final List<byte[]> keys = new ArrayList<>();
    final List<ByteBuffer> buffers = new ArrayList<>();
    final ByteBuffer memory = ByteBuffer.allocateDirect(count * 8);
    for (int i = 0; i < count; i++) {
      keys.add(b(String.format("%07d", i)));
      memory.clear().limit(i * 8 + 7).position(i * 8);
      memory.put(keys.get(i)).position(i * 8);
      buffers.add(memory.slice());
    }
    final ByteBuffer value = ByteBuffer.allocateDirect(16);
    try (RocksDB db = RocksDB.open(path())) {
      for (final byte[] key : keys) {
        db.put(key, key);
      }
      isFlat(count > 5_000 ? 2 : 10, () -> {
        assertEquals(7, db.multiGetAsList(keys).get(count - 1).length);
        final List<ByteBufferGetStatus> found = db.multiGetByteBuffers(
            buffers, Collections.nCopies(buffers.size(), value.clear()));
        assertEquals(7, found.get(count - 1).requiredSize);
      });
    }
  }

  @Test
  void transactions() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
         TransactionDBOptions locks = new TransactionDBOptions();
         TransactionDB db = TransactionDB.open(options, locks, path());
         WriteOptions write = new WriteOptions(); ReadOptions read = new ReadOptions()) {
      isFlat(500 * SCALE, () -> {
        try (Transaction txn = db.beginTransaction(write)) {
          txn.setSnapshot();
          read.setSnapshot(txn.getSnapshot());
          txn.getForUpdate(read, b("k"), true);
          txn.put(b("k"), b("v"));
          txn.getWriteBatch().newIterator().seekToFirst();
          txn.getIterator().seekToFirst();
          txn.commit();
        }
      });
    }
  }
}
