  private static final long DEFAULT_CACHE_SIZE = 8L * 1024 * 1024;

  private Filter filterPolicy;
  private Cache blockCache;
  private PersistentCache persistentCache;
  private long blockCacheSize = DEFAULT_CACHE_SIZE;
  private int blockCacheNumShardBits;
  private FlushBlockPolicyFactory flushBlockPolicyFactory;
  private MetadataCacheOptions metadataCacheOptions = new MetadataCacheOptions();
  private CacheUsageOptions cacheUsageOptions = new CacheUsageOptions();
  private UserDefinedIndexFactory userDefinedIndexFactory;

  /** With the engine's defaults, but for a block cache of 8 MiB. */
  public BlockBasedTableConfig() {}

  /**
   * The cache of blocks, which several tables may share.
   *
   * @param blockCache the cache, or null for one of its own of {@link #blockCacheSize}
   * @return this object
   */
  public BlockBasedTableConfig setBlockCache(final Cache blockCache) {
    this.blockCache = blockCache;
    return this;
  }

  /**
   * A cache of blocks on a device.
   *
   * @param persistentCache the cache, or null
   * @return this object
   */
  public BlockBasedTableConfig setPersistentCache(final PersistentCache persistentCache) {
    this.persistentCache = persistentCache;
    return this;
  }

  /**
   * The filter that says which keys a table does not have.
   *
   * @return the object that was set, or null
   */
  public Filter filterPolicy() {
    return filterPolicy;
  }

  /**
   * The filter that says which keys a table does not have.
   *
   * @param filterPolicy the filter, or null for none
   * @return this object
   */
  public BlockBasedTableConfig setFilterPolicy(final Filter filterPolicy) {
    this.filterPolicy = filterPolicy;
    return this;
  }

  /**
   * The filter that says which keys a table does not have.
   *
   * @param filter the filter, or null for none
   * @return this object
   * @deprecated the same as {@link #setFilterPolicy}
   */
  @Deprecated
  public BlockBasedTableConfig setFilter(final Filter filter) {
    return setFilterPolicy(filter);
  }

  /**
   * The size of the cache that is made where none is set.
   *
   * @return bytes
   * @deprecated give a cache instead
   */
  @Deprecated
  public long blockCacheSize() {
    return blockCacheSize;
  }

  /**
   * The size of the cache that is made where none is set.
   *
   * @param blockCacheSize bytes; 0 and less: no cache
   * @return this object
   * @deprecated give a cache instead
   */
  @Deprecated
  public BlockBasedTableConfig setBlockCacheSize(final long blockCacheSize) {
    this.blockCacheSize = blockCacheSize;
    return this;
  }

  /**
   * The shards of the cache that is made where none is set.
   *
   * @return 2 to the power of this many
   * @deprecated give a cache instead
   */
  @Deprecated
  public int cacheNumShardBits() {
    return blockCacheNumShardBits;
  }

  /**
   * The shards of the cache that is made where none is set.
   *
   * @param blockCacheNumShardBits 2 to the power of this many
   * @return this object
   * @deprecated give a cache instead
   */
  @Deprecated
  public BlockBasedTableConfig setCacheNumShardBits(final int blockCacheNumShardBits) {
    this.blockCacheNumShardBits = blockCacheNumShardBits;
    return this;
  }

  /**
   * Hash indexes always allow collisions.
   *
   * @return true
   * @deprecated nothing to choose
   */
  @Deprecated
  public boolean hashIndexAllowCollision() {
    return true;
  }

  /**
   * Has no effect: hash indexes always allow collisions.
   *
   * @param hashIndexAllowCollision not used
   * @return this object
   * @deprecated nothing to choose
   */
  @Deprecated
  public BlockBasedTableConfig setHashIndexAllowCollision(final boolean hashIndexAllowCollision) {
    return this;
  }

  /**
   * Decides where data blocks end. Default: null, by their size.
   *
   * @param flushBlockPolicyFactory the factory, or null
   * @return this object
   */
  public BlockBasedTableConfig setFlushBlockPolicyFactory(
      final FlushBlockPolicyFactory flushBlockPolicyFactory) {
    this.flushBlockPolicyFactory = flushBlockPolicyFactory;
    return this;
  }

  /**
   * Decides where data blocks end.
   *
   * @return the object that was set, or null
   */
  public FlushBlockPolicyFactory flushBlockPolicyFactory() {
    return flushBlockPolicyFactory;
  }

  /**
   * Which blocks of metadata stay in the block cache as long as their table is open. Default: as
   * {@code pinTopLevelIndexAndFilter} and {@code pinL0FilterAndIndexBlocksInCache} say.
   *
   * @param metadataCacheOptions the choice, read when this object is given to options
   * @return this object
   */
  public BlockBasedTableConfig setMetadataCacheOptions(
      final MetadataCacheOptions metadataCacheOptions) {
    this.metadataCacheOptions = Objects.requireNonNull(metadataCacheOptions);
    return this;
  }

  /**
   * Which blocks of metadata stay in the block cache as long as their table is open.
   *
   * @return the object that was set
   */
  public MetadataCacheOptions metadataCacheOptions() {
    return metadataCacheOptions;
  }

  /**
   * Which memory outside of the block cache is charged to it. Default: none.
   *
   * @param cacheUsageOptions the choice, read when this object is given to options
   * @return this object
   */
  public BlockBasedTableConfig setCacheUsageOptions(final CacheUsageOptions cacheUsageOptions) {
    this.cacheUsageOptions = Objects.requireNonNull(cacheUsageOptions);
    return this;
  }

  /**
   * Which memory outside of the block cache is charged to it.
   *
   * @return the object that was set
   */
  public CacheUsageOptions cacheUsageOptions() {
    return cacheUsageOptions;
  }

  /**
   * Makes an index of each table beside the one that all of them have; not with several threads
   * that compress. Default: null, none.
   *
   * @param userDefinedIndexFactory the factory, or null
   * @return this object
   */
  public BlockBasedTableConfig setUserDefinedIndexFactory(
      final UserDefinedIndexFactory userDefinedIndexFactory) {
    this.userDefinedIndexFactory = userDefinedIndexFactory;
    return this;
  }

  /**
   * Makes an index of each table beside the one that all of them have.
   *
   * @return the object that was set, or null
   */
  public UserDefinedIndexFactory userDefinedIndexFactory() {
    return userDefinedIndexFactory;
  }

  private void copyObjectsTo(final long options) {
    TableFactories.setFlushBlockPolicy(options, RocksObject.handleOf(flushBlockPolicyFactory));
    TableFactories.setIndexFactory(options, RocksObject.handleOf(userDefinedIndexFactory));
    TableFactories.setCacheUsage(options, cacheUsageOptions.pack());
    Fields.set(options,
        {field:BlockBasedTableOptions.metadata_cache_options.top_level_index_pinning},
        metadataCacheOptions.topLevelIndexPinning().getValue());
    Fields.set(options, {field:BlockBasedTableOptions.metadata_cache_options.partition_pinning},
        metadataCacheOptions.partitionPinning().getValue());
    Fields.set(options,
        {field:BlockBasedTableOptions.metadata_cache_options.unpartitioned_pinning},
        metadataCacheOptions.unpartitionedPinning().getValue());
  }

  private static PinningTier pinningOf(final long options, final int field) {
    return PinningTier.of((byte) Fields.get(options, field));
  }

  private void copyObjectsFrom(final long options) {
    final long policy = TableFactories.flushBlockPolicy(options);
    flushBlockPolicyFactory =
        policy == 0 ? null : Reclaimer.watch(new FlushBlockPolicyFactory(policy));
    final long index = TableFactories.indexFactory(options);
    userDefinedIndexFactory =
        index == 0 ? null : Reclaimer.watch(new UserDefinedIndexFactory(index));
    metadataCacheOptions
        .setTopLevelIndexPinning(pinningOf(options,
            {field:BlockBasedTableOptions.metadata_cache_options.top_level_index_pinning}))
        .setPartitionPinning(pinningOf(options,
            {field:BlockBasedTableOptions.metadata_cache_options.partition_pinning}))
        .setUnpartitionedPinning(pinningOf(options,
            {field:BlockBasedTableOptions.metadata_cache_options.unpartitioned_pinning}));
  }

  @Override
  protected long newTableFactoryHandle() {
    final long options = Fields.create({kind:BlockBasedTableOptions});
    try {
      copyTo(options);
      copyObjectsTo(options);
      final boolean hasNoCache = noBlockCache || (blockCache == null && blockCacheSize <= 0);
      Fields.setBoolean(options, {field:BlockBasedTableOptions.no_block_cache}, hasNoCache);
      return TableFactories.blockBased(options, RocksObject.handleOf(blockCache),
          RocksObject.handleOf(persistentCache), RocksObject.handleOf(filterPolicy),
          hasNoCache || blockCache != null ? 0 : blockCacheSize, blockCacheNumShardBits);
    } finally {
      Handles.close(options);
    }
  }

  /** The settings that a factory of the engine's has. */
  static BlockBasedTableConfig of(final long options, final Filter filter) {
    final BlockBasedTableConfig config = new BlockBasedTableConfig();
    config.copyFrom(options);
    config.copyObjectsFrom(options);
    config.filterPolicy = filter;
    return config;
  }
