package org.rocksdb;

import java.nio.ByteBuffer;

/** A batch of updates. */
public abstract class AbstractWriteBatch extends RocksObject implements WriteBatchInterface {
  /**
   * Holds a batch.
   *
   * @param nativeHandle its handle
   */
  protected AbstractWriteBatch(final long nativeHandle) {
    super(nativeHandle);
  }

  // The two that differ between kinds of batches; value is null for deletions.
  abstract void update(long family, int operation, byte[] key, int offset, int size,
      byte[] value, int valueOffset, int valueSize) throws RocksDBException;

  abstract void updateDirect(long family, int operation, long key, int size, long value,
      int valueSize) throws RocksDBException;

  /** The handle of the plain batch in it. */
  abstract long batchHandle();

  private void add(final ColumnFamilyHandle family, final int operation, final byte[] key,
      final byte[] value) throws RocksDBException {
    update(handleOf(family), operation, key, 0, key.length, value, 0,
        value == null ? 0 : value.length);
  }

  private void add(final ColumnFamilyHandle family, final ByteBuffer key,
      final ByteBuffer value) throws RocksDBException {
    if (Buffers.areDirect(key, value)) {
      updateDirect(handleOf(family), Writes.PUT, Buffers.address(key), key.remaining(),
          Buffers.address(value), value.remaining());
    } else {
      update(handleOf(family), Writes.PUT, key.array(), Buffers.offset(key), key.remaining(),
          value.array(), Buffers.offset(value), value.remaining());
    }
    Buffers.consume(key);
    Buffers.consume(value);
  }

  private void remove(final ColumnFamilyHandle family, final ByteBuffer key)
      throws RocksDBException {
    if (key.isDirect()) {
      updateDirect(
          handleOf(family), Writes.DELETE, Buffers.address(key), key.remaining(), 0, 0);
    } else {
      update(handleOf(family), Writes.DELETE, key.array(), Buffers.offset(key),
          key.remaining(), null, 0, 0);
    }
    Buffers.consume(key);
  }

  private static byte[] checked(final byte[] value) {
    if (value == null) {
      throw new NullPointerException("the value is null");
    }
    return value;
  }

  @Override
  public int count() {
    return Batches.count(batchHandle());
  }

  @Override
  public void put(final byte[] key, final byte[] value) throws RocksDBException {
    add(null, Writes.PUT, key, checked(value));
  }

  @Override
  public void put(final ColumnFamilyHandle columnFamilyHandle, final byte[] key,
      final byte[] value) throws RocksDBException {
    add(columnFamilyHandle, Writes.PUT, key, checked(value));
  }

  @Override
  public void merge(final byte[] key, final byte[] value) throws RocksDBException {
    add(null, Writes.MERGE, key, checked(value));
  }

  @Override
  public void merge(final ColumnFamilyHandle columnFamilyHandle, final byte[] key,
      final byte[] value) throws RocksDBException {
    add(columnFamilyHandle, Writes.MERGE, key, checked(value));
  }

  @Override
  public void put(final ByteBuffer key, final ByteBuffer value) throws RocksDBException {
    add(null, key, value);
  }

  @Override
  public void put(final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key,
      final ByteBuffer value) throws RocksDBException {
    add(columnFamilyHandle, key, value);
  }

  @Override
  public void delete(final byte[] key) throws RocksDBException {
    add(null, Writes.DELETE, key, null);
  }

  @Override
  public void delete(final ColumnFamilyHandle columnFamilyHandle, final byte[] key)
      throws RocksDBException {
    add(columnFamilyHandle, Writes.DELETE, key, null);
  }

  @Override
  public void delete(final ByteBuffer key) throws RocksDBException {
    remove(null, key);
  }

  @Override
  public void delete(final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key)
      throws RocksDBException {
    remove(columnFamilyHandle, key);
  }

  @Override
  public void singleDelete(final byte[] key) throws RocksDBException {
    add(null, Writes.SINGLE_DELETE, key, null);
  }

  @Override
  public void singleDelete(final ColumnFamilyHandle columnFamilyHandle, final byte[] key)
      throws RocksDBException {
    add(columnFamilyHandle, Writes.SINGLE_DELETE, key, null);
  }

  @Override
  public void deleteRange(final byte[] beginKey, final byte[] endKey) throws RocksDBException {
    add(null, Writes.DELETE_RANGE, beginKey, checked(endKey));
  }

  @Override
  public void deleteRange(final ColumnFamilyHandle columnFamilyHandle, final byte[] beginKey,
      final byte[] endKey) throws RocksDBException {
    add(columnFamilyHandle, Writes.DELETE_RANGE, beginKey, checked(endKey));
  }

  @Override
  public void putLogData(final byte[] blob) throws RocksDBException {
    Batches.putLogData(batchHandle(), blob);
  }

  @Override
  public void clear() {
    Batches.clear(batchHandle());
  }

  @Override
  public void setSavePoint() {
    Batches.setSavePoint(batchHandle());
  }

  @Override
  public void rollbackToSavePoint() throws RocksDBException {
    Batches.rollbackToSavePoint(batchHandle());
  }

  @Override
  public void popSavePoint() throws RocksDBException {
    Batches.popSavePoint(batchHandle());
  }

  @Override
  public void setMaxBytes(final long maxBytes) {
    Batches.setMaxBytes(batchHandle(), maxBytes);
  }

  @Override
  public WriteBatch getWriteBatch() {
    return WriteBatch.borrowed(batchHandle());
  }
}
