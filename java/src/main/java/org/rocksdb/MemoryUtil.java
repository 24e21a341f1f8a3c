package org.rocksdb;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells how much memory databases and caches take. */
public class MemoryUtil {
  /** Nothing to hold. */
  public MemoryUtil() {}

  /**
   * Sums over databases and caches.
   *
   * @param dbs the databases, or null
   * @param caches the caches, or null; those of the databases are not looked for
   * @return bytes by what they are for; what nothing adds to is not in it
   */
  public static Map<MemoryUsageType, Long> getApproximateMemoryUsageByType(
      final List<RocksDB> dbs, final Set<Cache> caches) {
    final long[] databases = new long[dbs == null ? 0 : dbs.size()];
    for (int i = 0; i < databases.length; i++) {
      databases[i] = dbs.get(i).nativeHandle_;
    }
    final long[] counted = new long[caches == null ? 0 : caches.size()];
    int next = 0;
    if (caches != null) {
      for (final Cache each : caches) {
        counted[next++] = each.nativeHandle_;
      }
    }
    final long[] sums = Maintenance.memoryUsage(databases, counted);
    final Map<MemoryUsageType, Long> usage = new EnumMap<>(MemoryUsageType.class);
    for (int i = 0; i < sums.length; i++) {
      if (sums[i] >= 0) {
        usage.put(MemoryUsageType.of((byte) i), sums[i]);
      }
    }
    return usage;
  }
}
