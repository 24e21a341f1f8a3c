package org.rocksdb;

/** Makes and asks objects that databases share: caches, filters, limiters, operators. */
final class SharedObjects {
  static {
    LibraryLoader.load();
  }

  private SharedObjects() {}

  static native long lruCache(
      long capacity, int shardBits, boolean isStrict, double highRatio, double lowRatio);

  static native long hyperClockCache(
      long capacity, long entryCharge, int shardBits, boolean isStrict);

  static native long cacheUsage(long cache);

  static native long cachePinnedUsage(long cache);

  static native long persistentCache(
      long env, byte[] path, long size, long logger, boolean optimizedForNvm);

  static native long bloomFilter(double bitsPerKey);

  static native long rateLimiter(
      long bytesPerSecond, long refillMicros, int fairness, byte mode, boolean autoTune);

  static native void setRate(long limiter, long bytesPerSecond);

  static native long rate(long limiter);

  static native void request(long limiter, long bytes);

  static native long singleBurst(long limiter);

  static native long totalThrough(long limiter);

  static native long totalRequests(long limiter);

  static native long writeBufferManager(long size, long cache, boolean allowStall);

  static native long stringAppend(byte[] delimiter);

  static native long uint64Add();

  static native long removeEmptyValues();

  static native long taskLimiter(byte[] name, int maxOutstanding);

  static native byte[] taskLimiterName(long limiter);

  static native void setMaxOutstanding(long limiter, int max);

  static native void resetMaxOutstanding(long limiter);

  static native int outstanding(long limiter);

  static native long fixedPrefixPartitioner(long length);

  static native long compactOnDeletion(long window, long trigger, double ratio);

  /** What the engine does not have. */
  static long cassandra(final String name) {
    throw new UnsupportedOperationException(name + " is not supported");
  }
}
