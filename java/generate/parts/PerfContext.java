  /**
   * Stands for a native object.
   *
   * @param handle the object's handle, which is closed with this one
   */
  protected PerfContext(final long handle) {
    super(handle);
  }

  /** Sets the counters of this thread to 0. */
  public void reset() {
    PerfParts.resetContext();
  }

  @Override
  public String toString() {
    return toString(true);
  }

  /**
   * The counters of this thread as text.
   *
   * @param excludeZeroCounters whether those at 0 are left out
   * @return name = value pairs
   */
  public String toString(final boolean excludeZeroCounters) {
    return Text.of(PerfParts.contextText(excludeZeroCounters));
  }
