  /** Options with the engine's defaults. */
  public ColumnFamilyOptions() {
    super(Fields.create({kind:ColumnFamilyOptions}));
    keptByFamily_ = new KeptFamilyObjects();
  }

  /**
   * A copy.
   *
   * @param other the options to copy
   */
  public ColumnFamilyOptions(final ColumnFamilyOptions other) {
    super(Fields.copy({kind:ColumnFamilyOptions}, other.nativeHandle_));
    keptByFamily_ = new KeptFamilyObjects(other.keptByFamily_);
  }

  /**
   * The family's half of {@link Options}.
   *
   * @param options both halves
   */
  public ColumnFamilyOptions(final Options options) {
    super(Fields.copy({kind:ColumnFamilyOptions}, options.nativeHandle_));
    keptByFamily_ = new KeptFamilyObjects(options.keptByFamily());
  }

  ColumnFamilyOptions(final long handle) {
    super(handle);
    keptByFamily_ = new KeptFamilyObjects();
  }

  /**
   * Options from text.
   *
   * @param properties values by the engine's names
   * @return the options, or null if a name or value is not understood
   */
  public static ColumnFamilyOptions getColumnFamilyOptionsFromProps(final Properties properties) {
    return getColumnFamilyOptionsFromProps(null, properties);
  }

  /**
   * Options from text.
   *
   * @param configOptions how to read it
   * @param properties values by the engine's names
   * @return the options, or null if a name or value is not understood
   */
  public static ColumnFamilyOptions getColumnFamilyOptionsFromProps(
      final ConfigOptions configOptions, final Properties properties) {
    final long handle = OptionObjects.familyOptionsFrom(
        handleOf(configOptions), Text.utf8(Options.getOptionStringFromProps(properties)));
    return handle == 0 ? null : new ColumnFamilyOptions(handle);
  }

  /**
   * Settings for a database that should use little memory.
   *
   * @return this object
   */
  public ColumnFamilyOptions optimizeForSmallDb() {
    OptionObjects.optimizeFamilyForSmallDb(nativeHandle_, 0);
    return this;
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
