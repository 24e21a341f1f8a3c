package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.util.BytewiseComparator;
import org.rocksdb.util.IntComparator;
import org.rocksdb.util.ReverseBytewiseComparator;

/** Orders of Java's and of the engine's: the same keys in the same order. */
class ComparatorTest {
  @TempDir Path folder;

  enum Order {
    BYTES,
    REVERSE,
    INTS,
    OWN;

    AbstractComparator make(final ComparatorOptions options) {
      switch (this) {
        case BYTES:
          return new BytewiseComparator(options);
        case REVERSE:
          return new ReverseBytewiseComparator(options);
        case INTS:
          return new IntComparator(options);
        default:
          return new Own(options);
      }
    }

    Comparator<Integer> model() {
      switch (this) {
        case BYTES:
          return Integer::compareUnsigned;
        case REVERSE:
          return (a, b) -> Integer.compareUnsigned(b, a);
        case INTS:
          return Integer::compare;
        default:
          return (a, b) -> Integer.compare(Integer.reverse(a), Integer.reverse(b));
      }
    }
  }

  /** By the bits of an int, the last first. */
  private static final class Own extends AbstractComparator {
    Own(final ComparatorOptions options) {
      super(options);
    }

    @Override
    public String name() {
      return "own.order";
    }

    @Override
    public int compare(final ByteBuffer a, final ByteBuffer b) {
      assertEquals(usingDirectBuffers(), a.isDirect());
      assertEquals(0, a.position());
      return Integer.compare(Integer.reverse(a.getInt()), Integer.reverse(b.getInt()));
    }
  }

  static Stream<Arguments> matrix() {
    final List<Arguments> all = new ArrayList<>();
    for (final Order order : Order.values()) {
      for (final boolean isDirect : new boolean[] {true, false}) {
        for (final int reused : new int[] {-1, 64}) {
          for (final ReusedSynchronisationType type : ReusedSynchronisationType.values()) {
            all.add(Arguments.of(order, isDirect, reused, type));
          }
        }
      }
    }
    return all.stream();
  }

  private static byte[] bytes(final int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static List<Integer> keysOf(final RocksDB db, final ColumnFamilyHandle family) {
    final List<Integer> keys = new ArrayList<>();
    try (RocksIterator it = db.newIterator(family)) {
      for (it.seekToFirst(); it.isValid(); it.next()) {
        keys.add(ByteBuffer.wrap(it.key()).getInt());
        assertArrayEquals(it.key(), it.value());
      }
    }
    return keys;
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void keysStandInOrder(final Order order, final boolean isDirect, final int reused,
      final ReusedSynchronisationType type) throws Exception {
    final TreeSet<Integer> model = new TreeSet<>(order.model());
    try (ComparatorOptions how = new ComparatorOptions().setUseDirectBuffer(isDirect)
             .setMaxReusedBufferSize(reused).setReusedSynchronisationType(type);
         AbstractComparator comparator = order.make(how);
         DBOptions options = new DBOptions().setCreateIfMissing(true)
             .setCreateMissingColumnFamilies(true);
         ColumnFamilyOptions ordered = new ColumnFamilyOptions().setComparator(comparator);
         FlushOptions flush = new FlushOptions()) {
      final List<ColumnFamilyDescriptor> families =
          Arrays.asList(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, ordered),
              new ColumnFamilyDescriptor(b("named"), ordered));
      final String path = folder.resolve("db").toString();
      for (int round = 0; round < 2; round++) {
        final List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (RocksDB db = RocksDB.open(options, path, families, handles)) {
          final Random random = new Random(order.ordinal() + 17 * round);
          for (int i = 0; i < 250; i++) {
            final int number = random.nextInt();
            model.add(number);
            for (final ColumnFamilyHandle handle : handles) {
              db.put(handle, bytes(number), bytes(number));
            }
          }
          if (round == 0) {
            db.flush(flush, handles);
          }
          final List<Integer> expected = new ArrayList<>(model);
          assertEquals(expected, keysOf(db, handles.get(0)));
          assertEquals(expected, keysOf(db, handles.get(1)));
          for (final int number : expected.subList(0, 20)) {
            assertArrayEquals(bytes(number), db.get(handles.get(1), bytes(number)));
          }
        }
      }
    }
  }

  private static final String[] ODD_KEYS = {"", "\0", "\0\0", "a", "a\0", "a\0b", "aa",
      "ab", "\u007f", "\u0080", "\u00ff", "\u00ff\u00ff", "b", "B"};

  private List<String> walk(final Options options, final String name) throws Exception {
    options.setCreateIfMissing(true);
    final List<String> seen = new ArrayList<>();
    try (RocksDB db = RocksDB.open(options, folder.resolve(name).toString())) {
      for (final String key : ODD_KEYS) {
        db.put(key.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), new byte[0]);
      }
      try (RocksIterator it = db.newIterator()) {
        for (it.seekToFirst(); it.isValid(); it.next()) {
          seen.add(new String(it.key(), java.nio.charset.StandardCharsets.ISO_8859_1));
        }
      }
    }
    return seen;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oddKeysAreOrderedAsTheEngineDoes(final boolean isReverse) throws Exception {
    try (ComparatorOptions how = new ComparatorOptions();
         AbstractComparator java = isReverse
             ? new ReverseBytewiseComparator(how) : new BytewiseComparator(how);
         Options ofJava = new Options().setComparator(java);
         Options ofEngine = new Options().setComparator(isReverse
             ? BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR
             : BuiltinComparator.BYTEWISE_COMPARATOR)) {
      final List<String> expected = walk(ofEngine, "engine");
      assertEquals(ODD_KEYS.length, expected.size());
      assertEquals(expected, walk(ofJava, "java"));
      final List<String> model = new ArrayList<>(Arrays.asList(ODD_KEYS));
      model.sort(isReverse ? Comparator.reverseOrder() : Comparator.naturalOrder());
      assertEquals(model, expected);
    }
  }

  @ParameterizedTest
  @EnumSource(BuiltinComparator.class)
  void builtinOnes(final BuiltinComparator comparator) throws Exception {
    final boolean isReverse = comparator == BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR;
    try (Options options = new Options().setCreateIfMissing(true).setComparator(comparator);
         RocksDB db = RocksDB.open(options, folder.resolve("db").toString())) {
      for (final String key : new String[] {"b", "c", "a"}) {
        db.put(b(key), b(key));
      }
      try (RocksIterator it = db.newIterator()) {
        it.seekToFirst();
        assertArrayEquals(b(isReverse ? "c" : "a"), it.key());
        it.seek(b("b"));
        it.next();
        assertArrayEquals(b(isReverse ? "a" : "c"), it.key());
        it.seekForPrev(b("bb"));
        assertArrayEquals(b(isReverse ? "c" : "b"), it.key());
        it.seekToLast();
        assertArrayEquals(b(isReverse ? "a" : "c"), it.key());
      }
    }
  }

  private RocksDB open(final Options options, final AbstractComparator order)
      throws RocksDBException {
    return RocksDB.open(options.setCreateIfMissing(true).setComparator(order),
        folder.resolve(order.name()).toString());
  }

  private static void putAll(final RocksDB db, final List<Integer> numbers)
      throws RocksDBException {
    for (final int number : numbers) {
      db.put(bytes(number), bytes(number));
    }
  }

  /** What one order does to its buffers another one does not see. */
  @Test
  void buffersComeAsNewOnes() throws Exception {
    final List<Integer> numbers = Arrays.asList(1, 256, 2, 65536);
    final TreeSet<Integer> model = new TreeSet<>(Order.OWN.model());
    model.addAll(numbers);
    try (ComparatorOptions how = new ComparatorOptions(); Own own = new Own(how);
         AbstractComparator lowestFirst = new AbstractComparator(how) {
           @Override
           public String name() {
             return "lowest.first";
           }

           @Override
           public int compare(final ByteBuffer a, final ByteBuffer b) {
             return Integer.compare(a.order(ByteOrder.LITTLE_ENDIAN).getInt(),
                 b.order(ByteOrder.LITTLE_ENDIAN).getInt());
           }
         };
         Options first = new Options(); Options second = new Options();
         RocksDB other = open(first, lowestFirst); RocksDB db = open(second, own)) {
      putAll(other, numbers);
      putAll(db, numbers);
      assertEquals(new ArrayList<>(model), keysOf(db, db.getDefaultColumnFamily()));
    }
  }

  @Test
  void anOrderMayReadADatabase() throws Exception {
    try (ComparatorOptions how = new ComparatorOptions(); Own own = new Own(how);
         Options first = new Options(); Options second = new Options();
         RocksDB read = open(first, own)) {
      putAll(read, Arrays.asList(7, 9));
      try (AbstractComparator reads = new AbstractComparator(how) {
             @Override
             public String name() {
               return "reads";
             }

             @Override
             public int compare(final ByteBuffer a, final ByteBuffer b) {
               final int one = a.getInt();
               assertTrue(read.keyExists(bytes(9)));
               return Integer.compare(one, b.getInt());
             }
           };
           RocksDB db = open(second, reads)) {
        putAll(db, Arrays.asList(3, 1, 2));
        assertEquals(Arrays.asList(1, 2, 3), keysOf(db, db.getDefaultColumnFamily()));
      }
    }
  }

  @Test
  void aNativeOrderThatIsNone() {
    assertThrows(NullPointerException.class, () -> new NativeComparatorWrapper() {
      @Override
      protected long initializeNative(final long... nativeParameterHandles) {
        return 0;
      }
    });
  }

  private static ByteBuffer buffer(final int... bytes) {
    final ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
    for (final int each : bytes) {
      buffer.put((byte) each);
    }
    return (ByteBuffer) ((java.nio.Buffer) buffer).flip();
  }

  @Test
  void directCalls() {
    try (ComparatorOptions how = new ComparatorOptions();
         BytewiseComparator bytes = new BytewiseComparator(how);
         ReverseBytewiseComparator reverse = new ReverseBytewiseComparator(how);
         IntComparator ints = new IntComparator(how)) {
      assertEquals("rocksdb.java.BytewiseComparator", bytes.name());
      assertEquals("rocksdb.java.ReverseBytewiseComparator", reverse.name());
      assertEquals("rocksdb.java.IntComparator", ints.name());
      assertTrue(bytes.compare(buffer(1), buffer(255)) < 0);
      assertTrue(bytes.compare(buffer(1, 0), buffer(1)) > 0);
      assertEquals(0, bytes.compare(buffer(7), buffer(7)));
      assertTrue(reverse.compare(buffer(1), buffer(255)) > 0);
      assertTrue(ints.compare(buffer(255, 0, 0, 0), buffer(0, 0, 0, 0)) < 0);
    }
  }

  @Test
  void keysAreShortened() {
    try (ComparatorOptions how = new ComparatorOptions();
         BytewiseComparator order = new BytewiseComparator(how)) {
      final ByteBuffer start = buffer('a', 'b', 'c', 'd');
      order.findShortestSeparator(start, buffer('a', 'f'));
      assertTrue(order.compare(buffer('a', 'b', 'c', 'd'), start) <= 0);
      assertTrue(order.compare(start, buffer('a', 'f')) < 0);
      assertEquals(2, start.remaining());
      final ByteBuffer successor = buffer('a', 'b');
      order.findShortSuccessor(successor);
      assertEquals(1, successor.remaining());
      assertTrue(order.compare(buffer('a', 'b'), successor) <= 0);
    }
  }

  @Test
  void forTableFiles() throws Exception {
    try (ComparatorOptions how = new ComparatorOptions();
         ReverseBytewiseComparator reverse = new ReverseBytewiseComparator(how);
         Options options = new Options().setCreateIfMissing(true).setComparator(reverse);
         EnvOptions files = new EnvOptions();
         SstFileWriter writer = new SstFileWriter(files, options);
         IngestExternalFileOptions ingest = new IngestExternalFileOptions();
         RocksDB db = RocksDB.open(options, folder.resolve("db").toString())) {
      final String file = folder.resolve("table.sst").toString();
      writer.open(file);
      writer.put(b("b"), b("1"));
      writer.put(b("a"), b("2"));
      writer.finish();
      db.ingestExternalFile(Arrays.asList(file), ingest);
      assertNotNull(db.get(b("a")));
      try (RocksIterator it = db.newIterator()) {
        it.seekToFirst();
        assertArrayEquals(b("b"), it.key());
      }
    }
  }
}
