package org.rocksdb;

/** Statistics, and the callback that gets them. */
public class StatsCollectorInput {
  private final Statistics _statistics;
  private final StatisticsCollectorCallback _statsCallback;

  /** Pairs statistics with the callback that gets them. */
  public StatsCollectorInput(
      final Statistics statistics, final StatisticsCollectorCallback statsCallback) {
    _statistics = statistics;
    _statsCallback = statsCallback;
  }

  /** The statistics. */
  public Statistics getStatistics() {
    return _statistics;
  }

  /** The callback that gets the statistics. */
  public StatisticsCollectorCallback getCallback() {
    return _statsCallback;
  }
}
