package org.rocksdb;

import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An open database of each kind, an object of each type, and arguments for any method. */
final class World implements AutoCloseable {
  interface Maker {
    Object make() throws Exception;
  }

  private static final byte[] KEY = {'k'};

  final Path folder;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Map<Class<?>, Maker> makers = new LinkedHashMap<>();
  private final Map<Class<?>, Object> made = new HashMap<>();
  private final List<Class<?>> fromDatabases = new ArrayList<>();

  World(final Path folder) throws Exception {
    this.folder = folder;
    addDatabases();
    addCallbacks();
    addShared();
    addFiles();
  }

  private <T> void add(final Class<T> type, final Maker maker) {
    makers.put(type, maker);
  }

  private <T> void addOfDatabase(final Class<T> type, final Maker maker) {
    makers.put(type, maker);
    fromDatabases.add(type);
  }

  private String path(final String name) {
    return folder.resolve(name).toString();
  }

  /** Types whose objects a database hands out, and that end with it. */
  List<Class<?>> fromDatabases() {
    return fromDatabases;
  }

  private void addDatabases() {
    add(Options.class, () -> new Options().setCreateIfMissing(true));
    add(TransactionDBOptions.class, () -> new TransactionDBOptions()
        .setTransactionLockTimeout(0).setDefaultLockTimeout(0));
    add(RocksDB.class, () -> filled(RocksDB.open(a(Options.class), path("plain"))));
    add(TtlDB.class, () -> filled(TtlDB.open(a(Options.class), path("ttl"))));
    add(TransactionDB.class, () -> filled(TransactionDB.open(
        a(Options.class), a(TransactionDBOptions.class), path("locking"))));
    add(OptimisticTransactionDB.class,
        () -> filled(OptimisticTransactionDB.open(a(Options.class), path("optimistic"))));
    addOfDatabase(ColumnFamilyHandle.class, () -> a(RocksDB.class).createColumnFamily(
        new ColumnFamilyDescriptor(new byte[] {'f'})));
    addOfDatabase(RocksIterator.class, () -> {
      final RocksIterator iterator = a(RocksDB.class).newIterator();
      iterator.seekToFirst();
      return iterator;
    });
    addOfDatabase(Snapshot.class, () -> a(RocksDB.class).getSnapshot());
    addOfDatabase(Checkpoint.class, () -> Checkpoint.create(a(RocksDB.class)));
    addOfDatabase(
        TransactionLogIterator.class, () -> a(RocksDB.class).getUpdatesSince(0));
    add(PerfContext.class, () -> a(RocksDB.class).getPerfContext());
    add(WalIterator.class, () -> a(TransactionLogIterator.class));
    addOfDatabase(Transaction.class, () -> {
      final Transaction txn = a(TransactionDB.class).beginTransaction(a(WriteOptions.class));
      txn.put(KEY, KEY);
      return txn;
    });
    add(WriteBatch.class, () -> {
      final WriteBatch batch = new WriteBatch();
      batch.put(KEY, KEY);
      return batch;
    });
    add(WriteBatchWithIndex.class, () -> {
      final WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
      batch.put(KEY, KEY);
      return batch;
    });
    add(WBWIRocksIterator.class, () -> {
      final WBWIRocksIterator iterator = a(WriteBatchWithIndex.class).newIterator();
      iterator.seekToFirst();
      return iterator;
    });
  }

  private static <T extends RocksDB> T filled(final T db) throws RocksDBException {
    db.put(KEY, KEY);
    return db;
  }

  private void addCallbacks() {
    add(AbstractComparator.class, () -> new AbstractComparator(new ComparatorOptions()) {
      @Override
      public String name() {
        return "order";
      }

      @Override
      public int compare(final ByteBuffer a, final ByteBuffer b) {
        return a.compareTo(b);
      }
    });
    add(AbstractTableFilter.class, () -> new AbstractTableFilter() {
      @Override
      public boolean filter(final TableProperties properties) {
        return true;
      }
    });
    add(AbstractTraceWriter.class, () -> new AbstractTraceWriter() {
      @Override
      public void write(final Slice slice) {}

      @Override
      public void closeWriter() {}

      @Override
      public long getFileSize() {
        return 0;
      }
    });
    add(AbstractWalFilter.class, () -> new AbstractWalFilter() {
      @Override
      public void columnFamilyLogNumberMap(
          final Map<Integer, Long> logs, final Map<String, Integer> names) {}

      @Override
      public LogRecordFoundResult logRecordFound(final long log, final String file,
          final WriteBatch batch, final WriteBatch newBatch) {
        return LogRecordFoundResult.CONTINUE_UNCHANGED;
      }

      @Override
      public String name() {
        return "logs";
      }
    });
    add(AbstractEventListener.class, () -> new AbstractEventListener() {});
    add(AbstractTransactionNotifier.class, () -> new AbstractTransactionNotifier() {
      @Override
      public void snapshotCreated(final Snapshot snapshot) {}
    });
    add(AbstractCompactionFilterFactory.class,
        () -> new AbstractCompactionFilterFactory<RemoveEmptyValueCompactionFilter>() {
          @Override
          public RemoveEmptyValueCompactionFilter createCompactionFilter(
              final AbstractCompactionFilter.Context context) {
            return new RemoveEmptyValueCompactionFilter();
          }

          @Override
          public String name() {
            return "filters";
          }
        });
    add(FlinkCompactionFilter.class,
        () -> new FlinkCompactionFilter.FlinkCompactionFilterFactory(null)
            .createCompactionFilter(null));
    add(AbstractInplaceCallback.class, () -> new AbstractInplaceCallback() {
      @Override
      public byte[] update(final byte[] existingValue, final byte[] deltaValue) {
        return deltaValue;
      }
    });
    add(AbstractBlobFilePartitionStrategy.class,
        () -> new AbstractBlobFilePartitionStrategy() {
          @Override
          public String name() {
            return "partitions";
          }

          @Override
          public int selectPartition(final int numPartitions, final int columnFamilyId,
              final byte[] key, final byte[] value) {
            return 0;
          }
        });
    add(AbstractCompactionService.class, () -> new AbstractCompactionService() {
      @Override
      public String name() {
        return "service";
      }

      @Override
      public ScheduleResponse schedule(
          final CompactionServiceJobInfo info, final byte[] compactionServiceInput) {
        return new ScheduleResponse("", CompactionServiceJobStatus.kUseLocal);
      }

      @Override
      public Result waitForResult(final String scheduledJobId) {
        return new Result(CompactionServiceJobStatus.kUseLocal, new byte[0]);
      }
    });
    add(Logger.class, () -> new Logger(InfoLogLevel.FATAL_LEVEL) {
      @Override
      protected void log(final InfoLogLevel level, final String text) {}
    });
  }

  private void addShared() {
    add(LRUCache.class, () -> new LRUCache(1 << 20));
    add(HyperClockCache.class, () -> new HyperClockCache(1 << 20, 0, -1, false));
    add(ClockCache.class, () -> new ClockCache(1 << 20));
    add(RateLimiter.class, () -> new RateLimiter(1 << 30));
    add(WriteBufferManager.class,
        () -> new WriteBufferManager(1 << 20, a(LRUCache.class)));
    add(SstFileManager.class, () -> new SstFileManager(Env.getDefault()));
    add(SstPartitionerFixedPrefixFactory.class,
        () -> new SstPartitionerFixedPrefixFactory(2));
    add(ConcurrentTaskLimiterImpl.class, () -> new ConcurrentTaskLimiterImpl("limit", 1));
    add(TablePropertiesCollectorFactory.class, () -> TablePropertiesCollectorFactory
        .NewCompactOnDeletionCollectorFactory(10, 5, 0.5));
    add(FileChecksumGenFactory.class,
        () -> new FileChecksumGenFactory("FileChecksumGenCrc32cFactory"));
    add(FlushBlockPolicyFactory.class,
        () -> new FlushBlockPolicyFactory("FlushBlockBySizePolicyFactory"));
    add(UserDefinedIndexFactory.class, () -> new UserDefinedIndexFactory("trie_index"));
    add(CompressionManager.class, () -> new CompressionManager("BuiltinV2"));
    add(SliceTransform.class, () -> new SliceTransform("fixed:4"));
    add(RocksMemEnv.class, () -> new RocksMemEnv(Env.getDefault()));
    add(TimedEnv.class, () -> new TimedEnv(Env.getDefault()));
    add(Slice.class, () -> new Slice("text"));
    add(DirectSlice.class, () -> new DirectSlice("text"));
    add(RestoreOptions.class, () -> new RestoreOptions(false));
    add(IngestExternalFileOptions.class, () -> new IngestExternalFileOptions());
  }

  private void addFiles() {
    add(SstFileWriter.class,
        () -> new SstFileWriter(a(EnvOptions.class), a(Options.class)));
    add(SstFileReader.class, () -> {
      final String file = path("table.sst");
      try (SstFileWriter writer = new SstFileWriter(a(EnvOptions.class), a(Options.class))) {
        writer.open(file);
        writer.put(KEY, KEY);
        writer.finish();
      }
      final SstFileReader reader = new SstFileReader(a(Options.class));
      reader.open(file);
      return reader;
    });
    add(SstFileReaderIterator.class, () -> {
      final SstFileReaderIterator iterator =
          a(SstFileReader.class).newIterator(a(ReadOptions.class));
      iterator.seekToFirst();
      return iterator;
    });
    add(BackupEngineOptions.class, () -> new BackupEngineOptions(
        Files.createDirectories(folder.resolve("backups")).toString()));
    add(BackupEngine.class,
        () -> BackupEngine.open(Env.getDefault(), a(BackupEngineOptions.class)));
    add(ExportImportFilesMetaData.class, () -> a(Checkpoint.class).exportColumnFamily(
        a(RocksDB.class).getDefaultColumnFamily(), path("exported")));
  }

  /** Whether an object of the type can be made. */
  boolean has(final Class<?> type) {
    return makers.containsKey(type) || hasPlainConstructor(type);
  }

  private static boolean hasPlainConstructor(final Class<?> type) {
    if (Modifier.isAbstract(type.getModifiers())) {
      return false;
    }
    try {
      return Modifier.isPublic(type.getConstructor().getModifiers());
    } catch (final NoSuchMethodException e) {
      return false;
    }
  }

  /** An object of the type, which the world closes. */
  synchronized <T> T a(final Class<T> type) throws Exception {
    Object object = made.get(type);
    if (object == null) {
      object = makers.containsKey(type) ? makers.get(type).make()
                                        : type.getConstructor().newInstance();
      made.put(type, object);
      if (object instanceof AutoCloseable) {
        opened.push((AutoCloseable) object);
      }
    }
    return type.cast(object);
  }

  /** An argument of a type; null for types of which there is nothing better. */
  Object argument(final Class<?> type) throws Exception {
    if (type == boolean.class) {
      return false;
    }
    if (type == byte.class || type == short.class || type == char.class) {
      return type == byte.class ? (Object) (byte) 0
          : type == short.class ? (Object) (short) 0 : (Object) 'c';
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 1L;
    }
    if (type == double.class || type == float.class) {
      return type == double.class ? (Object) 0.5 : (Object) 0.5f;
    }
    if (type == String.class) {
      return path("argument");
    }
    if (type == byte[].class) {
      return KEY.clone();
    }
    if (type == byte[][].class) {
      return new byte[][] {KEY.clone()};
    }
    if (type == ByteBuffer.class) {
      return ByteBuffer.allocateDirect(1);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == List.class || type == java.util.Collection.class) {
      return new ArrayList<>(Collections.singletonList(KEY.clone()));
    }
    for (final Class<?> each : Arrays.asList(LRUCache.class, RocksMemEnv.class)) {
      if (type != Object.class && type.isAssignableFrom(each)
          && AbstractNativeReference.class.isAssignableFrom(type)) {
        return a(each);
      }
    }
    if (!AbstractNativeReference.class.isAssignableFrom(type) || !has(type)) {
      return null;
    }
    try {
      return a(type);
    } catch (final RocksDBException | RuntimeException | AssertionError e) {
      // What it is made from is closed by now.
      return null;
    }
  }

  @Override
  public void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
