  /**
   * With two settings.
   *
   * @param verifyChecksums whether checksums of blocks are compared
   * @param fillCache whether blocks read go to the cache
   */
  public ReadOptions(final boolean verifyChecksums, final boolean fillCache) {
    super(Fields.create({kind:ReadOptions}));
    setVerifyChecksums(verifyChecksums);
    setFillCache(fillCache);
  }

  /**
   * A copy.
   *
   * @param other the options to copy
   */
  public ReadOptions(final ReadOptions other) {
    super(Fields.copy({kind:ReadOptions}, other.nativeHandle_));
  }

  private ReadOptions setBytes(final int which, final AbstractSlice<?> slice) {
    ReadParts.setBytes(nativeHandle_, which, slice == null ? null : slice.toBytes());
    return this;
  }

  private Slice getBytes(final int which) {
    final byte[] bytes = ReadParts.getBytes(nativeHandle_, which);
    return bytes == null ? null : new Slice(bytes);
  }

  /**
   * Reads as of a snapshot.
   *
   * @param snapshot the snapshot, or null to read what is there now. Once it is released, reads
   *     with these options are refused.
   * @return this object
   */
  public ReadOptions setSnapshot(final Snapshot snapshot) {
    ReadParts.setSnapshot(nativeHandle_, handleOf(snapshot));
    return this;
  }

  /**
   * The snapshot as of which is read.
   *
   * @return an object that does not own the snapshot, or null
   */
  public Snapshot snapshot() {
    final long snapshot = ReadParts.getSnapshot(nativeHandle_);
    return snapshot == 0 ? null : new Snapshot(snapshot);
  }

  /**
   * Iterators end before keys below this one.
   *
   * @param iterateLowerBound the smallest key, copied; null: no bound
   * @return this object
   */
  public ReadOptions setIterateLowerBound(final AbstractSlice<?> iterateLowerBound) {
    return setBytes(ReadParts.LOWER_BOUND, iterateLowerBound);
  }

  /**
   * Iterators end before keys below this one.
   *
   * @return a copy, or null
   */
  public Slice iterateLowerBound() {
    return getBytes(ReadParts.LOWER_BOUND);
  }

  /**
   * Iterators end at this key, which they do not show.
   *
   * @param iterateUpperBound the bound, copied; null: none
   * @return this object
   */
  public ReadOptions setIterateUpperBound(final AbstractSlice<?> iterateUpperBound) {
    return setBytes(ReadParts.UPPER_BOUND, iterateUpperBound);
  }

  /**
   * Iterators end at this key, which they do not show.
   *
   * @return a copy, or null
   */
  public Slice iterateUpperBound() {
    return getBytes(ReadParts.UPPER_BOUND);
  }

  /**
   * Leaves out table files.
   *
   * @param tableFilter asked for each file
   * @return this object
   */
  public ReadOptions setTableFilter(final AbstractTableFilter tableFilter) {
    ReadParts.setTableFilter(nativeHandle_, tableFilter == null ? 0 : tableFilter.nativeHandle_);
    return this;
  }

  /**
   * The newest user-defined timestamp to see.
   *
   * @return a copy, or null
   */
  public Slice timestamp() {
    return getBytes(ReadParts.TIMESTAMP);
  }

  /**
   * The newest user-defined timestamp to see.
   *
   * @param timestamp the timestamp, copied; null: none
   * @return this object
   */
  public ReadOptions setTimestamp(final AbstractSlice<?> timestamp) {
    return setBytes(ReadParts.TIMESTAMP, timestamp);
  }

  /**
   * The oldest user-defined timestamp that an iterator shows.
   *
   * @return a copy, or null
   */
  public Slice iterStartTs() {
    return getBytes(ReadParts.START_TIMESTAMP);
  }

  /**
   * The oldest user-defined timestamp that an iterator shows.
   *
   * @param iterStartTs the timestamp, copied; null: none
   * @return this object
   */
  public ReadOptions setIterStartTs(final AbstractSlice<?> iterStartTs) {
    return setBytes(ReadParts.START_TIMESTAMP, iterStartTs);
  }
