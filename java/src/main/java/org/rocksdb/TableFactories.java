package org.rocksdb;

/** Makes the engine's factories of tables and memtables. */
final class TableFactories {
  static {
    LibraryLoader.load();
  }

  private TableFactories() {}

  static native long blockBased(long options, long cache, long persistentCache, long filter,
      long ownCacheSize, int ownCacheShardBits);

  static native void setFlushBlockPolicy(long options, long factory);

  /** A new handle for what is set, or 0 for the default one. */
  static native long flushBlockPolicy(long options);

  static native void setIndexFactory(long options, long factory);

  /** A new handle for what is set, or 0. */
  static native long indexFactory(long options);

  static native void setCacheUsage(long options, byte[] packed);

  static native long plain(long options);

  static native long skipList(long lookahead);

  static native long vector(long reserved);

  static native long hashSkipList(long buckets, int height, int branching);

  static native long hashLinkedList(long buckets, long hugePageSize, int loggingThreshold,
      boolean logDistribution, int thresholdUseSkiplist);
}
