package org.rocksdb;

import java.nio.ByteBuffer;

/** An iterator over the entries of a table file. */
public class SstFileReaderIterator extends AbstractRocksIterator<SstFileReader> {
  /**
   * Holds an iterator.
   *
   * @param reader the reader of the file
   * @param nativeHandle its handle
   */
  protected SstFileReaderIterator(final SstFileReader reader, final long nativeHandle) {
    super(reader, nativeHandle);
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

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
