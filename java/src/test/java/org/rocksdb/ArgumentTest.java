package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.direct;
import static org.rocksdb.Bytes.heap;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Arguments that make no sense are refused before the engine sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArgumentTest {
  private static final byte[] KEY = b("key");

  @TempDir static Path folder;

  private final ReadOptions read = new ReadOptions();
  private final WriteOptions write = new WriteOptions();
  private RocksDB db;
  private ColumnFamilyHandle family;

  @BeforeAll
  void open() throws Exception {
    db = RocksDB.open(folder.resolve("db").toString());
    db.put(KEY, KEY);
    family = db.getDefaultColumnFamily();
  }

  @AfterAll
  void close() {
    db.close();
    write.close();
    read.close();
  }

  interface Call {
    void on(RocksDB db) throws Exception;
  }

  interface Ranged {
    void on(int offset, int size) throws Exception;
  }

  private static final class Named<T> {
    final String name;
    final T call;

    Named(final String name, final T call) {
      this.name = name;
      this.call = call;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private List<Named<Ranged>> ranged() {
    final byte[] v = new byte[3];
    final List<Named<Ranged>> all = new ArrayList<>();
    all.add(new Named<>("put, key", (o, n) -> db.put(KEY, o, n, v, 0, 3)));
    all.add(new Named<>("put, value", (o, n) -> db.put(KEY, 0, 3, v, o, n)));
    all.add(new Named<>("put to a family, key",
        (o, n) -> db.put(family, write, KEY, o, n, v, 0, 3)));
    all.add(new Named<>("put to a family, value",
        (o, n) -> db.put(family, write, KEY, 0, 3, v, o, n)));
    all.add(new Named<>("merge, key", (o, n) -> db.merge(KEY, o, n, v, 0, 3)));
    all.add(new Named<>("merge, value", (o, n) -> db.merge(KEY, 0, 3, v, o, n)));
    all.add(new Named<>("delete", (o, n) -> db.delete(KEY, o, n)));
    all.add(new Named<>("delete with options", (o, n) -> db.delete(write, KEY, o, n)));
    all.add(new Named<>("delete of a family", (o, n) -> db.delete(family, KEY, o, n)));
    all.add(new Named<>("get", (o, n) -> db.get(KEY, o, n)));
    all.add(new Named<>("get with options", (o, n) -> db.get(read, KEY, o, n)));
    all.add(new Named<>("get of a family", (o, n) -> db.get(family, KEY, o, n)));
    all.add(new Named<>("get into, key", (o, n) -> db.get(KEY, o, n, v, 0, 3)));
    all.add(new Named<>("get into, value", (o, n) -> db.get(KEY, 0, 3, v, o, n)));
    all.add(new Named<>("get into with options, value",
        (o, n) -> db.get(family, read, KEY, 0, 3, v, o, n)));
    all.add(new Named<>("keyExists", (o, n) -> db.keyExists(KEY, o, n)));
    all.add(new Named<>("keyExists of a family",
        (o, n) -> db.keyExists(family, read, KEY, o, n)));
    all.add(new Named<>("keyMayExist", (o, n) -> db.keyMayExist(KEY, o, n, null)));
    all.add(new Named<>("keyMayExist of a family",
        (o, n) -> db.keyMayExist(family, read, KEY, o, n, null)));
    all.add(new Named<>("iterator, key", (o, n) -> {
      try (RocksIterator it = db.newIterator()) {
        it.seekToFirst();
        it.key(v, o, n);
      }
    }));
    all.add(new Named<>("iterator, value", (o, n) -> {
      try (RocksIterator it = db.newIterator()) {
        it.seekToFirst();
        it.value(v, o, n);
      }
    }));
    return all;
  }

  private Stream<Arguments> rangesThatAreNone() {
    final int[][] ranges = {{-1, 1}, {0, -1}, {0, 4}, {2, 2}, {4, 0},
        {Integer.MAX_VALUE, Integer.MAX_VALUE}, {1, Integer.MAX_VALUE}};
    return ranged().stream().flatMap(call -> Arrays.stream(ranges).map(
        range -> Arguments.of(call, range[0], range[1])));
  }

  @ParameterizedTest
  @MethodSource("rangesThatAreNone")
  void rangesOutsideOfTheArray(
      final Named<Ranged> call, final int offset, final int size) {
    assertThrows(IndexOutOfBoundsException.class, () -> call.call.on(offset, size));
  }

  private List<Named<Call>> nulls() {
    final byte[] none = null;
    final List<Named<Call>> all = new ArrayList<>();
    all.add(new Named<>("put, key", x -> x.put(none, KEY)));
    all.add(new Named<>("put, value", x -> x.put(KEY, none)));
    all.add(new Named<>("put to a family, key", x -> x.put(family, none, KEY)));
    all.add(new Named<>("put to a family, value", x -> x.put(family, KEY, none)));
    all.add(new Named<>("put of buffers, key", x -> x.put(write, null, direct("v"))));
    all.add(new Named<>("put of buffers, value", x -> x.put(write, direct("k"), null)));
    all.add(new Named<>("merge, key", x -> x.merge(none, KEY)));
    all.add(new Named<>("merge, value", x -> x.merge(KEY, none)));
    all.add(new Named<>("delete", x -> x.delete(none)));
    all.add(new Named<>("singleDelete", x -> x.singleDelete(none)));
    all.add(new Named<>("deleteRange, begin", x -> x.deleteRange(none, KEY)));
    all.add(new Named<>("deleteRange, end", x -> x.deleteRange(KEY, none)));
    all.add(new Named<>("get", x -> x.get(none)));
    all.add(new Named<>("get into, key", x -> x.get(none, KEY)));
    all.add(new Named<>("get into, value", x -> x.get(KEY, none)));
    all.add(new Named<>("get of buffers, key", x -> x.get(read, null, direct("v"))));
    all.add(new Named<>("get of buffers, value", x -> x.get(read, direct("k"), null)));
    all.add(new Named<>("keyExists", x -> x.keyExists(none)));
    all.add(new Named<>("keyMayExist", x -> x.keyMayExist(none, null)));
    all.add(new Named<>("multiGetAsList", x -> x.multiGetAsList(null)));
    all.add(new Named<>(
        "multiGetAsList of a null", x -> x.multiGetAsList(Arrays.asList(KEY, null))));
    all.add(new Named<>("write", x -> x.write(write, (WriteBatch) null)));
    all.add(new Named<>("createColumnFamily", x -> x.createColumnFamily(null)));
    all.add(new Named<>("dropColumnFamily", x -> x.dropColumnFamily(null)));
    all.add(new Named<>("getProperty", x -> x.getProperty(null)));
    all.add(new Named<>("seek", x -> {
      try (RocksIterator it = x.newIterator()) {
        it.seek(none);
      }
    }));
    all.add(new Named<>("openReadOnly", x -> RocksDB.openReadOnly((String) null)));
    all.add(new Named<>("listColumnFamilies", x -> {
      try (Options options = new Options()) {
        RocksDB.listColumnFamilies(options, null);
      }
    }));
    all.add(new Named<>("destroyDB", x -> {
      try (Options options = new Options()) {
        RocksDB.destroyDB(null, options);
      }
    }));
    return all;
  }

  @ParameterizedTest
  @MethodSource("nulls")
  void nothingForSomething(final Named<Call> call) {
    assertThrows(NullPointerException.class, () -> call.call.on(db));
  }

  private List<Named<Call>> mixed() {
    return Arrays.asList(
        new Named<>("put", x -> x.put(write, direct("k"), heap("v"))),
        new Named<>("put to a family", x -> x.put(family, write, heap("k"), direct("v"))),
        new Named<>("merge", x -> x.merge(write, direct("k"), heap("v"))),
        new Named<>("get", x -> x.get(read, direct("k"), ByteBuffer.allocate(3))),
        new Named<>("get of a family",
            x -> x.get(family, read, heap("k"), ByteBuffer.allocateDirect(3))),
        new Named<>("WriteBatch.put", x -> {
          try (WriteBatch batch = new WriteBatch()) {
            batch.put(direct("k"), heap("v"));
          }
        }),
        new Named<>("WriteBatchWithIndex.put", x -> {
          try (WriteBatchWithIndex batch = new WriteBatchWithIndex()) {
            batch.put(heap("k"), direct("v"));
          }
        }));
  }

  @ParameterizedTest
  @MethodSource("mixed")
  void buffersOfTwoKinds(final Named<Call> call) {
    final RocksDBException thrown =
        assertThrows(RocksDBException.class, () -> call.call.on(db));
    assertEquals(Status.Code.InvalidArgument, thrown.getStatus().getCode());
  }

  private List<Named<Call>> refused() {
    return Arrays.asList(
        new Named<>("a batch with less than nothing", x -> new WriteBatch(-1)),
        new Named<>("level uninitialized", x -> x.setPerfLevel(PerfLevel.UNINITIALIZED)),
        new Named<>("level out of bounds", x -> x.setPerfLevel(PerfLevel.OUT_OF_BOUNDS)),
        new Named<>("no merge operator", x -> {
          try (Options options = new Options()) {
            options.setMergeOperatorName(null);
          }
        }),
        new Named<>("an odd number of limits", x -> x.deleteFilesInRanges(
            family, Bytes.list("a", "b", "c"), true)),
        new Named<>("fewer families than keys", x -> x.multiGetAsList(
            Arrays.asList(family), Bytes.list("a", "b"))),
        new Named<>("fewer values than keys", x -> x.multiGetByteBuffers(
            Arrays.asList(direct("a"), direct("b")), Arrays.asList(direct("c")))),
        new Named<>("two families for three keys", x -> x.multiGetByteBuffers(
            Arrays.asList(family, family), Arrays.asList(direct("a"), direct("b"), direct("c")),
            Arrays.asList(direct("d"), direct("e"), direct("f")))),
        new Named<>("keys of the heap", x -> x.multiGetByteBuffers(
            Arrays.asList(heap("a")), Arrays.asList(direct("c")))),
        new Named<>("values of the heap", x -> x.multiGetByteBuffers(
            Arrays.asList(direct("a")), Arrays.asList(heap("c")))),
        new Named<>("a checkpoint of nothing", x -> Checkpoint.create(null)),
        new Named<>("backups nowhere", x -> new BackupEngineOptions("/no/such/place")),
        new Named<>("backups without a path", x -> new BackupEngineOptions(null)),
        new Named<>("a slice of the heap", x -> new DirectSlice(heap("a"))),
        new Named<>("properties without one",
            x -> DBOptions.getDBOptionsFromProps(new java.util.Properties())),
        new Named<>("no properties",
            x -> ColumnFamilyOptions.getColumnFamilyOptionsFromProps(null)),
        new Named<>("a cache of less than nothing", x -> new LRUCache(-1)),
        new Named<>("a rate of nothing", x -> new RateLimiter(0)));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void nonsense(final Named<Call> call) {
    assertThrows(IllegalArgumentException.class, () -> call.call.on(db));
  }

  @Test
  void optionsAndFamiliesMayNotBeNull() throws Exception {
    final ReadOptions read = null;
    final WriteOptions write = null;
    final ColumnFamilyHandle family = null;
    final List<byte[]> keys = Arrays.asList(KEY, KEY);
    try (WriteBatch batch = new WriteBatch()) {
      final List<Executable> calls = Arrays.asList(() -> db.get(read, KEY),
          () -> db.get(family, KEY), () -> db.get(family, KEY, new byte[9]),
          () -> db.get(read, direct("k"), direct("k")), () -> db.put(write, KEY, KEY),
          () -> db.put(family, KEY, KEY), () -> db.put(write, direct("k"), direct("k")),
          () -> db.merge(family, KEY, KEY), () -> db.delete(write, KEY),
          () -> db.delete(family, KEY), () -> db.singleDelete(family, KEY),
          () -> db.deleteRange(family, KEY, KEY), () -> db.write(write, batch),
          () -> db.newIterator(read), () -> db.newIterator(family),
          () -> db.multiGetAsList(read, keys));
      for (int i = 0; i < calls.size(); i++) {
        assertThrows(NullPointerException.class, calls.get(i), "call " + i);
      }
    }
  }
}
