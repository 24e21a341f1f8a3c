package org.rocksdb;

/** What {@link BackupEngine} asks the native library. */
final class BackupParts {
  static {
    LibraryLoader.load();
  }

  private BackupParts() {}

  static native long restoreOptions(boolean keepLogFiles);

  static native void setMode(long options, int mode);

  static native int mode(long options);

  static native void setAlternates(long options, long[] engines);

  static native long open(long env, long options) throws RocksDBException;

  static native void create(long engine, long database, byte[] metadata, boolean flush)
      throws RocksDBException;

  static native byte[] list(long engine);

  static native long[] corrupted(long engine);

  static native void collectGarbage(long engine) throws RocksDBException;

  static native void purge(long engine, int numberToKeep) throws RocksDBException;

  static native void deleteOne(long engine, int backup) throws RocksDBException;

  /** Backup 0: the newest one. */
  static native void restore(long engine, int backup, byte[] path, byte[] logPath, long options)
      throws RocksDBException;
}
