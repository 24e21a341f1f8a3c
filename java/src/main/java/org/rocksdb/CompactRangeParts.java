package org.rocksdb;

/** Parts of {@link CompactRangeOptions} that are no plain fields. */
final class CompactRangeParts {
  static {
    LibraryLoader.load();
  }

  private CompactRangeParts() {}

  static native void setHistory(long options, long start, long range);

  /** Start and range; empty if they are not set. */
  static native long[] getHistory(long options);

  static native void setCanceled(long options, boolean canceled);

  static native boolean isCanceled(long options);
}
