package org.rocksdb;

/** What {@link SstFileWriter} and {@link SstFileReader} ask the native library. */
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

  static native long createReader(long options);

  static native void openReader(long reader, byte[] path) throws RocksDBException;

  static native long iterator(long reader, long read);

  static native void verify(long reader) throws RocksDBException;

  static native byte[] properties(long reader);
}
