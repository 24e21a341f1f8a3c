package org.rocksdb;

import java.nio.ByteBuffer;
import org.rocksdb.util.BufferUtil;

/** An iterator over a column family, as of one moment. Close it before its database. */
public class RocksIterator extends AbstractRocksIterator<RocksDB> {
  /**
   * Holds an iterator.
   *
   * @param rocksDB the database
   * @param nativeHandle its handle
   */
  protected RocksIterator(final RocksDB rocksDB, final long nativeHandle) {
    super(rocksDB, nativeHandle);
  }

  /** The database that it reads. */
  final RocksDB parent() {
    return parent_;
  }

  /** Leaves the native iterator to another one that reads from it. */
  final long giveAway() {
    checkOpen();
    disOwnNativeHandle();
    return nativeHandle_;
  }

  /**
   * The key of the entry.
   *
   * @return a copy
   */
  public byte[] key() {
    return get(false);
  }

  /**
   * Copies the key of the entry.
   *
   * @param key where to; what does not fit is left out
   * @return its whole size
   */
  public int key(final byte[] key) {
    return copy(false, key, 0, key.length);
  }

  /**
   * Copies the key of the entry.
   *
   * @param key where to
   * @param offset from which index on
   * @param len room for it; what does not fit is left out
   * @return its whole size
   */
  public int key(final byte[] key, final int offset, final int len) {
    BufferUtil.CheckBounds(offset, len, key.length);
    return copy(false, key, offset, len);
  }

  /**
   * Copies the key of the entry.
   *
   * @param key where to, from position to limit, which then is where the key ends
   * @return its whole size
   */
  public int key(final ByteBuffer key) {
    return copy(false, key);
  }

  /**
   * The value of the entry.
   *
   * @return a copy
   */
  public byte[] value() {
    return get(true);
  }

  /**
   * Copies the value of the entry.
   *
   * @param value where to, from position to limit, which then is where the value ends
   * @return its whole size
   */
  public int value(final ByteBuffer value) {
    return copy(true, value);
  }

  /**
   * Copies the value of the entry.
   *
   * @param value where to; what does not fit is left out
   * @return its whole size
   */
  public int value(final byte[] value) {
    return copy(true, value, 0, value.length);
  }

  /**
   * Copies the value of the entry.
   *
   * @param value where to
   * @param offset from which index on
   * @param len room for it; what does not fit is left out
   * @return its whole size
   */
  public int value(final byte[] value, final int offset, final int len) {
    BufferUtil.CheckBounds(offset, len, value.length);
    return copy(true, value, offset, len);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
