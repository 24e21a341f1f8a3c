package org.rocksdb.jmh;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Reads, writes and walks through any jar of {@code org.rocksdb}: keys of 16 bytes, everything in the
 * block cache. Only members that RocksDB's jars have are used.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DatabaseBenchmarks {
  private static final int KEYS = 100_000;
  private static final int MANY = 100;

  @Param({"100", "4096"}) public int valueSize;

  private Path folder;
  private LRUCache cache;
  private BloomFilter filter;
  private Options options;
  private ReadOptions read;
  private WriteOptions write;
  private RocksDB db;
  private RocksIterator walk;
  private byte[][] keys;
  private byte[] value;
  private byte[] target;
  private ByteBuffer directKey;
  private ByteBuffer directValue;
  private int next;

  @Setup(Level.Trial)
  public void open() throws Exception {
    RocksDB.loadLibrary();
    folder = Files.createTempDirectory("jmh");
    cache = new LRUCache(2L << 30);
    filter = new BloomFilter(10);
    options = new Options()
                  .setCreateIfMissing(true)
                  .setCompressionType(CompressionType.NO_COMPRESSION)
                  .setWriteBufferSize(64 << 20)
                  .setTableFormatConfig(
                      new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter));
    db = RocksDB.open(options, folder.resolve("db").toString());
    read = new ReadOptions();
    write = new WriteOptions().setDisableWAL(true);
    keys = new byte[KEYS][];
    value = new byte[valueSize];
    target = new byte[valueSize];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = String.format("key%013d", i).getBytes();
      db.put(write, keys[i], value);
    }
    try (FlushOptions flush = new FlushOptions()) {
      db.flush(flush);
    }
    db.compactRange();
    shuffleKeys();
    directKey = ByteBuffer.allocateDirect(16);
    directValue = ByteBuffer.allocateDirect(valueSize);
    walk = db.newIterator(read);
    for (walk.seekToFirst(); walk.isValid(); walk.next()) {
      // All blocks are in the cache from here on.
    }
  }

  @TearDown(Level.Trial)
  public void close() throws Exception {
    walk.close();
    db.close();
    write.close();
    read.close();
    options.close();
    filter.close();
    cache.close();
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }

  // From here on keys are in no order, and lie in memory as they are asked for: what is timed is the
  // library, not how the benchmark comes by a key.
  private void shuffleKeys() {
    final SplittableRandom random = new SplittableRandom(1);
    for (int i = KEYS - 1; i > 0; i--) {
      final int other = random.nextInt(i + 1);
      final byte[] key = keys[i];
      keys[i] = keys[other];
      keys[other] = key;
    }
    for (int i = 0; i < KEYS; i++) {
      keys[i] = keys[i].clone();
    }
  }

  private byte[] anyKey() {
    next = next + 1 < KEYS ? next + 1 : 0;
    return keys[next];
  }

  @Benchmark
  public byte[] get() throws RocksDBException {
    return db.get(read, anyKey());
  }

  @Benchmark
  public int getIntoArray() throws RocksDBException {
    return db.get(read, anyKey(), target);
  }

  @Benchmark
  public int getBuffers() throws RocksDBException {
    directKey.clear();
    directKey.put(anyKey()).flip();
    directValue.clear();
    return db.get(read, directKey, directValue);
  }

  @Benchmark
  @OperationsPerInvocation(MANY)
  public List<byte[]> multiGet() throws RocksDBException {
    final List<byte[]> wanted = new ArrayList<>(MANY);
    for (int i = 0; i < MANY; i++) {
      wanted.add(anyKey());
    }
    return db.multiGetAsList(read, wanted);
  }

  @Benchmark
  public void put() throws RocksDBException {
    db.put(write, anyKey(), value);
  }

  @Benchmark
  @OperationsPerInvocation(MANY)
  public void writeBatch() throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (int i = 0; i < MANY; i++) {
        batch.put(anyKey(), value);
      }
      db.write(write, batch);
    }
  }

  /** One entry: a step, its key and its value. */
  @Benchmark
  public int iterate() {
    if (!walk.isValid()) {
      walk.seekToFirst();
    }
    directKey.clear();
    directValue.clear();
    final int size = walk.key(directKey) + walk.value(directValue);
    walk.next();
    return size;
  }
}
