package org.rocksdb;

/** A batch that can be read before it is written. */
public class WriteBatchWithIndex extends AbstractWriteBatch {
  private final long batch_;

  /** That keeps all updates of a key. */
  public WriteBatchWithIndex() {
    this(false);
  }

  /**
   * That keeps all updates of a key, or shows the last one.
   *
   * @param overwriteKey whether a later update hides earlier ones
   */
  public WriteBatchWithIndex(final boolean overwriteKey) {
    this(0L, 0, overwriteKey);
  }

  /**
   * With an order and room.
   *
   * @param fallbackIndexComparator the order of families that are not known; null: by bytes
   * @param reservedBytes how much room
   * @param overwriteKey whether a later update hides earlier ones
   */
  public WriteBatchWithIndex(final AbstractComparator fallbackIndexComparator,
      final int reservedBytes, final boolean overwriteKey) {
    this(fallbackIndexComparator == null ? 0 : fallbackIndexComparator.nativeHandle_,
        reservedBytes, overwriteKey);
  }

  private WriteBatchWithIndex(
      final long comparator, final int reservedBytes, final boolean overwriteKey) {
    super(IndexedBatches.create(comparator, reservedBytes, overwriteKey));
    batch_ = IndexedBatches.batch(nativeHandle_);
  }

  WriteBatchWithIndex(final long nativeHandle) {
    super(nativeHandle);
    batch_ = IndexedBatches.batch(nativeHandle);
    disOwnNativeHandle();
  }

  @Override
  long batchHandle() {
    return batch_;
  }

  @Override
  void update(final long family, final int operation, final byte[] key, final int offset,
      final int size, final byte[] value, final int valueOffset, final int valueSize)
      throws RocksDBException {
    IndexedBatches.update(
        nativeHandle_, family, operation, key, offset, size, value, valueOffset, valueSize);
  }

  @Override
  void updateDirect(final long family, final int operation, final long key, final int size,
      final long value, final int valueSize) throws RocksDBException {
    IndexedBatches.updateDirect(nativeHandle_, family, operation, key, size, value, valueSize);
  }

  @Override
  public void putLogData(final byte[] blob) throws RocksDBException {
    IndexedBatches.putLogData(nativeHandle_, blob);
  }

  @Override
  public void clear() {
    IndexedBatches.clear(nativeHandle_);
  }

  @Override
  public void setSavePoint() {
    IndexedBatches.setSavePoint(nativeHandle_);
  }

  @Override
  public void rollbackToSavePoint() throws RocksDBException {
    IndexedBatches.rollbackToSavePoint(nativeHandle_);
  }

  @Override
  public void popSavePoint() throws RocksDBException {
    IndexedBatches.popSavePoint(nativeHandle_);
  }

  @Override
  public void setMaxBytes(final long maxBytes) {
    IndexedBatches.setMaxBytes(nativeHandle_, maxBytes);
  }

  /**
   * An iterator over the updates of a family in this alone, in the order of their keys.
   *
   * @param columnFamilyHandle the family
   * @return the iterator, which the caller closes, and which ends with this
   */
  public WBWIRocksIterator newIterator(final ColumnFamilyHandle columnFamilyHandle) {
    return new WBWIRocksIterator(
        this, IndexedBatches.iterator(nativeHandle_, handleOf(columnFamilyHandle)));
  }

  /**
   * An iterator over the updates of the default family in this alone, in the order of their keys.
   *
   * @return the iterator, which the caller closes, and which ends with this
   */
  public WBWIRocksIterator newIterator() {
    return newIterator(null);
  }

  /**
   * An iterator over this and what another one shows.
   *
   * @param columnFamilyHandle the family
   * @param baseIterator the other one, which belongs to the result then
   * @return the iterator, which the caller closes
   */
  public RocksIterator newIteratorWithBase(
      final ColumnFamilyHandle columnFamilyHandle, final RocksIterator baseIterator) {
    return newIteratorWithBase(columnFamilyHandle, baseIterator, null);
  }

  /**
   * An iterator over this and what another one shows.
   *
   * @param columnFamilyHandle the family
   * @param baseIterator the other one, which belongs to the result then
   * @param readOptions how to read
   * @return the iterator, which the caller closes
   */
  public RocksIterator newIteratorWithBase(final ColumnFamilyHandle columnFamilyHandle,
      final RocksIterator baseIterator, final ReadOptions readOptions) {
    final long made = IndexedBatches.iteratorWithBase(nativeHandle_, handleOf(columnFamilyHandle),
        baseIterator.nativeHandle_, handleOf(readOptions));
    final RocksDB parent = baseIterator.parent();
    baseIterator.giveAway();
    return new RocksIterator(parent, made);
  }

  /**
   * An iterator over this and what another one shows of the default family.
   *
   * @param baseIterator the other one, which belongs to the result then
   * @return the iterator, which the caller closes
   */
  public RocksIterator newIteratorWithBase(final RocksIterator baseIterator) {
    return newIteratorWithBase(null, baseIterator, null);
  }

  /**
   * An iterator over this and what another one shows of the default family.
   *
   * @param baseIterator the other one, which belongs to the result then
   * @param readOptions how to read
   * @return the iterator, which the caller closes
   */
  public RocksIterator newIteratorWithBase(
      final RocksIterator baseIterator, final ReadOptions readOptions) {
    return newIteratorWithBase(null, baseIterator, readOptions);
  }

  /**
   * Looks a key up in this alone.
   *
   * @param columnFamilyHandle the family
   * @param options those of the database
   * @param key the key
   * @return the value; null if it is not here, or deleted
   * @throws RocksDBException if the engine refuses
   */
  public byte[] getFromBatch(final ColumnFamilyHandle columnFamilyHandle,
      final DBOptions options, final byte[] key) throws RocksDBException {
    return IndexedBatches.get(
        nativeHandle_, handleOf(columnFamilyHandle), options.nativeHandle_, key);
  }

  /**
   * Looks a key of the default family up in this alone.
   *
   * @param options those of the database
   * @param key the key
   * @return the value; null if it is not here, or deleted
   * @throws RocksDBException if the engine refuses
   */
  public byte[] getFromBatch(final DBOptions options, final byte[] key)
      throws RocksDBException {
    return getFromBatch(null, options, key);
  }

  /**
   * Looks a key up in this, and then in a database.
   *
   * @param db the database
   * @param columnFamilyHandle the family
   * @param options how to read
   * @param key the key
   * @return the value; null if it is not there, or deleted
   * @throws RocksDBException if the engine refuses
   */
  public byte[] getFromBatchAndDB(final RocksDB db, final ColumnFamilyHandle columnFamilyHandle,
      final ReadOptions options, final byte[] key) throws RocksDBException {
    return IndexedBatches.getWithDatabase(nativeHandle_, db.nativeHandle_,
        handleOf(columnFamilyHandle), options.nativeHandle_, key);
  }

  /**
   * Looks a key of the default family up in this, and then in a database.
   *
   * @param db the database
   * @param options how to read
   * @param key the key
   * @return the value; null if it is not there, or deleted
   * @throws RocksDBException if the engine refuses
   */
  public byte[] getFromBatchAndDB(final RocksDB db, final ReadOptions options,
      final byte[] key) throws RocksDBException {
    return getFromBatchAndDB(db, null, options, key);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
