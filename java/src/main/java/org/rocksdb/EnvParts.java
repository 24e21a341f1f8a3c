package org.rocksdb;

/** What {@link Env} asks the engine. */
final class EnvParts {
  static {
    LibraryLoader.load();
  }

  private EnvParts() {}

  static native long getDefault();

  static native long inMemory(long base);

  static native long timed(long base);

  static native void setThreads(long env, int number, byte priority, boolean onlyMore);

  static native int threads(long env, byte priority);

  static native int queueLength(long env, byte priority);

  static native void lowerPriority(long env, byte priority, boolean ofIo);

  static native byte[] threadList(long env) throws RocksDBException;

  static native byte[] microsText(long micros);

  static native byte[] nameOf(int kind, int first, int second);
}
