package org.rocksdb;

/** Makes objects of the engine's from their text. */
final class NamedObjects {
  // The numbers of java/jni/named_objects.cc.
  static final int FILE_CHECKSUM_GEN_FACTORY = 0;
  static final int FLUSH_BLOCK_POLICY_FACTORY = 1;
  static final int USER_DEFINED_INDEX_FACTORY = 2;
  static final int COMPRESSION_MANAGER = 3;
  static final int SLICE_TRANSFORM = 4;

  static {
    LibraryLoader.load();
  }

  private NamedObjects() {}

  static native long create(int kind, byte[] id) throws RocksDBException;

  static native byte[] id(int kind, long object);
}
