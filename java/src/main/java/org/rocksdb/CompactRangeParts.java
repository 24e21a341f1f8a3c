package org.rocksdb;

/** Parts of the options of compactions that are no plain fields. */
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

  /** Those of {@link CompactionOptions}. */
  static native void setFilesCanceled(long options, boolean canceled);

  static native boolean areFilesCanceled(long options);

  /** Those of {@link CompactionOptionsFIFO}. */
  static native void setTemperatureAges(long options, byte[] packed);

  static native byte[] getTemperatureAges(long options);
}
