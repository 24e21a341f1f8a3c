  private final KeptFamilyObjects keptByFamily_;

  /**
   * The defaults of an old release.
   *
   * @param majorVersion its first number
   * @param minorVersion its second number
   * @return this object
   */
  public {owner} oldDefaults(final int majorVersion, final int minorVersion) {
    OptionObjects.oldDefaults(nativeHandle_, majorVersion, minorVersion);
    return this;
  }

  /**
   * Settings for a database that should use little memory.
   *
   * @param cache the block cache to share
   * @return this object
   */
  public {owner} optimizeForSmallDb(final Cache cache) {
    OptionObjects.optimizeFamilyForSmallDb(nativeHandle_, cache.nativeHandle_);
    return this;
  }

  /**
   * Settings for lookups of single keys.
   *
   * @param blockCacheSizeMb the size of the block cache in MiB
   * @return this object
   */
  public {owner} optimizeForPointLookup(final long blockCacheSizeMb) {
    OptionObjects.optimizeForPointLookup(nativeHandle_, blockCacheSizeMb);
    return this;
  }

  /**
   * Settings for leveled compaction, with 512 MiB for memtables.
   *
   * @return this object
   */
  public {owner} optimizeLevelStyleCompaction() {
    return optimizeLevelStyleCompaction(
        ColumnFamilyOptionsInterface.DEFAULT_COMPACTION_MEMTABLE_MEMORY_BUDGET);
  }

  /**
   * Settings for leveled compaction.
   *
   * @param memtableMemoryBudget bytes for memtables
   * @return this object
   */
  public {owner} optimizeLevelStyleCompaction(final long memtableMemoryBudget) {
    OptionObjects.optimizeCompaction(nativeHandle_, false, memtableMemoryBudget);
    return this;
  }

  /**
   * Settings for universal compaction, with 512 MiB for memtables.
   *
   * @return this object
   */
  public {owner} optimizeUniversalStyleCompaction() {
    return optimizeUniversalStyleCompaction(
        ColumnFamilyOptionsInterface.DEFAULT_COMPACTION_MEMTABLE_MEMORY_BUDGET);
  }

  /**
   * Settings for universal compaction.
   *
   * @param memtableMemoryBudget bytes for memtables
   * @return this object
   */
  public {owner} optimizeUniversalStyleCompaction(final long memtableMemoryBudget) {
    OptionObjects.optimizeCompaction(nativeHandle_, true, memtableMemoryBudget);
    return this;
  }

  /**
   * The order of keys: one of the engine's own.
   *
   * @param builtinComparator the order
   * @return this object
   */
  public {owner} setComparator(final BuiltinComparator builtinComparator) {
    OptionObjects.setBuiltinComparator(nativeHandle_, builtinComparator.ordinal());
    return this;
  }

  /**
   * The order of keys. The comparator may be closed while databases use it.
   *
   * @param comparator the order
   * @return this object
   */
  public {owner} setComparator(final AbstractComparator comparator) {
    OptionObjects.set(nativeHandle_, OptionObjects.COMPARATOR, comparator.nativeHandle_);
    keptByFamily_.comparator = comparator;
    return this;
  }

  /**
   * How operands of merges are joined, by name.
   *
   * @param name such as {@code stringappend} or {@code uint64add}; a database that is opened with
   *     an unknown one says so
   * @return this object
   */
  public {owner} setMergeOperatorName(final String name) {
    if (name == null) {
      throw new IllegalArgumentException("Merge operator name must not be null.");
    }
    OptionObjects.setMergeOperatorName(nativeHandle_, Text.utf8(name));
    return this;
  }

  /**
   * How operands of merges are joined.
   *
   * @param mergeOperator the operator
   * @return this object
   */
  public {owner} setMergeOperator(final MergeOperator mergeOperator) {
    OptionObjects.set(nativeHandle_, OptionObjects.MERGE_OPERATOR, mergeOperator.nativeHandle_);
    return this;
  }

  /**
   * Decides in compactions what is kept. It may be closed while databases use it.
   *
   * @param compactionFilter the filter
   * @return this object
   */
  public {owner} setCompactionFilter(
      final AbstractCompactionFilter<? extends AbstractSlice<?>> compactionFilter) {
    OptionObjects.set(
        nativeHandle_, OptionObjects.COMPACTION_FILTER, handleOf(compactionFilter));
    keptByFamily_.compactionFilter = compactionFilter;
    return this;
  }

  /**
   * Decides in compactions what is kept.
   *
   * @return the object that was set, or null
   */
  public AbstractCompactionFilter<? extends AbstractSlice<?>> compactionFilter() {
    return keptByFamily_.compactionFilter;
  }

  /**
   * Makes a filter for each compaction.
   *
   * @param compactionFilterFactory the factory
   * @return this object
   */
  public {owner} setCompactionFilterFactory(
      final AbstractCompactionFilterFactory<? extends AbstractCompactionFilter<?>>
          compactionFilterFactory) {
    OptionObjects.set(nativeHandle_, OptionObjects.COMPACTION_FILTER_FACTORY,
        compactionFilterFactory.nativeHandle_);
    keptByFamily_.compactionFilterFactory = compactionFilterFactory;
    return this;
  }

  /**
   * Makes a filter for each compaction.
   *
   * @return the object that was set, or null
   */
  public AbstractCompactionFilterFactory<? extends AbstractCompactionFilter<?>>
      compactionFilterFactory() {
    return keptByFamily_.compactionFilterFactory;
  }

  /**
   * Prefixes of keys have a fixed length.
   *
   * @param n their length
   * @return this object
   */
  public {owner} useFixedLengthPrefixExtractor(final int n) {
    OptionObjects.setPrefixLength(nativeHandle_, true, n);
    return this;
  }

  /**
   * Prefixes of keys have at most a length.
   *
   * @param n the length
   * @return this object
   */
  public {owner} useCappedPrefixExtractor(final int n) {
    OptionObjects.setPrefixLength(nativeHandle_, false, n);
    return this;
  }

  /**
   * The codec of each level.
   *
   * @param compressionLevels the codecs, from level 0 on
   * @return this object
   */
  public {owner} setCompressionPerLevel(final List<CompressionType> compressionLevels) {
    final byte[] values = new byte[compressionLevels.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = compressionLevels.get(i).getValue();
    }
    OptionObjects.setCompressionPerLevel(nativeHandle_, values);
    return this;
  }

  /**
   * The codec of each level.
   *
   * @return the codecs, from level 0 on; empty where all levels have the same
   */
  public List<CompressionType> compressionPerLevel() {
    final List<CompressionType> levels = new ArrayList<>();
    for (final byte value : OptionObjects.getCompressionPerLevel(nativeHandle_)) {
      levels.add(CompressionType.of(value));
    }
    return levels;
  }

  /**
   * How data are compressed.
   *
   * @param compressionOptions settings of the codec, which are copied
   * @return this object
   */
  public {owner} setCompressionOptions(final CompressionOptions compressionOptions) {
    OptionObjects.setStruct(
        nativeHandle_, OptionObjects.COMPRESSION_OPTIONS, compressionOptions.nativeHandle_);
    keptByFamily_.compressionOptions = compressionOptions;
    return this;
  }

  /**
   * How data are compressed.
   *
   * @return the object that was set, or null
   */
  public CompressionOptions compressionOptions() {
    return keptByFamily_.compressionOptions;
  }

  /**
   * How data of the last level are compressed.
   *
   * @param bottommostCompressionOptions settings of the codec, which are copied
   * @return this object
   */
  public {owner} setBottommostCompressionOptions(
      final CompressionOptions bottommostCompressionOptions) {
    OptionObjects.setStruct(nativeHandle_, OptionObjects.BOTTOMMOST_COMPRESSION_OPTIONS,
        bottommostCompressionOptions.nativeHandle_);
    keptByFamily_.bottommostCompressionOptions = bottommostCompressionOptions;
    return this;
  }

  /**
   * How data of the last level are compressed.
   *
   * @return the object that was set, or null
   */
  public CompressionOptions bottommostCompressionOptions() {
    return keptByFamily_.bottommostCompressionOptions;
  }

  /**
   * Settings of universal compaction.
   *
   * @param compactionOptionsUniversal the settings, which are copied
   * @return this object
   */
  public {owner} setCompactionOptionsUniversal(
      final CompactionOptionsUniversal compactionOptionsUniversal) {
    OptionObjects.setStruct(
        nativeHandle_, OptionObjects.UNIVERSAL_OPTIONS, compactionOptionsUniversal.nativeHandle_);
    keptByFamily_.compactionOptionsUniversal = compactionOptionsUniversal;
    return this;
  }

  /**
   * Settings of universal compaction.
   *
   * @return the object that was set, or null
   */
  public CompactionOptionsUniversal compactionOptionsUniversal() {
    return keptByFamily_.compactionOptionsUniversal;
  }

  /**
   * Settings of compaction by age.
   *
   * @param compactionOptionsFIFO the settings, which are copied
   * @return this object
   */
  public {owner} setCompactionOptionsFIFO(final CompactionOptionsFIFO compactionOptionsFIFO) {
    OptionObjects.setStruct(
        nativeHandle_, OptionObjects.FIFO_OPTIONS, compactionOptionsFIFO.nativeHandle_);
    keptByFamily_.compactionOptionsFIFO = compactionOptionsFIFO;
    return this;
  }

  /**
   * Settings of compaction by age.
   *
   * @return the object that was set, or null
   */
  public CompactionOptionsFIFO compactionOptionsFIFO() {
    return keptByFamily_.compactionOptionsFIFO;
  }

  /**
   * The size of all tables above which compaction by age deletes the oldest.
   *
   * @param maxTableFilesSize bytes, more than 0
   * @return this object
   */
  public {owner} setMaxTableFilesSizeFIFO(final long maxTableFilesSize) {
    assert maxTableFilesSize > 0;
    OptionObjects.setMaxTableFilesSizeFifo(nativeHandle_, maxTableFilesSize);
    return this;
  }

  /**
   * The size of all tables above which compaction by age deletes the oldest.
   *
   * @return bytes
   */
  public long maxTableFilesSizeFIFO() {
    return OptionObjects.getMaxTableFilesSizeFifo(nativeHandle_);
  }

  /**
   * Factors of the sizes of levels, beside the common one.
   *
   * @param maxBytesForLevelMultiplierAdditional a factor for each level
   * @return this object
   */
  public {owner} setMaxBytesForLevelMultiplierAdditional(
      final int[] maxBytesForLevelMultiplierAdditional) {
    OptionObjects.setLevelMultipliers(nativeHandle_, maxBytesForLevelMultiplierAdditional);
    return this;
  }

  /**
   * Factors of the sizes of levels, beside the common one.
   *
   * @return a factor for each level
   */
  public int[] maxBytesForLevelMultiplierAdditional() {
    return OptionObjects.getLevelMultipliers(nativeHandle_);
  }

  /**
   * The kind of memtables.
   *
   * @param memTableConfig its settings, which are read now
   * @return this object
   */
  public {owner} setMemTableConfig(final MemTableConfig memTableConfig) {
    OptionObjects.setAndClose(nativeHandle_, OptionObjects.MEMTABLE_FACTORY,
        memTableConfig.newMemTableFactoryHandle());
    keptByFamily_.memTableConfig = memTableConfig;
    return this;
  }

  /**
   * The kind of memtables.
   *
   * @return the object that was set, or null
   */
  public MemTableConfig memTableConfig() {
    return keptByFamily_.memTableConfig;
  }

  /**
   * The kind of memtables, by the engine's name.
   *
   * @return such as {@code SkipListFactory}
   */
  public String memTableFactoryName() {
    return Text.of(OptionObjects.factoryName(nativeHandle_, true));
  }

  /**
   * The format of table files.
   *
   * @param tableFormatConfig its settings, which are read now
   * @return this object
   */
  public {owner} setTableFormatConfig(final TableFormatConfig tableFormatConfig) {
    OptionObjects.setAndClose(nativeHandle_, OptionObjects.TABLE_FACTORY,
        tableFormatConfig.newTableFactoryHandle());
    keptByFamily_.tableFormatConfig = tableFormatConfig;
    return this;
  }

  void setFetchedTableFormatConfig(final TableFormatConfig tableFormatConfig) {
    keptByFamily_.tableFormatConfig = tableFormatConfig;
  }

  /**
   * The format of table files.
   *
   * @return the object that was set, or null
   */
  public TableFormatConfig tableFormatConfig() {
    return keptByFamily_.tableFormatConfig;
  }

  /**
   * The format of table files, by the engine's name.
   *
   * @return such as {@code BlockBasedTable}
   */
  public String tableFactoryName() {
    return Text.of(OptionObjects.factoryName(nativeHandle_, false));
  }

  /**
   * Directories of the family's table files.
   *
   * @param cfPaths paths with the size that each should hold
   * @return this object
   */
  public {owner} setCfPaths(final Collection<DbPath> cfPaths) {
    OptionObjects.setPaths(nativeHandle_, true, DbPath.pack(cfPaths));
    return this;
  }

  /**
   * Directories of the family's table files.
   *
   * @return the paths; empty where they are those of the database
   */
  public List<DbPath> cfPaths() {
    return DbPath.unpack(OptionObjects.getPaths(nativeHandle_, true));
  }

  /**
   * Decides where table files end beside their size.
   *
   * @param sstPartitionerFactory the factory
   * @return this object
   */
  public {owner} setSstPartitionerFactory(final SstPartitionerFactory sstPartitionerFactory) {
    OptionObjects.set(
        nativeHandle_, OptionObjects.SST_PARTITIONER_FACTORY, handleOf(sstPartitionerFactory));
    keptByFamily_.sstPartitionerFactory = sstPartitionerFactory;
    return this;
  }

  /**
   * Decides where table files end beside their size.
   *
   * @return the object that was set, or null
   */
  public SstPartitionerFactory sstPartitionerFactory() {
    return keptByFamily_.sstPartitionerFactory;
  }

  /**
   * Limits how many compactions run at a time, over families that share it.
   *
   * @param compactionThreadLimiter the limiter
   * @return this object
   */
  public {owner} setCompactionThreadLimiter(final ConcurrentTaskLimiter compactionThreadLimiter) {
    OptionObjects.set(nativeHandle_, OptionObjects.COMPACTION_THREAD_LIMITER,
        handleOf(compactionThreadLimiter));
    keptByFamily_.compactionThreadLimiter = compactionThreadLimiter;
    return this;
  }

  /**
   * Limits how many compactions run at a time.
   *
   * @return the object that was set, or null
   */
  public ConcurrentTaskLimiter compactionThreadLimiter() {
    return keptByFamily_.compactionThreadLimiter;
  }

  /**
   * Makes the codecs of table files. Default: null, those of the engine.
   *
   * @param compressionManager the manager, or null
   * @return this object
   */
  public {owner} setCompressionManager(final CompressionManager compressionManager) {
    OptionObjects.set(
        nativeHandle_, OptionObjects.COMPRESSION_MANAGER, handleOf(compressionManager));
    keptByFamily_.compressionManager = compressionManager;
    return this;
  }

  /**
   * Makes the codecs of table files.
   *
   * @return the object that was set, or null
   */
  public CompressionManager compressionManager() {
    return keptByFamily_.compressionManager;
  }

  /**
   * Decides with {@code inplaceUpdateSupport} what a put stores: what is put is a change to the
   * value that the key has. Default: null, the value that is put.
   *
   * @param inplaceCallback the callback, or null
   * @return this object
   */
  public {owner} setInplaceCallback(final AbstractInplaceCallback inplaceCallback) {
    OptionObjects.set(nativeHandle_, OptionObjects.INPLACE_CALLBACK,
        inplaceCallback == null ? 0 : inplaceCallback.nativeHandle_);
    keptByFamily_.inplaceCallback = inplaceCallback;
    return this;
  }

  /**
   * Decides with {@code inplaceUpdateSupport} what a put stores.
   *
   * @return the object that was set, or null
   */
  public AbstractInplaceCallback inplaceCallback() {
    return keptByFamily_.inplaceCallback;
  }

  /**
   * An insertion into a memtable looks first where the last one of its prefix went: for loads that
   * ascend within each of many prefixes. Default: null, none.
   *
   * @param memtableInsertWithHintPrefixExtractor tells the prefix, or null
   * @return this object
   */
  public {owner} setMemtableInsertWithHintPrefixExtractor(
      final SliceTransform memtableInsertWithHintPrefixExtractor) {
    OptionObjects.set(nativeHandle_, OptionObjects.INSERT_HINT_PREFIX_EXTRACTOR,
        handleOf(memtableInsertWithHintPrefixExtractor));
    keptByFamily_.insertHintPrefixExtractor = memtableInsertWithHintPrefixExtractor;
    return this;
  }

  /**
   * An insertion into a memtable looks first where the last one of its prefix went.
   *
   * @return the object that was set, or null
   */
  public SliceTransform memtableInsertWithHintPrefixExtractor() {
    return keptByFamily_.insertHintPrefixExtractor;
  }

  /**
   * How values in blob files are compressed.
   *
   * @param blobCompressionOpts settings of the codec, which are copied
   * @return this object
   */
  public {owner} setBlobCompressionOpts(final CompressionOptions blobCompressionOpts) {
    OptionObjects.setStruct(nativeHandle_, OptionObjects.BLOB_COMPRESSION_OPTIONS,
        blobCompressionOpts.nativeHandle_);
    keptByFamily_.blobCompressionOpts = blobCompressionOpts;
    return this;
  }

  /**
   * How values in blob files are compressed.
   *
   * @return the object that was set, or null
   */
  public CompressionOptions blobCompressionOpts() {
    return keptByFamily_.blobCompressionOpts;
  }

  /**
   * Caches values of blob files; it may be the block cache. Default: null, none.
   *
   * @param blobCache the cache, or null
   * @return this object
   */
  public {owner} setBlobCache(final Cache blobCache) {
    OptionObjects.set(nativeHandle_, OptionObjects.BLOB_CACHE, handleOf(blobCache));
    keptByFamily_.blobCache = blobCache;
    return this;
  }

  /**
   * Caches values of blob files.
   *
   * @return the object that was set, or null
   */
  public Cache blobCache() {
    return keptByFamily_.blobCache;
  }

  /**
   * Chooses with {@code enableBlobDirectWrite} among the blob files that are open side by side.
   * Default: null, each in turn.
   *
   * @param blobDirectWritePartitionStrategy the strategy, or null
   * @return this object
   */
  public {owner} setBlobDirectWritePartitionStrategy(
      final AbstractBlobFilePartitionStrategy blobDirectWritePartitionStrategy) {
    OptionObjects.set(nativeHandle_, OptionObjects.BLOB_PARTITION_STRATEGY,
        blobDirectWritePartitionStrategy == null
            ? 0 : blobDirectWritePartitionStrategy.nativeHandle_);
    keptByFamily_.blobPartitionStrategy = blobDirectWritePartitionStrategy;
    return this;
  }

  /**
   * Chooses with {@code enableBlobDirectWrite} among the blob files that are open side by side.
   *
   * @return the object that was set, or null
   */
  public AbstractBlobFilePartitionStrategy blobDirectWritePartitionStrategy() {
    return keptByFamily_.blobPartitionStrategy;
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @param maxWriteBufferNumberToMaintain remembered
   * @return this object
   * @deprecated for programs that were built with older releases
   */
  @Deprecated
  public {owner} setMaxWriteBufferNumberToMaintain(final int maxWriteBufferNumberToMaintain) {
    keptByFamily_.maxWriteBufferNumberToMaintain = maxWriteBufferNumberToMaintain;
    return this;
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @return what was set
   * @deprecated for programs that were built with older releases
   */
  @Deprecated
  public int maxWriteBufferNumberToMaintain() {
    return keptByFamily_.maxWriteBufferNumberToMaintain;
  }

  KeptFamilyObjects keptByFamily() {
    return keptByFamily_;
  }
