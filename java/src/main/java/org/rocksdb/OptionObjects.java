package org.rocksdb;

/** Options that are objects, lists or structs, and presets of many at once. */
final class OptionObjects {
  static {
    LibraryLoader.load();
  }

  // The numbers of java/jni/option_objects.cc.
  static final int ENV = 0;
  static final int RATE_LIMITER = 1;
  static final int SST_FILE_MANAGER = 2;
  static final int INFO_LOG = 3;
  static final int STATISTICS = 4;
  static final int WRITE_BUFFER_MANAGER = 5;
  static final int ROW_CACHE = 6;
  static final int WAL_FILTER = 7;
  static final int COMPARATOR = 8;
  static final int MERGE_OPERATOR = 9;
  static final int COMPACTION_FILTER = 10;
  static final int COMPACTION_FILTER_FACTORY = 11;
  static final int MEMTABLE_FACTORY = 12;
  static final int TABLE_FACTORY = 13;
  static final int SST_PARTITIONER_FACTORY = 14;
  static final int COMPACTION_THREAD_LIMITER = 15;
  static final int FILE_CHECKSUM_GEN_FACTORY = 16;
  static final int COMPACTION_SERVICE = 17;
  static final int COMPRESSION_MANAGER = 18;
  static final int BLOB_CACHE = 19;
  static final int INSERT_HINT_PREFIX_EXTRACTOR = 20;
  static final int BLOB_PARTITION_STRATEGY = 21;
  static final int INPLACE_CALLBACK = 22;

  static final int COMPRESSION_OPTIONS = 0;
  static final int BOTTOMMOST_COMPRESSION_OPTIONS = 1;
  static final int UNIVERSAL_OPTIONS = 2;
  static final int FIFO_OPTIONS = 3;
  static final int BLOB_COMPRESSION_OPTIONS = 4;

  private OptionObjects() {}

  static native void set(long options, int which, long object);

  /** A new handle for what is set, or 0. */
  static native long get(long options, int which);

  static void setAndClose(final long options, final int which, final long object) {
    try {
      set(options, which, object);
    } finally {
      Handles.close(object);
    }
  }

  static native void setStruct(long options, int which, long struct);

  static native void increaseParallelism(long options, int threads);

  static native void setPaths(long options, boolean ofFamily, byte[] packed);

  static native byte[] getPaths(long options, boolean ofFamily);

  static native void setListeners(long options, long[] listeners);

  static native long databaseOptionsFrom(long configOptions, byte[] text);

  static native long familyOptionsFrom(long configOptions, byte[] text);

  static native void optimizeDatabaseForSmallDb(long options);

  static native void optimizeFamilyForSmallDb(long options, long cache);

  static native void optimizeForPointLookup(long options, long cacheMegabytes);

  static native void optimizeCompaction(long options, boolean isUniversal, long budget);

  static native void prepareForBulkLoad(long options);

  static native void oldDefaults(long options, int major, int minor);

  static native void setBuiltinComparator(long options, int which);

  static native void setMergeOperatorName(long options, byte[] name);

  static native void setPrefixLength(long options, boolean isFixed, int length);

  static native void setCompressionPerLevel(long options, byte[] types);

  static native byte[] getCompressionPerLevel(long options);

  static native void setLevelMultipliers(long options, int[] factors);

  static native int[] getLevelMultipliers(long options);

  static native void setMaxTableFilesSizeFifo(long options, long size);

  static native long getMaxTableFilesSizeFifo(long options);

  static native byte[] factoryName(long options, boolean ofMemtable);

  static native void setCollectors(long options, long[] factories);

  static native long[] getCollectors(long options);
}
