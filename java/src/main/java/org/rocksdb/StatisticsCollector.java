package org.rocksdb;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Hands all tickers and histograms to callbacks, again and again. After an exception it goes on
 * with the next statistics; the first one is told on the standard error output.
 */
public class StatisticsCollector {
  private final List<StatsCollectorInput> inputs;
  private final int intervalMillis;
  // Whether a round has failed before; the executor's one thread asks.
  private boolean hasTold;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(work -> {
        final Thread thread = new Thread(work, "rocksdb:statistics");
        thread.setDaemon(true);
        return thread;
      });

  /**
   * A collector, to be started.
   *
   * @param statsCollectorInputList statistics, and who gets them
   * @param statsCollectionIntervalInMilliSeconds the time between two rounds
   */
  public StatisticsCollector(final List<StatsCollectorInput> statsCollectorInputList,
      final int statsCollectionIntervalInMilliSeconds) {
    inputs = statsCollectorInputList;
    intervalMillis = statsCollectionIntervalInMilliSeconds;
  }

  /** Begins. */
  public void start() {
    executor.scheduleWithFixedDelay(
        this::collect, 0, Math.max(1, intervalMillis), TimeUnit.MILLISECONDS);
  }

  /**
   * Ends.
   *
   * @param shutdownTimeout milliseconds to wait for a round that runs
   * @throws InterruptedException if the wait is interrupted
   */
  public void shutDown(final int shutdownTimeout) throws InterruptedException {
    executor.shutdownNow();
    executor.awaitTermination(shutdownTimeout, TimeUnit.MILLISECONDS);
  }

  private void collect() {
    for (final StatsCollectorInput input : inputs) {
      try {
        collect(input.getStatistics(), input.getCallback());
      } catch (final RuntimeException | AssertionError e) {
        // The next round may go better; one callback does not end the others.
        tell(e);
      }
    }
  }

  private void tell(final Throwable thrown) {
    if (!hasTold) {
      hasTold = true;
      System.err.println("a collector of statistics goes on after: " + thrown);
    }
  }

  private static void collect(
      final Statistics statistics, final StatisticsCollectorCallback callback) {
    for (final TickerType each : TickerType.values()) {
      if (each != TickerType.TICKER_ENUM_MAX) {
        callback.tickerCallback(each, statistics.getTickerCount(each));
      }
    }
    for (final HistogramType each : HistogramType.values()) {
      if (each != HistogramType.HISTOGRAM_ENUM_MAX) {
        callback.histogramCallback(each, statistics.getHistogramData(each));
      }
    }
  }
}
