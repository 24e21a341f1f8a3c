package org.rocksdb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells at the end of the program what was not closed, where the system property {@code
 * rocksdb.leaks} is {@code true}; else it costs nothing.
 */
final class Leaks {
  private static final boolean ON = Boolean.getBoolean("rocksdb.leaks");
  private static final Map<Long, Throwable> OPEN = ON ? new ConcurrentHashMap<>() : null;

  static {
    if (ON) {
      Runtime.getRuntime().addShutdownHook(new Thread(Leaks::report, "rocksdb:leaks"));
    }
  }

  private Leaks() {}

  static void opened(final Object object, final long handle) {
    if (ON) {
      OPEN.put(handle, new Throwable(object.getClass().getName() + " was not closed"));
    }
  }

  static void closed(final long handle) {
    if (ON) {
      OPEN.remove(handle);
    }
  }

  private static void report() {
    OPEN.forEach((handle, where) -> {
      if (Handles.isOpen(handle)) {
        where.printStackTrace();
      }
    });
  }
}
