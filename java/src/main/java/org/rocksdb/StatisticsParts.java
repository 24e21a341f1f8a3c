package org.rocksdb;

/** What {@link Statistics} asks the engine. */
final class StatisticsParts {
  static {
    LibraryLoader.load();
  }

  private StatisticsParts() {}

  static native long create(byte[] ignoredHistograms, long other);

  static native byte level(long statistics);

  static native void setLevel(long statistics, byte level);

  static native long ticker(long statistics, byte ticker, boolean reset);

  static native byte[] histogram(long statistics, byte histogram);

  static native byte[] histogramText(long statistics, byte histogram);

  static native void reset(long statistics) throws RocksDBException;

  static native byte[] text(long statistics);
}
