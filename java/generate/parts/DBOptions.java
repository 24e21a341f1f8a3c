  private final KeptDatabaseObjects keptByDatabase_;

  /**
   * Sets how many threads flush and compact together.
   *
   * @param totalThreads their number
   * @return this object
   */
  public {owner} setIncreaseParallelism(final int totalThreads) {
    OptionObjects.increaseParallelism(nativeHandle_, totalThreads);
    return this;
  }

  /**
   * Where files are and threads run. Default: {@link Env#getDefault()}.
   *
   * @param env the environment, which is kept alive
   * @return this object
   */
  public {owner} setEnv(final Env env) {
    OptionObjects.set(nativeHandle_, OptionObjects.ENV, env.nativeHandle_);
    keptByDatabase_.env = env;
    return this;
  }

  /**
   * Where files are and threads run.
   *
   * @return the object that was set
   */
  public Env getEnv() {
    return keptByDatabase_.env == null ? Env.getDefault() : keptByDatabase_.env;
  }

  /**
   * Limits the rate of background input and output.
   *
   * @param rateLimiter the limiter, or null
   * @return this object
   */
  public {owner} setRateLimiter(final RateLimiter rateLimiter) {
    OptionObjects.set(nativeHandle_, OptionObjects.RATE_LIMITER, handleOf(rateLimiter));
    return this;
  }

  /**
   * Tracks table files and paces deletions.
   *
   * @param sstFileManager the manager, or null
   * @return this object
   */
  public {owner} setSstFileManager(final SstFileManager sstFileManager) {
    OptionObjects.set(nativeHandle_, OptionObjects.SST_FILE_MANAGER, handleOf(sstFileManager));
    return this;
  }

  /**
   * Where log lines go; without one, to the file LOG of the database.
   *
   * @param logger the logger
   * @return this object
   */
  public {owner} setLogger(final LoggerInterface logger) {
    OptionObjects.set(nativeHandle_, OptionObjects.INFO_LOG, logger.getNativeHandle());
    return this;
  }

  /**
   * Where log lines go.
   *
   * @param logger the logger
   * @return this object
   * @deprecated the form with {@link LoggerInterface} takes all loggers
   */
  @Deprecated
  public {owner} setLogger(final Logger logger) {
    return setLogger((LoggerInterface) logger);
  }

  /**
   * Collects tickers and histograms.
   *
   * @param statistics the object, or null for none
   * @return this object
   */
  public {owner} setStatistics(final Statistics statistics) {
    OptionObjects.set(nativeHandle_, OptionObjects.STATISTICS, handleOf(statistics));
    return this;
  }

  /**
   * Collects tickers and histograms.
   *
   * @return a new object for the same statistics, or null; closed when it is not reachable
   */
  public Statistics statistics() {
    final long handle = OptionObjects.get(nativeHandle_, OptionObjects.STATISTICS);
    return handle == 0 ? null : Reclaimer.watch(new Statistics(handle));
  }

  /**
   * Directories of table files; newer data go to the first ones.
   *
   * @param dbPaths paths with the size that each should hold
   * @return this object
   */
  public {owner} setDbPaths(final Collection<DbPath> dbPaths) {
    OptionObjects.setPaths(nativeHandle_, false, DbPath.pack(dbPaths));
    return this;
  }

  /**
   * Directories of table files.
   *
   * @return the paths; empty where they are the database's own directory
   */
  public List<DbPath> dbPaths() {
    return DbPath.unpack(OptionObjects.getPaths(nativeHandle_, false));
  }

  /**
   * Limits the memory of memtables, over several databases if they share it.
   *
   * @param writeBufferManager the manager
   * @return this object
   */
  public {owner} setWriteBufferManager(final WriteBufferManager writeBufferManager) {
    OptionObjects.set(
        nativeHandle_, OptionObjects.WRITE_BUFFER_MANAGER, handleOf(writeBufferManager));
    keptByDatabase_.writeBufferManager = writeBufferManager;
    return this;
  }

  /**
   * Limits the memory of memtables.
   *
   * @return the object that was set, or null
   */
  public WriteBufferManager writeBufferManager() {
    return keptByDatabase_.writeBufferManager;
  }

  /**
   * Sets the listeners that are told of flushes, compactions, errors and more.
   *
   * @param listeners the listeners
   * @return this object
   */
  public {owner} setListeners(final List<AbstractEventListener> listeners) {
    OptionObjects.setListeners(nativeHandle_, RocksCallbackObject.handlesOf(listeners));
    keptByDatabase_.listeners = new ArrayList<>(listeners);
    return this;
  }

  /**
   * The listeners that are told of flushes, compactions, errors and more.
   *
   * @return the listeners, in the order in which they were set
   */
  public List<AbstractEventListener> listeners() {
    return new ArrayList<>(keptByDatabase_.listeners);
  }

  /**
   * Caches what table files say of keys.
   *
   * @param rowCache the cache, or null for none
   * @return this object
   */
  public {owner} setRowCache(final Cache rowCache) {
    OptionObjects.set(nativeHandle_, OptionObjects.ROW_CACHE, handleOf(rowCache));
    keptByDatabase_.rowCache = rowCache;
    return this;
  }

  /**
   * Caches what table files say of keys.
   *
   * @return the object that was set, or null
   */
  public Cache rowCache() {
    return keptByDatabase_.rowCache;
  }

  /**
   * Inspects records of the log while a database is opened.
   *
   * @param walFilter the filter
   * @return this object
   */
  public {owner} setWalFilter(final AbstractWalFilter walFilter) {
    OptionObjects.set(nativeHandle_, OptionObjects.WAL_FILTER, walFilter.nativeHandle_);
    keptByDatabase_.walFilter = walFilter;
    return this;
  }

  /**
   * Inspects records of the log while a database is opened.
   *
   * @return the object that was set, or null
   */
  public WalFilter walFilter() {
    return keptByDatabase_.walFilter;
  }

  /**
   * Makes checksums of whole table and blob files, which the manifest holds. Default: null, none.
   *
   * @param fileChecksumGenFactory the factory, or null
   * @return this object
   */
  public {owner} setFileChecksumGenFactory(final FileChecksumGenFactory fileChecksumGenFactory) {
    OptionObjects.set(nativeHandle_, OptionObjects.FILE_CHECKSUM_GEN_FACTORY,
        handleOf(fileChecksumGenFactory));
    keptByDatabase_.fileChecksumGenFactory = fileChecksumGenFactory;
    return this;
  }

  /**
   * Makes checksums of whole table and blob files.
   *
   * @return the object that was set, or null
   */
  public FileChecksumGenFactory fileChecksumGenFactory() {
    return keptByDatabase_.fileChecksumGenFactory;
  }

  /**
   * Gives compactions to other processes. Default: null, none.
   *
   * @param compactionService the service, or null
   * @return this object
   */
  public {owner} setCompactionService(final AbstractCompactionService compactionService) {
    OptionObjects.set(nativeHandle_, OptionObjects.COMPACTION_SERVICE,
        compactionService == null ? 0 : compactionService.nativeHandle_);
    keptByDatabase_.compactionService = compactionService;
    return this;
  }

  /**
   * Gives compactions to other processes.
   *
   * @return the object that was set, or null
   */
  public AbstractCompactionService compactionService() {
    return keptByDatabase_.compactionService;
  }

  /**
   * Writes to files of these types come with the checksum of their bytes, which the file system may
   * check: of kWalFile, kDescriptorFile, kTableFile and kBlobFile. Default: none.
   *
   * @param checksumHandoffFileTypes the types
   * @return this object
   */
  public {owner} setChecksumHandoffFileTypes(
      final Collection<FileType> checksumHandoffFileTypes) {
    Fields.set(nativeHandle_, {field:DBOptions.checksum_handoff_file_types},
        EnumBits.of(checksumHandoffFileTypes));
    return this;
  }

  /**
   * Writes to files of these types come with the checksum of their bytes.
   *
   * @return the types
   */
  public Set<FileType> checksumHandoffFileTypes() {
    return EnumBits.in(
        Fields.get(nativeHandle_, {field:DBOptions.checksum_handoff_file_types}), FileType.class);
  }

  /**
   * Table files of families with these styles of compaction are given to the file system with a
   * hint of how long they will live, by their level. Default: LEVEL.
   *
   * @param calculateSstWriteLifetimeHintSet the styles
   * @return this object
   */
  public {owner} setCalculateSstWriteLifetimeHintSet(
      final Collection<CompactionStyle> calculateSstWriteLifetimeHintSet) {
    Fields.set(nativeHandle_, {field:DBOptions.calculate_sst_write_lifetime_hint_set},
        EnumBits.of(calculateSstWriteLifetimeHintSet));
    return this;
  }

  /**
   * Table files of families with these styles of compaction are given to the file system with a
   * hint of how long they will live.
   *
   * @return the styles
   */
  public Set<CompactionStyle> calculateSstWriteLifetimeHintSet() {
    return EnumBits.in(
        Fields.get(nativeHandle_, {field:DBOptions.calculate_sst_write_lifetime_hint_set}),
        CompactionStyle.class);
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @param failIfOptionsFileError remembered
   * @return this object
   */
  public {owner} setFailIfOptionsFileError(final boolean failIfOptionsFileError) {
    keptByDatabase_.failIfOptionsFileError = failIfOptionsFileError;
    return this;
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @return what was set
   */
  public boolean failIfOptionsFileError() {
    return keptByDatabase_.failIfOptionsFileError;
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @param randomAccessMaxBufferSize remembered
   * @return this object
   * @deprecated for programs that were built with older releases
   */
  @Deprecated
  public {owner} setRandomAccessMaxBufferSize(final long randomAccessMaxBufferSize) {
    keptByDatabase_.randomAccessMaxBufferSize = randomAccessMaxBufferSize;
    return this;
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @return what was set
   * @deprecated for programs that were built with older releases
   */
  @Deprecated
  public long randomAccessMaxBufferSize() {
    return keptByDatabase_.randomAccessMaxBufferSize;
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @param skipCheckingSstFileSizesOnDbOpen remembered
   * @return this object
   * @deprecated for programs that were built with older releases
   */
  @Deprecated
  public {owner} setSkipCheckingSstFileSizesOnDbOpen(
      final boolean skipCheckingSstFileSizesOnDbOpen) {
    keptByDatabase_.skipCheckingSstFileSizes = skipCheckingSstFileSizesOnDbOpen;
    return this;
  }

  /**
   * Has no effect, as the engine has no such option any more.
   *
   * @return what was set
   * @deprecated for programs that were built with older releases
   */
  @Deprecated
  public boolean skipCheckingSstFileSizesOnDbOpen() {
    return keptByDatabase_.skipCheckingSstFileSizes;
  }

  KeptDatabaseObjects keptByDatabase() {
    return keptByDatabase_;
  }
