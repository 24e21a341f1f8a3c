package org.rocksdb.jmh;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The same operations as JMH's, by the processor time of their thread: for machines that have other
 * work, where the time of the clock says nothing. Prints nanoseconds for each operation, the median
 * and the least of some rounds.
 */
public final class CpuTimes {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long WARM_UP_NANOS = 500_000_000;
  private static final long ROUND_NANOS = 100_000_000;
  private static final int ROUNDS = 9;
  private static final int MANY = 100;

  // What keeps results from being left out.
  private static volatile Object seen;

  private CpuTimes() {}

  private static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static double round(final Callable<Object> work, final int operations, final long nanos)
      throws Exception {
    final long start = now();
    long calls = 0;
    long used = 0;
    while (used < nanos) {
      for (int i = 0; i < MANY; i++) {
        seen = work.call();
      }
      calls += MANY;
      used = now() - start;
    }
    return (double) used / calls / operations;
  }

  private static void measure(
      final String name, final int size, final Callable<Object> work, final int operations)
      throws Exception {
    round(work, operations, WARM_UP_NANOS);
    final double[] times = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      times[i] = round(work, operations, ROUND_NANOS);
    }
    Arrays.sort(times);
    System.out.printf("%s,%d,%.0f,%.0f%n", name, size, times[ROUNDS / 2], times[0]);
  }

  /** The arguments are names of operations; all, without any. */
  public static void main(final String[] arguments) throws Exception {
    for (final int size : new int[] {100, 4_096}) {
      final DatabaseBenchmarks work = new DatabaseBenchmarks();
      work.valueSize = size;
      work.open();
      final Map<String, Callable<Object>> all = new LinkedHashMap<>();
      all.put("get", work::get);
      all.put("getIntoArray", work::getIntoArray);
      all.put("getBuffers", work::getBuffers);
      all.put("multiGet", work::multiGet);
      all.put("iterate", work::iterate);
      all.put("put", () -> {
        work.put();
        return null;
      });
      all.put("writeBatch", () -> {
        work.writeBatch();
        return null;
      });
      for (final Map.Entry<String, Callable<Object>> each : all.entrySet()) {
        if (arguments.length == 0 || Arrays.asList(arguments).contains(each.getKey())) {
          final boolean isOfMany =
              each.getKey().equals("multiGet") || each.getKey().equals("writeBatch");
          measure(each.getKey(), size, each.getValue(), isOfMany ? MANY : 1);
        }
      }
      work.close();
    }
  }
}
