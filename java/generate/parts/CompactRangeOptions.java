  /** A point in time of user-defined timestamps. */
  public static class Timestamp {
    /** Where the point begins. */
    public final long start;
    /** How long it is. */
    public final long range;

    /**
     * A point in time.
     *
     * @param start where it begins
     * @param duration how long it is
     */
    public Timestamp(final long start, final long duration) {
      this.start = start;
      this.range = duration;
    }

    /** The point 0. */
    public Timestamp() {
      this(0, 0);
    }

    @Override
    public boolean equals(final Object o) {
      if (this == o) {
        return true;
      }
      if (o == null || getClass() != o.getClass()) {
        return false;
      }
      final Timestamp that = (Timestamp) o;
      return start == that.start && range == that.range;
    }

    @Override
    public int hashCode() {
      return Objects.hash(start, range);
    }
  }

{enum:CompactRangeOptions$BottommostLevelCompaction}
  /**
   * What is done with files that are in the last level already.
   *
   * @return the setting
   */
  public BottommostLevelCompaction bottommostLevelCompaction() {
    return BottommostLevelCompaction.of((byte) Fields.get(
        nativeHandle_, {field:CompactRangeOptions.bottommost_level_compaction}));
  }

  /**
   * What is done with files that are in the last level already.
   *
   * @param bottommostLevelCompaction the setting
   * @return this object
   */
  public CompactRangeOptions setBottommostLevelCompaction(
      final BottommostLevelCompaction bottommostLevelCompaction) {
    Fields.set(nativeHandle_, {field:CompactRangeOptions.bottommost_level_compaction},
        bottommostLevelCompaction.getValue());
    return this;
  }

  /**
   * Versions with older user-defined timestamps may go.
   *
   * @param tsLow the oldest that must stay
   * @return this object
   */
  public CompactRangeOptions setFullHistoryTSLow(final Timestamp tsLow) {
    CompactRangeParts.setHistory(nativeHandle_, tsLow.start, tsLow.range);
    return this;
  }

  /**
   * Versions with older user-defined timestamps may go.
   *
   * @return the oldest that must stay, or null
   */
  public Timestamp fullHistoryTSLow() {
    final long[] history = CompactRangeParts.getHistory(nativeHandle_);
    return history.length == 0 ? null : new Timestamp(history[0], history[1]);
  }

  /**
   * Stops compactions that run with these options, from any thread.
   *
   * @param canceled true to stop them
   * @return this object
   */
  public CompactRangeOptions setCanceled(final boolean canceled) {
    CompactRangeParts.setCanceled(nativeHandle_, canceled);
    return this;
  }

  /**
   * Whether compactions with these options are stopped.
   *
   * @return what was set
   */
  public boolean canceled() {
    return CompactRangeParts.isCanceled(nativeHandle_);
  }
