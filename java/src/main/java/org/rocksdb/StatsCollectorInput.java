package org.rocksdb;

/** Statistics, and who gets them. */
public class StatsCollectorInput {
  private final Statistics _statistics;
  private final StatisticsCollectorCallback _statsCallback;

  /** Statistics, and who gets them. */
  public StatsCollectorInput(
      final Statistics statistics, final StatisticsCollectorCallback statsCallback) {
    _statistics = statistics;
    _statsCallback = statsCallback;
  }

  /** The statistics. */
  public Statistics getStatistics() {
    return _statistics;
  }

  /** Who gets them. */
  public StatisticsCollectorCallback getCallback() {
    return _statsCallback;
  }
}
