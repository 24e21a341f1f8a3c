package org.rocksdb;

/** The objects that options of a column family were given, for their getters. */
final class KeptFamilyObjects {
  AbstractComparator comparator;
  AbstractCompactionFilter<? extends AbstractSlice<?>> compactionFilter;
  AbstractCompactionFilterFactory<? extends AbstractCompactionFilter<?>> compactionFilterFactory;
  CompressionOptions compressionOptions;
  CompressionOptions bottommostCompressionOptions;
  CompactionOptionsUniversal compactionOptionsUniversal;
  CompactionOptionsFIFO compactionOptionsFIFO;
  MemTableConfig memTableConfig;
  TableFormatConfig tableFormatConfig;
  SstPartitionerFactory sstPartitionerFactory;
  ConcurrentTaskLimiter compactionThreadLimiter;
  CompressionManager compressionManager;
  AbstractInplaceCallback inplaceCallback;
  SliceTransform insertHintPrefixExtractor;
  CompressionOptions blobCompressionOpts;
  Cache blobCache;
  AbstractBlobFilePartitionStrategy blobPartitionStrategy;
  int maxWriteBufferNumberToMaintain;

  KeptFamilyObjects() {}

  KeptFamilyObjects(final KeptFamilyObjects that) {
    comparator = that.comparator;
    compactionFilter = that.compactionFilter;
    compactionFilterFactory = that.compactionFilterFactory;
    compressionOptions = that.compressionOptions;
    bottommostCompressionOptions = that.bottommostCompressionOptions;
    compactionOptionsUniversal = that.compactionOptionsUniversal;
    compactionOptionsFIFO = that.compactionOptionsFIFO;
    memTableConfig = that.memTableConfig;
    tableFormatConfig = that.tableFormatConfig;
    sstPartitionerFactory = that.sstPartitionerFactory;
    compactionThreadLimiter = that.compactionThreadLimiter;
    compressionManager = that.compressionManager;
    inplaceCallback = that.inplaceCallback;
    insertHintPrefixExtractor = that.insertHintPrefixExtractor;
    blobCompressionOpts = that.blobCompressionOpts;
    blobCache = that.blobCache;
    blobPartitionStrategy = that.blobPartitionStrategy;
    maxWriteBufferNumberToMaintain = that.maxWriteBufferNumberToMaintain;
  }
}
