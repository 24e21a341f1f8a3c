package org.rocksdb;

/** What {@link Checkpoint} asks the native library. */
final class CheckpointParts {
  static {
    LibraryLoader.load();
  }

  private CheckpointParts() {}

  static native long create(long database);

  static native void createCheckpoint(long checkpoint, byte[] path) throws RocksDBException;

  static native long exportFamily(long checkpoint, long family, byte[] path)
      throws RocksDBException;
}
