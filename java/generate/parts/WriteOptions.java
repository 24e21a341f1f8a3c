  WriteOptions(final long handle) {
    super(handle);
  }

  /** Those of something else, in place. */
  static WriteOptions borrowed(final long handle) {
    final WriteOptions options = new WriteOptions(handle);
    options.disOwnNativeHandle();
    return options;
  }

  /**
   * A copy.
   *
   * @param other the options to copy
   */
  public WriteOptions(final WriteOptions other) {
    super(Fields.copy({kind:WriteOptions}, other.nativeHandle_));
  }
