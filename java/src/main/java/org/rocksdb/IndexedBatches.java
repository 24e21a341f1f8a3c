package org.rocksdb;

/** What {@link WriteBatchWithIndex} asks the native library. */
final class IndexedBatches {
  static {
    LibraryLoader.load();
  }

  private IndexedBatches() {}

  static native long create(long comparator, int reservedBytes, boolean overwriteKey);

  /** A handle for the plain batch in it. */
  static native long batch(long indexed);

  static native void update(long indexed, long family, int operation, byte[] key, int offset,
      int size, byte[] value, int valueOffset, int valueSize) throws RocksDBException;

  static native void updateDirect(long indexed, long family, int operation, long key, int size,
      long value, int valueSize) throws RocksDBException;

  static native void putLogData(long indexed, byte[] blob) throws RocksDBException;

  static native void clear(long indexed);

  static native void setSavePoint(long indexed);

  static native void rollbackToSavePoint(long indexed) throws RocksDBException;

  static native void popSavePoint(long indexed) throws RocksDBException;

  static native void setMaxBytes(long indexed, long bytes);

  static native long iterator(long indexed, long family);

  /** Type, key and value of the update that an iterator of this is at, packed. */
  static native byte[] entry(long iterator);

  static native long iteratorWithBase(long indexed, long family, long base, long options);

  static native byte[] get(long indexed, long family, long options, byte[] key)
      throws RocksDBException;

  static native byte[] getWithDatabase(long indexed, long database, long family, long options,
      byte[] key) throws RocksDBException;
}
