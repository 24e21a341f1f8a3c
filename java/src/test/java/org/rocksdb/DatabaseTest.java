package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases, families, reads and writes. */
class DatabaseTest {
  @TempDir Path folder;

  private static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ByteBuffer direct(final String text) {
    final ByteBuffer buffer = ByteBuffer.allocateDirect(text.length());
    buffer.put(b(text)).flip();
    return buffer;
  }

  private String path() {
    return folder.resolve("db").toString();
  }

  @Test
  void putGetDelete() throws Exception {
    try (RocksDB db = RocksDB.open(path()); ReadOptions read = new ReadOptions()) {
      db.put(b("k1"), b("v1"));
      db.put(b("xk2x"), 1, 2, b("xxv2"), 2, 2);
      assertArrayEquals(b("v1"), db.get(b("k1")));
      assertArrayEquals(b("v2"), db.get(read, b("k2")));
      assertNull(db.get(b("none")));
      final byte[] small = {0, 9};
      assertEquals(2, db.get(b("k1"), 0, 2, small, 0, 1));
      assertArrayEquals(new byte[] {'v', 9}, small);
      assertEquals(RocksDB.NOT_FOUND, db.get(b("none"), small));
      db.put(b("empty"), new byte[0]);
      assertEquals(0, db.get(b("empty")).length);
      db.delete(b("k1"));
      db.singleDelete(b("k2"));
      assertFalse(db.keyExists(b("k1")));
      assertTrue(db.keyExists(b("empty")));
      db.deleteRange(b("a"), b("z"));
      assertNull(db.get(b("empty")));
    }
  }

  @Test
  void buffersKeepTheirPromises() throws Exception {
    try (RocksDB db = RocksDB.open(path()); ReadOptions read = new ReadOptions();
         WriteOptions write = new WriteOptions()) {
      final ByteBuffer key = direct("key1");
      db.put(write, key, direct("val1"));
      assertEquals(4, key.position());
      // Three bytes of room from position 9 on, for a value of four.
      final ByteBuffer value = ByteBuffer.allocateDirect(12);
      value.position(9);
      final ByteBuffer asked = direct("key1");
      assertEquals(4, db.get(read, asked, value));
      assertEquals(4, asked.position());
      assertEquals(9, value.position());
      assertEquals(12, value.limit());
      assertEquals('v', value.get(9));
      assertEquals('l', value.get(11));
      assertEquals(0, value.get(8));
      final ByteBuffer heap = ByteBuffer.wrap(b("..key1")).position(2).slice();
      final ByteBuffer target = ByteBuffer.allocate(8);
      assertEquals(4, db.get(db.getDefaultColumnFamily(), read, heap, target));
      assertEquals(4, target.limit());
      final RocksDBException mixed = assertThrows(
          RocksDBException.class, () -> db.get(read, direct("key1"), ByteBuffer.allocate(4)));
      assertEquals(Status.Code.InvalidArgument, mixed.getStatus().getCode());
      db.delete(write, ByteBuffer.wrap(b("key1")));
      assertEquals(-1, db.get(read, direct("key1"), ByteBuffer.allocateDirect(4)));
    }
  }

  @Test
  void multiGetGivesNullForMissingKeys() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      db.put(b("a"), b("1"));
      db.put(b("c"), b("3"));
      final List<byte[]> found = db.multiGetAsList(Arrays.asList(b("a"), b("b"), b("c"), b("a")));
      assertArrayEquals(b("1"), found.get(0));
      assertNull(found.get(1));
      assertArrayEquals(b("3"), found.get(2));
      assertArrayEquals(b("1"), found.get(3));
      final List<ByteBuffer> values = Arrays.asList(
          ByteBuffer.allocateDirect(4), ByteBuffer.allocateDirect(4));
      final List<ByteBufferGetStatus> answers =
          db.multiGetByteBuffers(Arrays.asList(direct("c"), direct("x")), values);
      assertEquals(Status.Code.Ok, answers.get(0).status.getCode());
      assertEquals(1, answers.get(0).value.remaining());
      assertEquals(Status.Code.NotFound, answers.get(1).status.getCode());
      assertNull(answers.get(1).value);
    }
  }

  @Test
  void manyKeysAtOnce() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      final List<byte[]> keys = new ArrayList<>();
      final List<ColumnFamilyHandle> families = new ArrayList<>();
      try (WriteBatch batch = new WriteBatch(); WriteOptions write = new WriteOptions()) {
        for (int i = 0; i < 100_000; i++) {
          keys.add(b("key" + i));
          families.add(db.getDefaultColumnFamily());
          if (i % 2 == 0) {
            batch.put(b("key" + i), b("value" + i));
          }
        }
        db.write(write, batch);
      }
      final List<byte[]> found = db.multiGetAsList(families, keys);
      for (int i = 0; i < keys.size(); i++) {
        assertArrayEquals(i % 2 == 0 ? b("value" + i) : null, found.get(i));
      }
    }
  }

  @Test
  void familiesAreFoundAgain() throws Exception {
    try (RocksDB db = RocksDB.open(path());
         ColumnFamilyHandle family =
             db.createColumnFamily(new ColumnFamilyDescriptor(b("new\0one")))) {
      assertEquals(1, family.getID());
      db.put(family, b("k"), b("v"));
      assertNull(db.get(b("k")));
      assertArrayEquals(b("new\0one"), family.getDescriptor().getName());
    }
    final List<byte[]> names;
    try (Options options = new Options()) {
      names = RocksDB.listColumnFamilies(options, path());
      assertEquals(0, RocksDB.listColumnFamilies(options, path() + "none").size());
    }
    assertEquals(2, names.size());
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDB db = RocksDB.open(path(),
             Arrays.asList(new ColumnFamilyDescriptor(names.get(1)),
                 new ColumnFamilyDescriptor(names.get(0))), handles)) {
      assertArrayEquals(b("v"), db.get(handles.get(0), b("k")));
      assertEquals(handles.get(1), db.getDefaultColumnFamily());
      db.dropColumnFamily(handles.get(0));
      assertTrue(handles.get(0).isOwningHandle());
      final RocksDBException dropped = assertThrows(
          RocksDBException.class, () -> db.put(handles.get(0), b("k"), b("v")));
      assertNotNull(dropped.getStatus());
      db.put(b("still"), b("works"));
    }
    assertThrows(IllegalArgumentException.class, () -> RocksDB.open(path(),
        Arrays.asList(new ColumnFamilyDescriptor(b("only"))), new ArrayList<>()));
  }

  @Test
  void openingTwiceIsAnError() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      final RocksDBException e =
          assertThrows(RocksDBException.class, () -> RocksDB.open(path()));
      assertEquals(Status.Code.IOError, e.getStatus().getCode());
      assertTrue(e.getMessage().contains("lock "), e.getMessage());
    }
    RocksDB.open(path()).close();
  }

  @Test
  void iteratorsGoBothWays() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      for (final String key : new String[] {"a", "b", "c", "d"}) {
        db.put(b(key), b(key + key));
      }
      try (ReadOptions read = new ReadOptions(); Slice upper = new Slice("d")) {
        read.setIterateUpperBound(upper);
        upper.close();
        try (RocksIterator it = db.newIterator(read)) {
          read.close();
          final StringBuilder seen = new StringBuilder();
          for (it.seekToFirst(); it.isValid(); it.next()) {
            seen.append(new String(it.key(), StandardCharsets.UTF_8));
          }
          it.status();
          assertEquals("abc", seen.toString());
          it.next();
          it.seekForPrev(direct("bz"));
          assertArrayEquals(b("b"), it.key());
          final ByteBuffer value = ByteBuffer.allocate(1);
          assertEquals(2, it.value(value));
          assertEquals(1, value.limit());
          it.prev();
          it.prev();
          assertFalse(it.isValid());
          assertThrows(IllegalStateException.class, it::key);
        }
      }
    }
  }

  @Test
  void snapshotsStay() throws Exception {
    try (RocksDB db = RocksDB.open(path()); ReadOptions read = new ReadOptions()) {
      db.put(b("k"), b("old"));
      final Snapshot snapshot = db.getSnapshot();
      assertEquals(1, snapshot.getSequenceNumber());
      db.put(b("k"), b("new"));
      read.setSnapshot(snapshot);
      assertArrayEquals(b("old"), db.get(read, b("k")));
      db.releaseSnapshot(snapshot);
      db.releaseSnapshot(snapshot);
      assertThrows(IllegalStateException.class, () -> db.get(read, b("k")));
      read.setSnapshot(null);
      assertArrayEquals(b("new"), db.get(read, b("k")));
    }
  }

  @Test
  void maintenance() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
         Statistics statistics = new Statistics()) {
      options.setStatistics(statistics);
      try (RocksDB db = RocksDB.open(options, path());
           FlushOptions flush = new FlushOptions()) {
        db.put(b("k"), b("v"));
        assertEquals("1", db.getProperty("rocksdb.num-entries-active-mem-table"));
        db.flush(flush);
        assertEquals(0, db.getLongProperty("rocksdb.num-entries-active-mem-table"));
        assertEquals(1, db.getLiveFilesMetaData().size());
        assertEquals("default",
            new String(db.getColumnFamilyMetaData().name(), StandardCharsets.UTF_8));
        db.compactRange();
        db.compactRange(b("a"), b("z"));
        final Range suggested = db.suggestCompactRange();
        assertEquals(0, suggested.start.size());
        assertEquals(0, suggested.limit.size());
        assertThrows(UnsupportedOperationException.class,
            () -> db.getLiveFilesMetaData().get(0).newLiveFileMetaDataHandle());
        assertEquals(1, db.getPropertiesOfAllTables().size());
        assertTrue(statistics.getTickerCount(TickerType.BYTES_WRITTEN) > 0);
        assertTrue(statistics.getHistogramData(HistogramType.DB_WRITE).getCount() > 0);
        assertEquals(7, db.numberLevels());
        assertThrows(RocksDBException.class, () -> db.getProperty("nonsense"));
        db.setOptions(MutableColumnFamilyOptions.builder().setWriteBufferSize(1 << 20)
            .setCompressionType(CompressionType.LZ4_COMPRESSION).build());
        assertEquals(1 << 20, db.getOptions().writeBufferSize());
        assertEquals(CompressionType.LZ4_COMPRESSION, db.getOptions().compressionType());
        db.setOptions(db.getOptions().build());
        db.setDBOptions(MutableDBOptions.builder().setMaxOpenFiles(100).build());
        assertEquals(100, db.getDBOptions().maxOpenFiles());
      }
    }
  }

  @Test
  void textForPrometheus() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
         Statistics statistics = new Statistics()) {
      options.setStatistics(statistics);
      try (RocksDB db = RocksDB.open(options, path())) {
        db.put(b("k"), b("v"));
        final String text = db.getPrometheusText();
        assertTrue(text.contains("\nrocksdb_number_keys_written_total{db="), text);
        assertTrue(text.contains("cf=\"default\""), text);
        db.close();
        assertClosed(db::getPrometheusText);
      }
    }
  }

  @Test
  void countsWhatIsOpenByType() {
    final int added = 3;
    try (EnvOptions environment = new EnvOptions(); Options options = new Options()) {
      final List<SstFileWriter> writers = new ArrayList<>();
      for (int i = 0; i < added; i++) {
        writers.add(new SstFileWriter(environment, options));
      }
      // What others left open may end meanwhile, and nobody else makes one.
      final long open = RocksDB.openNativeObjects().get("SstFileWriter");
      assertTrue(open >= added, "open: " + open);
      writers.forEach(SstFileWriter::close);
      final long left = RocksDB.openNativeObjects().getOrDefault("SstFileWriter", 0L);
      assertTrue(left <= open - added, "left: " + left + " of " + open);
    }
  }

  @Test
  void checkpointsAndFiles() throws Exception {
    try (RocksDB db = RocksDB.open(path())) {
      db.put(b("k"), b("v"));
      try (Checkpoint checkpoint = Checkpoint.create(db)) {
        checkpoint.createCheckpoint(folder.resolve("copy").toString());
        db.close();
        assertClosed(() -> checkpoint.createCheckpoint(folder.resolve("other").toString()));
      }
    }
    try (RocksDB copy = RocksDB.openReadOnly(folder.resolve("copy").toString())) {
      assertArrayEquals(b("v"), copy.get(b("k")));
      final RocksDBException e =
          assertThrows(RocksDBException.class, () -> copy.put(b("k"), b("w")));
      assertEquals(Status.Code.NotSupported, e.getStatus().getCode());
    }
  }

  static void assertClosed(final org.junit.jupiter.api.function.Executable call) {
    assertThrows(AssertionError.class, call);
  }
}
