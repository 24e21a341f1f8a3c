package org.rocksdb;

/** What {@link WalIterator} asks the native library. */
final class WalParts {
  static {
    LibraryLoader.load();
  }

  private WalParts() {}

  static native boolean isValid(long iterator);

  static native void next(long iterator);

  static native void status(long iterator) throws RocksDBException;

  /** Sequence number and handle. */
  static native long[] batch(long iterator);
}
