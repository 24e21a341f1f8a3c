  /** Options with the engine's defaults. */
  public DBOptions() {
    super(Fields.create({kind:DBOptions}));
    keptByDatabase_ = new KeptDatabaseObjects();
  }

  /**
   * A copy.
   *
   * @param other the options to copy
   */
  public DBOptions(final DBOptions other) {
    super(Fields.copy({kind:DBOptions}, other.nativeHandle_));
    keptByDatabase_ = new KeptDatabaseObjects(other.keptByDatabase_);
  }

  /**
   * The database's half of {@link Options}.
   *
   * @param options both halves
   */
  public DBOptions(final Options options) {
    super(Fields.copy({kind:DBOptions}, options.nativeHandle_));
    keptByDatabase_ = new KeptDatabaseObjects(options.keptByDatabase());
  }

  private DBOptions(final long handle) {
    super(handle);
    keptByDatabase_ = new KeptDatabaseObjects();
  }

  /**
   * Options from text.
   *
   * @param configOptions how to read it
   * @param properties values by the engine's names
   * @return the options, or null if a name or value is not understood
   */
  public static DBOptions getDBOptionsFromProps(
      final ConfigOptions configOptions, final Properties properties) {
    final long handle = OptionObjects.databaseOptionsFrom(
        handleOf(configOptions), Text.utf8(Options.getOptionStringFromProps(properties)));
    return handle == 0 ? null : new DBOptions(handle);
  }

  /**
   * Options from text.
   *
   * @param properties values by the engine's names
   * @return the options, or null if a name or value is not understood
   */
  public static DBOptions getDBOptionsFromProps(final Properties properties) {
    return getDBOptionsFromProps(null, properties);
  }

  /**
   * Settings for a database that should use little memory.
   *
   * @return this object
   */
  public DBOptions optimizeForSmallDb() {
    OptionObjects.optimizeDatabaseForSmallDb(nativeHandle_);
    return this;
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
