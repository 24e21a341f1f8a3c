package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlinkCompactionFilter.Config;
import org.rocksdb.FlinkCompactionFilter.FlinkCompactionFilterFactory;

/** State of Flink's, whose time to live ends. The time is 1 000, and what lives lives 100. */
class FlinkTest {
  private static final long NOW = 1_000;
  private static final long TTL = 100;
  private static final byte[] OLD = {'o'};
  private static final byte[] NEW = {'n'};

  @TempDir Path folder;

  private final AtomicInteger asked = new AtomicInteger();

  private interface Check {
    void of(RocksDB db) throws RocksDBException;
  }

  private static byte[] at(final long time, final int before, final int after) {
    return ByteBuffer.allocate(before + 8 + after).put(new byte[before]).putLong(time)
        .put(new byte[after]).array();
  }

  private static byte[] join(final byte[]... parts) {
    return Transactions.join(parts);
  }

  private void afterCompaction(final Config config, final Check before, final Check after)
      throws Exception {
    try (FlinkCompactionFilterFactory factory = new FlinkCompactionFilterFactory(() -> {
           asked.incrementAndGet();
           return NOW;
         }, null);
         Options options = new Options().setCreateIfMissing(true)
             .setMergeOperatorName("stringappendtest").setCompactionFilterFactory(factory);
         RocksDB db = RocksDB.open(options, folder.resolve("db").toString());
         FlushOptions flush = new FlushOptions();
         CompactRangeOptions all = new CompactRangeOptions().setBottommostLevelCompaction(
             CompactRangeOptions.BottommostLevelCompaction.kForce)) {
      before.of(db);
      db.flush(flush);
      db.compactRange(null, null, null, all);
      // Nothing is configured yet.
      assertNotNull(db.get(OLD));
      factory.configure(config);
      db.compactRange(null, null, null, all);
      after.of(db);
    }
  }

  private void expires(final Config config, final int offset) throws Exception {
    afterCompaction(config, db -> {
      db.put(OLD, at(NOW - TTL, offset, 3));
      db.put(NEW, at(NOW - TTL + 1, offset, 3));
      db.put(new byte[] {'e'}, at(Long.MAX_VALUE - 1, offset, 0));
      db.put(new byte[] {'s'}, new byte[7 + offset]);
    }, db -> {
      assertNull(db.get(OLD));
      assertNotNull(db.get(NEW));
      assertNotNull(db.get(new byte[] {'e'}));
      assertNotNull(db.get(new byte[] {'s'}));
    });
  }

  @Test
  void values() throws Exception {
    expires(Config.createForValue(TTL, 1000), 0);
    // Each compaction's first entry alone.
    assertEquals(1, asked.get());
  }

  @Test
  void maps() throws Exception {
    expires(Config.createForMap(TTL, 1), 1);
  }

  @Test
  void listsOfElementsOfOneSize() throws Exception {
    final byte[] old = join(at(1, 0, 2), new byte[] {','});
    final byte[] fresh = join(at(NOW, 0, 2), new byte[] {','});
    afterCompaction(Config.createForFixedElementList(TTL, 1, 11), db -> {
      db.put(OLD, join(old, old));
      db.put(NEW, join(old, fresh, fresh));
    }, db -> {
      assertNull(db.get(OLD));
      assertArrayEquals(join(fresh, fresh), db.get(NEW));
    });
  }

  @Test
  void listsThatJavaReads() throws Exception {
    afterCompaction(Config.createForList(TTL, 1, () -> (list, ttl, now) -> {
      assertEquals(TTL, ttl);
      assertEquals(NOW, now);
      if (list[0] == 't') {
        throw new IllegalStateException("no list");
      }
      return list[0] == 'o' ? list.length : 2;
    }), db -> {
      db.put(OLD, "old".getBytes());
      db.put(NEW, "a,new".getBytes());
      db.put(new byte[] {'t'}, "thrown".getBytes());
    }, db -> {
      assertNull(db.get(OLD));
      assertArrayEquals("new".getBytes(), db.get(NEW));
      // What cannot be read is kept.
      assertEquals("thrown", new String(db.get(new byte[] {'t'})));
    });
  }
}
