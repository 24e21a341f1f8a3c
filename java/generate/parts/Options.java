  /** Options with the engine's defaults. */
  public Options() {
    super(Fields.create({kind:Options}));
    keptByDatabase_ = new KeptDatabaseObjects();
    keptByFamily_ = new KeptFamilyObjects();
  }

  /**
   * Options from their two halves.
   *
   * @param dbOptions those of the database
   * @param columnFamilyOptions those of its family
   */
  public Options(final DBOptions dbOptions, final ColumnFamilyOptions columnFamilyOptions) {
    super(Fields.join(dbOptions.nativeHandle_, columnFamilyOptions.nativeHandle_));
    keptByDatabase_ = new KeptDatabaseObjects(dbOptions.keptByDatabase());
    keptByFamily_ = new KeptFamilyObjects(columnFamilyOptions.keptByFamily());
  }

  /**
   * A copy.
   *
   * @param other the options to copy
   */
  public Options(final Options other) {
    super(Fields.copy({kind:Options}, other.nativeHandle_));
    keptByDatabase_ = new KeptDatabaseObjects(other.keptByDatabase_);
    keptByFamily_ = new KeptFamilyObjects(other.keptByFamily_);
  }

  /**
   * Properties as the engine's text.
   *
   * @param properties values by the engine's names
   * @return name=value pairs, each with ; behind it
   * @throws IllegalArgumentException if there are none
   */
  public static String getOptionStringFromProps(final Properties properties) {
    if (properties == null || properties.isEmpty()) {
      throw new IllegalArgumentException("Properties value must contain at least one value.");
    }
    final StringBuilder text = new StringBuilder();
    for (final String name : properties.stringPropertyNames()) {
      text.append(name).append('=').append(properties.getProperty(name)).append(';');
    }
    return text.toString();
  }

  /**
   * Settings for loading new data while nobody reads.
   *
   * @return this object
   */
  public Options prepareForBulkLoad() {
    OptionObjects.prepareForBulkLoad(nativeHandle_);
    return this;
  }

  /**
   * Settings for a database that should use little memory.
   *
   * @return this object
   */
  public Options optimizeForSmallDb() {
    OptionObjects.optimizeDatabaseForSmallDb(nativeHandle_);
    OptionObjects.optimizeFamilyForSmallDb(nativeHandle_, 0);
    return this;
  }

  /**
   * Collects properties of each table file.
   *
   * @param factories the makers of the collectors
   */
  public void setTablePropertiesCollectorFactory(
      final List<TablePropertiesCollectorFactory> factories) {
    final long[] handles = new long[factories.size()];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = factories.get(i).nativeHandle_;
    }
    OptionObjects.setCollectors(nativeHandle_, handles);
  }

  /**
   * The factories whose collectors gather properties of each table file.
   *
   * @return new objects for the same factories; closed when they are not reachable
   */
  public List<TablePropertiesCollectorFactory> tablePropertiesCollectorFactory() {
    final List<TablePropertiesCollectorFactory> factories = new ArrayList<>();
    for (final long handle : OptionObjects.getCollectors(nativeHandle_)) {
      factories.add(Reclaimer.watch(TablePropertiesCollectorFactory.of(handle)));
    }
    return factories;
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
