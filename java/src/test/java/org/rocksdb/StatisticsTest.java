package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tickers, histograms, and what a thread's calls cost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatisticsTest {
  @TempDir static Path folder;

  private final Statistics statistics = new Statistics();
  private final Options options =
      new Options().setCreateIfMissing(true).setStatistics(statistics);
  private RocksDB db;

  @BeforeAll
  void open() throws Exception {
    statistics.setStatsLevel(StatsLevel.ALL);
    db = RocksDB.open(options, folder.resolve("db").toString());
    for (int i = 0; i < 100; i++) {
      db.put(b("k" + i), b("v" + i));
    }
    try (FlushOptions flush = new FlushOptions()) {
      db.flush(flush);
    }
    db.compactRange();
    db.get(b("k1"));
    db.get(b("none"));
  }

  @AfterAll
  void close() {
    db.close();
    options.close();
    statistics.close();
  }

  @ParameterizedTest
  @EnumSource(value = TickerType.class, names = "TICKER_ENUM_MAX", mode = EnumSource.Mode.EXCLUDE)
  void everyTickerAnswers(final TickerType ticker) {
    assertTrue(statistics.getTickerCount(ticker) >= 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = HistogramType.class, names = "HISTOGRAM_ENUM_MAX", mode = EnumSource.Mode.EXCLUDE)
  void everyHistogramAnswers(final HistogramType type) {
    final HistogramData data = statistics.getHistogramData(type);
    assertTrue(data.getCount() >= 0);
    assertTrue(data.getMin() <= data.getMax());
    assertTrue(data.getAverage() <= data.getMax());
    assertTrue(data.getMedian() <= data.getPercentile95());
    assertTrue(data.getPercentile95() <= data.getPercentile99());
    assertTrue(data.getStandardDeviation() >= 0);
    // What was measured may have taken no time that its unit shows.
    assertTrue(data.getCount() > 0 || data.getSum() == 0 && data.getMax() == 0);
    assertTrue(statistics.getHistogramString(type).contains("Count"));
  }

  @ParameterizedTest
  @EnumSource(value = TickerType.class,
      names = {"NUMBER_KEYS_WRITTEN", "NUMBER_KEYS_READ", "BYTES_WRITTEN", "BYTES_READ",
          "WAL_FILE_BYTES", "FLUSH_WRITE_BYTES", "MEMTABLE_MISS", "WRITE_DONE_BY_SELF"})
  void countsWhatWasDone(final TickerType ticker) {
    assertTrue(statistics.getTickerCount(ticker) > 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = HistogramType.class, names = {"DB_GET", "DB_WRITE", "FLUSH_TIME", "BYTES_PER_WRITE"})
  void measuresWhatWasDone(final HistogramType type) {
    assertTrue(statistics.getHistogramData(type).getCount() > 0);
    assertTrue(statistics.getHistogramData(type).getSum() > 0);
    assertTrue(statistics.getHistogramData(type).getMax() > 0);
  }

  @ParameterizedTest
  @EnumSource(StatsLevel.class)
  void levels(final StatsLevel level) {
    try (Statistics own = new Statistics()) {
      assertSame(StatsLevel.EXCEPT_DETAILED_TIMERS, own.statsLevel());
      own.setStatsLevel(level);
      assertSame(level, own.statsLevel());
    }
  }

  @Test
  void gettingAndResetting() throws Exception {
    try (Statistics own = new Statistics();
         Options counted = new Options().setCreateIfMissing(true).setStatistics(own);
         RocksDB other = RocksDB.open(counted, folder.resolve("other").toString())) {
      other.put(b("k"), b("v"));
      assertEquals(1, own.getAndResetTickerCount(TickerType.NUMBER_KEYS_WRITTEN));
      assertEquals(0, own.getTickerCount(TickerType.NUMBER_KEYS_WRITTEN));
      other.put(b("k"), b("v"));
      assertEquals(1, own.getTickerCount(TickerType.NUMBER_KEYS_WRITTEN));
      assertTrue(own.getHistogramData(HistogramType.BYTES_PER_WRITE).getCount() > 0);
      assertTrue(own.toString().contains("rocksdb.number.keys.written"));
      own.reset();
      assertEquals(0, own.getTickerCount(TickerType.NUMBER_KEYS_WRITTEN));
      assertEquals(0, own.getHistogramData(HistogramType.BYTES_PER_WRITE).getCount());
      // The options have the same counters, in an object of their own.
      other.put(b("k"), b("v"));
      try (Statistics same = counted.statistics()) {
        assertEquals(1, same.getTickerCount(TickerType.NUMBER_KEYS_WRITTEN));
      }
      assertEquals(1, own.getTickerCount(TickerType.NUMBER_KEYS_WRITTEN));
    }
  }

  @Test
  void histogramsThatAreLeftOut() throws Exception {
    try (Statistics own = new Statistics(EnumSet.of(HistogramType.BYTES_PER_WRITE));
         Options counted = new Options().setCreateIfMissing(true).setStatistics(own);
         RocksDB other = RocksDB.open(counted, folder.resolve("ignored").toString())) {
      other.put(b("k"), b("v"));
      assertEquals(0, own.getHistogramData(HistogramType.BYTES_PER_WRITE).getCount());
      assertTrue(own.getHistogramData(HistogramType.DB_WRITE).getCount() > 0);
    }
  }

  @Test
  void valuesOfAHistogram() {
    final HistogramData few = new HistogramData(1, 2, 3, 4, 5);
    assertEquals(1, few.getMedian());
    assertEquals(2, few.getPercentile95());
    assertEquals(3, few.getPercentile99());
    assertEquals(4, few.getAverage());
    assertEquals(5, few.getStandardDeviation());
    final HistogramData all = new HistogramData(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertEquals(6, all.getMax());
    assertEquals(7, all.getCount());
    assertEquals(8, all.getSum());
    assertEquals(9, all.getMin());
  }

  // The cost of calls.

  static Stream<String> perfGetters() {
    final List<String> names = new ArrayList<>();
    for (final Method method : PerfContext.class.getMethods()) {
      if (method.getName().startsWith("get") && method.getParameterCount() == 0
          && method.getReturnType() == long.class
          && !method.getName().equals("getNativeHandle")) {
        names.add(method.getName());
      }
    }
    names.sort(Comparator.naturalOrder());
    assertTrue(names.size() >= 99, names.size() + " counters");
    return names.stream();
  }

  @ParameterizedTest
  @MethodSource("perfGetters")
  void everyCounterOfAThread(final String getter) throws Exception {
    db.setPerfLevel(PerfLevel.ENABLE_COUNT);
    try (PerfContext context = db.getPerfContext()) {
      db.get(b("k1"));
      final long value = (long) PerfContext.class.getMethod(getter).invoke(context);
      assertTrue(value >= 0, getter + " is " + value);
      context.reset();
      assertEquals(0L, PerfContext.class.getMethod(getter).invoke(context));
    } finally {
      db.setPerfLevel(PerfLevel.DISABLE);
    }
  }

  @Test
  void costsOfReads() throws Exception {
    db.setPerfLevel(PerfLevel.ENABLE_TIME);
    try (PerfContext context = db.getPerfContext()) {
      context.reset();
      assertNotNull(db.get(b("k1")));
      assertTrue(context.getBlockCacheHitCount() + context.getBlockReadCount() > 0);
      assertTrue(context.getUserKeyComparisonCount() > 0);
      assertTrue(context.toString().contains("user_key_comparison_count"));
      assertFalse(context.toString(true).contains("= 0,"));
      assertTrue(context.toString(false).contains("= 0"));
    } finally {
      db.setPerfLevel(PerfLevel.DISABLE);
    }
  }

  @ParameterizedTest
  @EnumSource(value = PerfLevel.class, names = {"UNINITIALIZED", "OUT_OF_BOUNDS"},
      mode = EnumSource.Mode.EXCLUDE)
  void perfLevels(final PerfLevel level) {
    db.setPerfLevel(level);
    assertSame(level, db.getPerfLevel());
    db.setPerfLevel(PerfLevel.DISABLE);
  }

  @Test
  void collectorsTellAll() throws Exception {
    final List<TickerType> tickers =
        java.util.Collections.synchronizedList(new ArrayList<>());
    final List<HistogramType> histograms =
        java.util.Collections.synchronizedList(new ArrayList<>());
    final java.util.concurrent.CountDownLatch told =
        new java.util.concurrent.CountDownLatch(2);
    final StatisticsCollector collector = new StatisticsCollector(
        java.util.Collections.singletonList(
            new StatsCollectorInput(statistics, new StatisticsCollectorCallback() {
              @Override
              public void tickerCallback(final TickerType type, final long count) {
                if (type == TickerType.BLOCK_CACHE_MISS) {
                  told.countDown();
                }
                tickers.add(type);
              }

              @Override
              public void histogramCallback(
                  final HistogramType type, final HistogramData data) {
                if (type == HistogramType.DB_GET) {
                  told.countDown();
                }
                histograms.add(type);
              }
            })),
        10);
    collector.start();
    told.await();
    collector.shutDown(600_000);
    assertFalse(tickers.contains(TickerType.TICKER_ENUM_MAX));
    assertFalse(histograms.contains(HistogramType.HISTOGRAM_ENUM_MAX));
  }

  private static final class Counting implements StatisticsCollectorCallback {
    final java.util.concurrent.CountDownLatch rounds =
        new java.util.concurrent.CountDownLatch(2);

    @Override
    public void tickerCallback(final TickerType type, final long count) {
      if (type == TickerType.BLOCK_CACHE_MISS) {
        rounds.countDown();
      }
    }

    @Override
    public void histogramCallback(final HistogramType type, final HistogramData data) {}
  }

  @Test
  void aCollectorGoesOnBehindWhatIsClosed() throws Exception {
    final Statistics closed = new Statistics();
    closed.close();
    final Counting counting = new Counting();
    final java.io.PrintStream before = System.err;
    final java.io.ByteArrayOutputStream told = new java.io.ByteArrayOutputStream();
    System.setErr(new java.io.PrintStream(told, true));
    try {
      final StatisticsCollector collector = new StatisticsCollector(
          java.util.Arrays.asList(new StatsCollectorInput(closed, counting),
              new StatsCollectorInput(statistics, counting)),
          1);
      collector.start();
      assertTrue(counting.rounds.await(10, java.util.concurrent.TimeUnit.MINUTES));
      collector.shutDown(600_000);
    } finally {
      System.setErr(before);
    }
    final String text = told.toString();
    assertTrue(text.contains("is closed"), text);
    assertEquals(text.indexOf("a collector"), text.lastIndexOf("a collector"), text);
  }
}
