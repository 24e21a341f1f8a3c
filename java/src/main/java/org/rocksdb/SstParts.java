package org.rocksdb;

/** What {@link SstFileWriter} asks the native library. */
final class SstParts {
  static {
    LibraryLoader.load();
  }

  private SstParts() {}

  static native long createWriter(long envOptions, long options);

  static native void openWriter(long writer, byte[] path) throws RocksDBException;

  static native void add(long writer, int operation, byte[] key, byte[] value)
      throws RocksDBException;

  static native void finish(long writer) throws RocksDBException;

  static native long fileSize(long writer) throws RocksDBException;
}
