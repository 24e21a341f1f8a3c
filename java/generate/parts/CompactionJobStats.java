  CompactionJobStats(final long handle) {
    super(handle);
  }

  /** Sets all figures to 0. */
  public void reset() {
    PerfParts.resetJobStats(nativeHandle_);
  }

  /**
   * Adds the figures of another one.
   *
   * @param compactionJobStats the other one
   */
  public void add(final CompactionJobStats compactionJobStats) {
    PerfParts.addJobStats(nativeHandle_, compactionJobStats.nativeHandle_);
  }
