package org.rocksdb;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;

/** What {@link Transaction} and the databases with transactions ask the native library. */
final class Transactions {
  // The numbers of java/jni/transactions.cc: steps.
  static final int PREPARE = 0;
  static final int COMMIT = 1;
  static final int ROLLBACK = 2;
  static final int SET_SAVE_POINT = 3;
  static final int ROLLBACK_TO_SAVE_POINT = 4;
  static final int SET_SNAPSHOT = 5;
  static final int CLEAR_SNAPSHOT = 6;
  static final int DISABLE_INDEXING = 7;
  static final int ENABLE_INDEXING = 8;

  // Figures.
  static final int KEYS = 0;
  static final int PUTS = 1;
  static final int DELETES = 2;
  static final int MERGES = 3;
  static final int ELAPSED = 4;
  static final int LOG_NUMBER = 5;
  static final int ID = 6;
  static final int COMMIT_ID = 7;
  static final int DEADLOCK_DETECT = 8;
  static final int STATE = 9;

  // The bits of java/jni/transaction_keys.cc: how a key is read.
  static final int PLAIN = 0;
  private static final int FOR_UPDATE = 1;
  private static final int EXCLUSIVE = 2;
  private static final int VALIDATE = 4;

  // How a key is written.
  static final int TRACKED = 0;
  static final int ASSUME_TRACKED = 1;
  static final int UNTRACKED = 2;

  static {
    LibraryLoader.load();
  }

  private Transactions() {}

  static native long begin(long database, long write, long options, long old);

  static native void run(long transaction, int step) throws RocksDBException;

  static native long number(long transaction, int figure);

  static native long notifier(AbstractTransactionNotifier notifier);

  static native void snapshotOnNext(long transaction, long notifier);

  static native long snapshot(long transaction);

  static native void setLockTimeout(long transaction, long milliseconds);

  static native void setLogNumber(long transaction, long number);

  static native void setName(long transaction, byte[] name) throws RocksDBException;

  static native byte[] name(long transaction);

  static native byte[] waiting(long transaction);

  static native void undoGetForUpdate(long transaction, long family, byte[] key);

  static native void rebuild(long transaction, long batch) throws RocksDBException;

  static native long indexedBatch(long transaction);

  static native long commitTimeBatch(long transaction);

  static native long writeOptions(long transaction);

  static native void setWriteOptions(long transaction, long options);

  static native long byName(long database, byte[] name);

  static native long[] prepared(long database);

  static native byte[] locks(long database);

  static native byte[] deadlocks(long database);

  static native void setDeadlockBufferSize(long database, int size);

  static native long base(long database);

  static native byte[] get(long transaction, long family, long read, int how, byte[] key,
      int offset, int size) throws RocksDBException;

  static native int getInto(long transaction, long family, long read, int how, byte[] key,
      int offset, int size, byte[] target, int targetOffset, int room) throws RocksDBException;

  static native int getDirect(long transaction, long family, long read, int how, long key,
      int size, long target, int room) throws RocksDBException;

  static native byte[][] multiGet(long transaction, long[] families, long read, byte[] keys,
      boolean forUpdate) throws RocksDBException;

  static native long iterator(long transaction, long family, long read);

  static native void update(long transaction, long family, int operation, int tracking,
      byte[] key, int offset, int size, byte[] value, int valueOffset, int valueSize)
      throws RocksDBException;

  static native void updateDirect(long transaction, long family, int operation, int tracking,
      long key, int size, long value, int valueSize) throws RocksDBException;

  static native void putLogData(long transaction, byte[] blob);

  /** How a key is read that is to be updated. */
  static int forUpdate(final boolean exclusive, final boolean validate) {
    return FOR_UPDATE | (exclusive ? EXCLUSIVE : 0) | (validate ? VALIDATE : 0);
  }

  static byte[] find(final Transaction transaction, final ColumnFamilyHandle family,
      final ReadOptions options, final int how, final byte[] key) throws RocksDBException {
    return get(transaction.nativeHandle_, RocksObject.handleOf(family), options.nativeHandle_,
        how, key, 0, key.length);
  }

  static GetStatus find(final Transaction transaction, final ColumnFamilyHandle family,
      final ReadOptions options, final int how, final byte[] key, final byte[] value)
      throws RocksDBException {
    return GetStatus.ofSize(getInto(transaction.nativeHandle_, RocksObject.handleOf(family),
        options.nativeHandle_, how, key, 0, key.length, value, 0, value.length));
  }

  static GetStatus find(final Transaction transaction, final ColumnFamilyHandle family,
      final ReadOptions options, final int how, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    final long cf = RocksObject.handleOf(family);
    final int size = Buffers.areDirect(key, value)
        ? getDirect(transaction.nativeHandle_, cf, options.nativeHandle_, how,
            Buffers.address(key), key.remaining(), Buffers.target(value), value.remaining())
        : getInto(transaction.nativeHandle_, cf, options.nativeHandle_, how, key.array(),
            Buffers.offset(key), key.remaining(), value.array(), Buffers.offset(value),
            value.remaining());
    Buffers.consume(key);
    if (size > 0) {
      // Unlike reads of a database, this moves the position.
      ((Buffer) value).position(value.position() + Math.min(size, value.remaining()));
    }
    return GetStatus.ofSize(size);
  }

  static byte[][] findAll(final Transaction transaction, final List<ColumnFamilyHandle> families,
      final ReadOptions options, final List<byte[]> keys, final boolean forUpdate)
      throws RocksDBException {
    if (families != null && families.size() != keys.size()) {
      throw new IllegalArgumentException("For each key there must be a ColumnFamilyHandle.");
    }
    if (keys.isEmpty()) {
      return new byte[0][];
    }
    return multiGet(transaction.nativeHandle_,
        families == null ? new long[0] : Databases.handlesOf(families), options.nativeHandle_,
        Reads.packKeys(keys), forUpdate);
  }

  /** A key and a value; null for a deletion. */
  static void write(final Transaction transaction, final ColumnFamilyHandle family,
      final int operation, final int tracking, final byte[] key, final byte[] value)
      throws RocksDBException {
    update(transaction.nativeHandle_, RocksObject.handleOf(family), operation, tracking, key, 0,
        key.length, value, 0, value == null ? 0 : value.length);
  }

  static void write(final Transaction transaction, final ColumnFamilyHandle family,
      final int operation, final int tracking, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    final long cf = RocksObject.handleOf(family);
    if (Buffers.areDirect(key, value)) {
      updateDirect(transaction.nativeHandle_, cf, operation, tracking, Buffers.address(key),
          key.remaining(), Buffers.address(value), value.remaining());
    } else {
      update(transaction.nativeHandle_, cf, operation, tracking, key.array(),
          Buffers.offset(key), key.remaining(), value.array(), Buffers.offset(value),
          value.remaining());
    }
    Buffers.consume(key);
    Buffers.consume(value);
  }

  /** Parts, one behind the other. */
  static byte[] join(final byte[][] parts) {
    int size = 0;
    for (final byte[] part : parts) {
      size = Math.addExact(size, part.length);
    }
    final byte[] joined = new byte[size];
    int at = 0;
    for (final byte[] part : parts) {
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
    }
    return joined;
  }

  static long[] readIds(final Unpacker in) {
    final long[] ids = new long[in.readInt()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = in.readLong();
    }
    return ids;
  }
}
