  private UserDefinedIndexFactory tableIndexFactory_;

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
    tableIndexFactory_ = other.tableIndexFactory_;
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
   * Finds blocks by this index in table files that have it; a read is refused where the table's
   * options name another one. Default: null, the index that all of them have.
   *
   * @param tableIndexFactory the index, or null
   * @return this object
   */
  public ReadOptions setTableIndexFactory(final UserDefinedIndexFactory tableIndexFactory) {
    ReadParts.setIndexFactory(nativeHandle_, handleOf(tableIndexFactory));
    tableIndexFactory_ = tableIndexFactory;
    return this;
  }

  /**
   * Finds blocks by this index in table files that have it.
   *
   * @return the object that was set, or null
   */
  public UserDefinedIndexFactory tableIndexFactory() {
    return tableIndexFactory_;
  }

  /**
   * Text that goes to the file system with each read, and into traces of files. Default: null.
   *
   * @param requestId the text, or null
   * @return this object
   */
  public ReadOptions setRequestId(final String requestId) {
    ReadParts.setRequestId(nativeHandle_, requestId == null ? null : Text.utf8(requestId));
    return this;
  }

  /**
   * Text that goes to the file system with each read.
   *
   * @return the text, or null
   */
  public String requestId() {
    final byte[] id = ReadParts.getRequestId(nativeHandle_);
    return id == null ? null : Text.of(id);
  }

  /**
   * Merge operands of one key above which a read's status says so.
   *
   * @param mergeOperandCountThreshold their number; -1, the default: it never does
   * @return this object
   */
  public ReadOptions setMergeOperandCountThreshold(final long mergeOperandCountThreshold) {
    Fields.set(nativeHandle_, {field:ReadOptions.merge_operand_count_threshold},
        mergeOperandCountThreshold);
    return this;
  }

  /**
   * Merge operands of one key above which a read's status says so.
   *
   * @return their number; -1: it never does
   */
  public long mergeOperandCountThreshold() {
    return Fields.get(nativeHandle_, {field:ReadOptions.merge_operand_count_threshold});
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
