package org.rocksdb;

/** What {@link FlinkCompactionFilter} asks the native library. */
final class FlinkParts {
  static {
    LibraryLoader.load();
  }

  private FlinkParts() {}

  static native long filter(int state, long ttl, long entriesPerQuery, int timeOffset,
      int elementSize, FlinkCompactionFilter.TimeProvider clock,
      FlinkCompactionFilter.ListElementFilter elements);
}
