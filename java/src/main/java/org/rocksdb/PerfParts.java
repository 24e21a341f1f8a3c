package org.rocksdb;

/** The counters of this thread, and those of compactions. */
final class PerfParts {
  static {
    LibraryLoader.load();
  }

  private PerfParts() {}

  static native void resetContext();

  static native byte[] contextText(boolean excludeZeroCounters);

  /** A handle for the counters of whichever thread reads them. */
  static native long context();

  static native void setLevel(byte level);

  static native byte level();

  static native void resetJobStats(long stats);

  static native void addJobStats(long stats, long more);
}
