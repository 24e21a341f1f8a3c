package org.rocksdb;

import java.nio.ByteBuffer;

/** Batches of updates. */
final class Batches {
  static final int HAS_PUT = 0;
  static final int HAS_MERGE = 1;
  static final int HAS_DELETE = 2;
  static final int HAS_SINGLE_DELETE = 3;
  static final int HAS_DELETE_RANGE = 4;
  static final int HAS_BEGIN_PREPARE = 5;
  static final int HAS_END_PREPARE = 6;
  static final int HAS_COMMIT = 7;
  static final int HAS_ROLLBACK = 8;

  static {
    LibraryLoader.load();
  }

  private Batches() {}

  static native long create(int reservedBytes);

  static native long createFrom(byte[] serialized);

  static native void update(long batch, long family, int operation, byte[] key, int offset,
      int size, byte[] value, int valueOffset, int valueSize) throws RocksDBException;

  static native void updateDirect(long batch, long family, int operation, long key, int size,
      long value, int valueSize) throws RocksDBException;

  static native void putLogData(long batch, byte[] blob) throws RocksDBException;

  static native int count(long batch);

  static native void clear(long batch);

  static native void setSavePoint(long batch);

  static native void rollbackToSavePoint(long batch) throws RocksDBException;

  static native void popSavePoint(long batch) throws RocksDBException;

  static native void setMaxBytes(long batch, long bytes);

  static native byte[] data(long batch) throws RocksDBException;

  static native long dataSize(long batch);

  static native boolean has(long batch, int what);

  static native void markWalTerminationPoint(long batch);

  static native long[] walTerminationPoint(long batch);

  static native void iterate(long batch, WriteBatch.Handler handler) throws RocksDBException;
}
