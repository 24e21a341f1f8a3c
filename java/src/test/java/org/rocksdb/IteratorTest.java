package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.buffer;
import static org.rocksdb.Bytes.empty;
import static org.rocksdb.Bytes.inside;
import static org.rocksdb.Bytes.s;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Iterators: where they stand, what they copy, and what they do not see. */
class IteratorTest {
  @TempDir Path folder;

  private final ReadOptions read = new ReadOptions();
  private RocksDB db;

  @BeforeEach
  void open() throws Exception {
    db = RocksDB.open(folder.resolve("db").toString());
    for (final String key : new String[] {"b", "d", "f"}) {
      db.put(b(key), b(key + key));
    }
  }

  @AfterEach
  void close() {
    db.close();
    read.close();
  }

  private static String at(final RocksIterator it) throws Exception {
    if (!it.isValid()) {
      it.status();
      return "-";
    }
    return s(it.key());
  }

  interface Seek {
    void to(RocksIterator it, String key);
  }

  private static Seek seek(final String how) {
    switch (how) {
      case "array":
        return (it, key) -> it.seek(b(key));
      case "direct":
        return (it, key) -> consumed(inside(true, key), it::seek);
      case "heap":
        return (it, key) -> consumed(inside(false, key), it::seek);
      default:
        return (it, key) -> consumed(sliced(key), it::seek);
    }
  }

  private static Seek seekForPrev(final String how) {
    switch (how) {
      case "array":
        return (it, key) -> it.seekForPrev(b(key));
      case "direct":
        return (it, key) -> consumed(inside(true, key), it::seekForPrev);
      case "heap":
        return (it, key) -> consumed(inside(false, key), it::seekForPrev);
      default:
        return (it, key) -> consumed(sliced(key), it::seekForPrev);
    }
  }

  private static void consumed(
      final ByteBuffer key, final java.util.function.Consumer<ByteBuffer> call) {
    final int limit = key.limit();
    call.accept(key);
    assertEquals(limit, key.position());
    assertEquals(limit, key.limit());
  }

  // Its array begins before it.
  private static ByteBuffer sliced(final String key) {
    final ByteBuffer slice = inside(false, key).slice();
    assertTrue(slice.arrayOffset() > 0);
    return slice;
  }

  @ParameterizedTest
  @CsvSource({"a,b", "b,b", "bb,d", "d,d", "e,f", "f,f", "g,-", "'',b"})
  void seeks(final String key, final String expected) throws Exception {
    try (RocksIterator it = db.newIterator()) {
      for (final String how : new String[] {"array", "direct", "heap", "slice"}) {
        seek(how).to(it, key);
        assertEquals(expected, at(it), how);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"a,-", "b,b", "bb,b", "d,d", "e,d", "f,f", "g,f", "'',-"})
  void seeksBackwards(final String key, final String expected) throws Exception {
    try (RocksIterator it = db.newIterator()) {
      for (final String how : new String[] {"array", "direct", "heap", "slice"}) {
        seekForPrev(how).to(it, key);
        assertEquals(expected, at(it), how);
      }
    }
  }

  @Test
  void isAtNoEntryAtFirst() throws Exception {
    try (RocksIterator it = db.newIterator()) {
      assertFalse(it.isValid());
      it.next();
      it.prev();
      assertFalse(it.isValid());
      it.status();
      assertThrows(IllegalStateException.class, it::key);
      assertThrows(IllegalStateException.class, it::value);
    }
  }

  @Test
  void staysAtTheEnd() throws Exception {
    try (RocksIterator it = db.newIterator()) {
      it.seekToLast();
      assertEquals("f", at(it));
      it.next();
      it.next();
      assertEquals("-", at(it));
      assertThrows(IllegalStateException.class, it::key);
      it.seekToFirst();
      it.prev();
      it.prev();
      assertEquals("-", at(it));
    }
  }

  @ParameterizedTest
  @CsvSource({"true,0", "true,1", "true,2", "true,5", "false,0", "false,1", "false,2", "false,5"})
  void copiesWhatFitsIntoBuffers(final boolean isDirect, final int room) throws Exception {
    try (RocksIterator it = db.newIterator()) {
      it.seek(b("d"));
      final ByteBuffer target = empty(isDirect, room + 6);
      ((Buffer) target).position(4);
      ((Buffer) target).limit(4 + room);
      assertEquals(2, it.value(target));
      assertEquals(4, target.position());
      assertEquals(4 + Math.min(2, room), target.limit());
      assertEquals("dd".substring(0, Math.min(2, room)), s(target));
      ((Buffer) target).limit(4 + room);
      assertEquals(1, it.key(target));
      assertEquals("d".substring(0, Math.min(1, room)), s(target));
      ((Buffer) target).clear();
      assertEquals(0, target.get(3));
      assertEquals(0, target.get(4 + room));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4})
  void copiesWhatFitsIntoArrays(final int room) throws Exception {
    try (RocksIterator it = db.newIterator()) {
      it.seek(b("f"));
      final byte[] whole = new byte[room];
      assertEquals(2, it.value(whole));
      assertArrayEquals(Arrays.copyOf(Arrays.copyOf(b("ff"), Math.min(2, room)), room), whole);
      assertEquals(1, it.key(whole));
      final byte[] part = new byte[room + 3];
      assertEquals(2, it.value(part, 2, room));
      assertEquals(1, it.key(part, 1, 0));
      assertEquals(0, part[1]);
      assertEquals(room > 0 ? 'f' : 0, part[2]);
      assertEquals(0, part[room + 2]);
    }
  }

  @Test
  void seesNothingThatCameLater() throws Exception {
    try (RocksIterator it = db.newIterator()) {
      db.put(b("a"), b("new"));
      db.delete(b("d"));
      it.seekToFirst();
      assertEquals("b", at(it));
      it.next();
      assertEquals("d", at(it));
      it.refresh();
      assertFalse(it.isValid());
      it.seekToFirst();
      assertEquals("a", at(it));
      it.next();
      it.next();
      assertEquals("f", at(it));
    }
  }

  @Test
  void refreshesToASnapshot() throws Exception {
    final Snapshot before = db.getSnapshot();
    db.put(b("a"), b("new"));
    try (RocksIterator it = db.newIterator()) {
      it.seekToFirst();
      assertEquals("a", at(it));
      it.refresh(before);
      it.seekToFirst();
      assertEquals("b", at(it));
      it.refresh();
      it.seekToFirst();
      assertEquals("a", at(it));
    }
    db.releaseSnapshot(before);
  }

  @ParameterizedTest
  @CsvSource({"'','',bdf", "c,'',df", "'',e,bd", "c,e,d", "b,f,bd", "d,d,''"})
  void staysBetweenItsBounds(final String lower, final String upper, final String expected)
      throws Exception {
    try (Slice from = new Slice(lower); Slice to = new Slice(upper)) {
      if (!lower.isEmpty()) {
        read.setIterateLowerBound(from);
      }
      if (!upper.isEmpty()) {
        read.setIterateUpperBound(to);
      }
      try (RocksIterator it = db.newIterator(read)) {
        final StringBuilder forwards = new StringBuilder();
        for (it.seekToFirst(); it.isValid(); it.next()) {
          forwards.append(s(it.key()));
        }
        final StringBuilder backwards = new StringBuilder();
        for (it.seekToLast(); it.isValid(); it.prev()) {
          backwards.append(s(it.key()));
        }
        assertEquals(expected, forwards.toString());
        assertEquals(expected, backwards.reverse().toString());
      }
    }
  }

  @Test
  void boundsAreCopied() throws Exception {
    try (Slice upper = new Slice("e")) {
      read.setIterateUpperBound(upper);
    }
    try (RocksIterator it = db.newIterator(read)) {
      read.setIterateUpperBound(null);
      it.seekToLast();
      assertEquals("d", at(it));
    }
  }

  @Test
  void followsADroppedFamily() throws Exception {
    final ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
    db.put(family, b("k"), b("v"));
    try (RocksIterator it = db.newIterator(family)) {
      db.dropColumnFamily(family);
      family.close();
      it.seekToFirst();
      assertEquals("k", at(it));
    }
  }

  @Test
  void ofSeveralFamilies() throws Exception {
    final ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
    db.put(family, b("k"), b("v"));
    final List<RocksIterator> both =
        db.newIterators(Arrays.asList(db.getDefaultColumnFamily(), family));
    assertEquals(2, both.size());
    for (final RocksIterator it : both) {
      it.seekToLast();
    }
    assertEquals("f", at(both.get(0)));
    assertEquals("k", at(both.get(1)));
    both.forEach(RocksIterator::close);
    final List<RocksIterator> one = db.newIterators(Arrays.asList(family), read);
    one.get(0).seekToFirst();
    assertEquals("k", at(one.get(0)));
    one.get(0).close();
  }

  @Test
  void tailsSeeWhatIsAdded() throws Exception {
    read.setTailing(true);
    try (RocksIterator it = db.newIterator(read)) {
      it.seekToFirst();
      for (int i = 0; i < 100; i++) {
        db.put(b(String.format("k%03d", i)), b("v"));
        it.seek(b(String.format("k%03d", i)));
        assertEquals(String.format("k%03d", i), at(it));
      }
    }
  }

  @Test
  void onlyKeysOfThePrefix() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true)) {
      options.useFixedLengthPrefixExtractor(1);
      try (RocksDB prefixed = RocksDB.open(options, folder.resolve("prefixed").toString())) {
        for (final String key : new String[] {"a1", "a2", "b1", "c1"}) {
          prefixed.put(b(key), b(key));
        }
        read.setPrefixSameAsStart(true);
        try (RocksIterator it = prefixed.newIterator(read)) {
          it.seek(b("a"));
          final List<String> seen = new ArrayList<>();
          for (; it.isValid(); it.next()) {
            seen.add(s(it.key()));
          }
          assertEquals(Arrays.asList("a1", "a2"), seen);
        }
      }
    }
  }

  private static String value(final Random random, final int i) {
    final StringBuilder text = new StringBuilder();
    // Some are larger than what is read ahead.
    final int size = random.nextInt(50) == 0 ? 100_000 : random.nextInt(300);
    while (text.length() < size) {
      text.append(i).append('.');
    }
    return text.toString();
  }

  private static void assertAt(final NavigableMap<String, String> model, final String key,
      final RocksIterator it, final Random random) throws Exception {
    assertEquals(key != null, it.isValid());
    it.status();
    if (key == null) {
      return;
    }
    final boolean isDirect = random.nextBoolean();
    switch (random.nextInt(3)) {
      case 0:
        assertEquals(key, s(it.key()));
        assertEquals(model.get(key), s(it.value()));
        break;
      case 1:
        final ByteBuffer target = empty(isDirect, model.get(key).length() + 100);
        it.key(target);
        assertEquals(key, s(target));
        ((Buffer) target).clear();
        it.value(target);
        assertEquals(model.get(key), s(target));
        break;
      default:
        final byte[] some = new byte[key.length()];
        assertEquals(key.length(), it.key(some));
        assertEquals(key, s(some));
        assertEquals(model.get(key).length(), it.value(new byte[3]));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void movesAsAModelDoes(final int seed) throws Exception {
    final Random random = new Random(seed);
    final NavigableMap<String, String> model = new TreeMap<>();
    db.deleteRange(b("a"), b("z"));
    for (int i = 0; i < 500; i++) {
      final String key = String.format("%04d", random.nextInt(2_000));
      model.put(key, value(random, i));
      db.put(b(key), b(model.get(key)));
      if (i == 250) {
        try (FlushOptions flush = new FlushOptions()) {
          db.flush(flush);
        }
      }
    }
    try (RocksIterator it = db.newIterator()) {
      String at = null;
      for (int step = 0; step < 400; step++) {
        final String key = String.format("%04d", random.nextInt(2_000));
        switch (random.nextInt(9)) {
          case 0:
            it.seekToFirst();
            at = model.firstKey();
            break;
          case 1:
            it.seekToLast();
            at = model.lastKey();
            break;
          case 2:
            seek(random.nextBoolean() ? "array" : "direct").to(it, key);
            at = model.ceilingKey(key);
            break;
          case 3:
            seekForPrev(random.nextBoolean() ? "heap" : "direct").to(it, key);
            at = model.floorKey(key);
            break;
          case 4:
            it.prev();
            at = at == null ? null : model.lowerKey(at);
            break;
          default:
            for (int i = random.nextInt(40); i >= 0; i--) {
              it.next();
              at = at == null ? null : model.higherKey(at);
              if (random.nextInt(4) == 0) {
                assertAt(model, at, it, random);
              }
            }
        }
        assertAt(model, at, it, random);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void walksEverywhere(final boolean isForwards) throws Exception {
    for (int i = 0; i < 3_000; i++) {
      db.put(b(String.format("k%05d", i)), b("value" + i));
    }
    try (RocksIterator it = db.newIterator()) {
      int seen = 0;
      if (isForwards) {
        for (it.seek(b("k")); it.isValid(); it.next()) {
          assertEquals(String.format("k%05d", seen), s(it.key()));
          assertEquals("value" + seen, s(it.value()));
          seen++;
        }
      } else {
        for (it.seekToLast(); it.isValid() && seen < 3_000; it.prev()) {
          assertEquals(String.format("k%05d", 2_999 - seen), s(it.key()));
          seen++;
        }
      }
      it.status();
      assertEquals(3_000, seen);
    }
  }

  @Test
  void endsWithItsDatabaseWhereverItStands() throws Exception {
    for (int i = 0; i < 300; i++) {
      db.put(b(String.format("k%05d", i)), b("value" + i));
    }
    final RocksIterator it = db.newIterator();
    it.seekToFirst();
    for (int i = 0; i < 40; i++) {
      it.next();
    }
    db.close();
    DatabaseTest.assertClosed(it::next);
    DatabaseTest.assertClosed(it::prev);
    DatabaseTest.assertClosed(it::key);
    DatabaseTest.assertClosed(it::value);
    DatabaseTest.assertClosed(() -> it.key(buffer(true, "room")));
    DatabaseTest.assertClosed(() -> it.value(new byte[3]));
    DatabaseTest.assertClosed(it::status);
    it.close();
  }
}
