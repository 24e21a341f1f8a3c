package org.rocksdb;

/** Gets figures that a {@link StatisticsCollector} collects. */
public interface StatisticsCollectorCallback {
  /** A ticker's count. */
  void tickerCallback(TickerType tickerType, long tickerCount);

  /** A histogram's figures. */
  void histogramCallback(HistogramType histType, HistogramData histData);
}
