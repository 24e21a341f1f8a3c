package org.rocksdb;

/** What {@link SstFileManager} asks the native library. */
final class FileManagerParts {
  static final int MAX_SPACE = 0;
  static final int COMPACTION_BUFFER = 1;
  static final int MAX_SPACE_COMPACTING = 2;
  static final int TOTAL = 3;
  static final int DELETE_RATE = 4;
  static final int TRASH_RATIO = 5;

  static {
    LibraryLoader.load();
  }

  private FileManagerParts() {}

  static native long create(long env, long logger, long rate, double trashRatio, long chunk)
      throws RocksDBException;

  static native long get(long manager, int which);

  static native void set(long manager, int which, long value);

  static native byte[] files(long manager);
}
