  /**
   * Stops compactions that run with these options, from any thread. Default: false.
   *
   * @param canceled true to stop them
   * @return this object
   */
  public CompactionOptions setCanceled(final boolean canceled) {
    CompactRangeParts.setFilesCanceled(nativeHandle_, canceled);
    return this;
  }

  /**
   * Whether compactions with these options are stopped.
   *
   * @return what was set
   */
  public boolean canceled() {
    return CompactRangeParts.areFilesCanceled(nativeHandle_);
  }
