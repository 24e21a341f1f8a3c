package org.rocksdb;

import java.util.EnumSet;

/** Tickers and histograms of databases that share it. */
public class Statistics extends RocksObject {
  /** With all histograms. */
  public Statistics() {
    super(StatisticsParts.create(null, 0));
  }

  /**
   * The same counters as another one.
   *
   * @param otherStatistics the other one
   */
  public Statistics(final Statistics otherStatistics) {
    super(StatisticsParts.create(null, otherStatistics.nativeHandle_));
  }

  /**
   * Without some histograms.
   *
   * @param ignoreHistograms those that are not kept
   */
  public Statistics(final EnumSet<HistogramType> ignoreHistograms) {
    super(StatisticsParts.create(numbers(ignoreHistograms), 0));
  }

  /**
   * The same counters as another one, without some histograms.
   *
   * @param ignoreHistograms those that are not kept
   * @param otherStatistics the other one
   */
  public Statistics(
      final EnumSet<HistogramType> ignoreHistograms, final Statistics otherStatistics) {
    super(StatisticsParts.create(numbers(ignoreHistograms), otherStatistics.nativeHandle_));
  }

  Statistics(final long handle) {
    super(handle);
  }

  private static byte[] numbers(final EnumSet<HistogramType> histograms) {
    final byte[] numbers = new byte[histograms.size()];
    int next = 0;
    for (final HistogramType each : histograms) {
      numbers[next++] = each.getValue();
    }
    return numbers;
  }

  /**
   * What is counted.
   *
   * @return the level
   */
  public StatsLevel statsLevel() {
    return StatsLevel.getStatsLevel(StatisticsParts.level(nativeHandle_));
  }

  /**
   * What is counted.
   *
   * @param statsLevel the level
   */
  public void setStatsLevel(final StatsLevel statsLevel) {
    StatisticsParts.setLevel(nativeHandle_, statsLevel.getValue());
  }

  /**
   * A counter.
   *
   * @param tickerType which
   * @return its value; 0 for what the engine does not count
   */
  public long getTickerCount(final TickerType tickerType) {
    return StatisticsParts.ticker(nativeHandle_, tickerType.getValue(), false);
  }

  /**
   * A counter, which begins anew.
   *
   * @param tickerType which
   * @return its value; 0 for what the engine does not count
   */
  public long getAndResetTickerCount(final TickerType tickerType) {
    return StatisticsParts.ticker(nativeHandle_, tickerType.getValue(), true);
  }

  /**
   * A distribution.
   *
   * @param histogramType which
   * @return its figures
   */
  public HistogramData getHistogramData(final HistogramType histogramType) {
    return new HistogramData(new Unpacker(
        StatisticsParts.histogram(nativeHandle_, histogramType.getValue())));
  }

  /**
   * A distribution as text.
   *
   * @param histogramType which
   * @return its buckets
   */
  public String getHistogramString(final HistogramType histogramType) {
    return Text.of(
        StatisticsParts.histogramText(nativeHandle_, histogramType.getValue()));
  }

  /**
   * Sets all to 0.
   *
   * @throws RocksDBException if the engine refuses
   */
  public void reset() throws RocksDBException {
    StatisticsParts.reset(nativeHandle_);
  }

  @Override
  public String toString() {
    return Text.of(StatisticsParts.text(nativeHandle_));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
