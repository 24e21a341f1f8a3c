  WriteOptions(final long handle) {
    super(handle);
  }

  /**
   * A copy.
   *
   * @param other the options to copy
   */
  public WriteOptions(final WriteOptions other) {
    super(Fields.copy({kind:WriteOptions}, other.nativeHandle_));
  }
