package org.rocksdb;

/**
 * Bytes that the engine holds.
 *
 * @param <T> how Java sees them
 */
public abstract class AbstractSlice<T> extends RocksMutableObject {
  /** Without bytes yet. */
  protected AbstractSlice() {}

  /**
   * Holds bytes.
   *
   * @param nativeHandle their handle
   */
  protected AbstractSlice(final long nativeHandle) {
    super(nativeHandle);
  }

  /** A copy of the bytes. */
  final byte[] toBytes() {
    return SliceParts.bytes(getNativeHandle());
  }

  /**
   * The bytes.
   *
   * @return an array or a buffer
   */
  public T data() {
    return data0(getNativeHandle());
  }

  /**
   * The bytes behind a handle.
   *
   * @param handle the handle
   * @return an array or a buffer
   */
  protected abstract T data0(long handle);

  /**
   * Drops the first bytes.
   *
   * @param n how many
   */
  public abstract void removePrefix(int n);

  /** Drops all bytes. */
  public abstract void clear();

  /**
   * How many bytes there are.
   *
   * @return their number
   */
  public int size() {
    return SliceParts.size(getNativeHandle());
  }

  /**
   * Whether there are none.
   *
   * @return true if so
   */
  public boolean empty() {
    return size() == 0;
  }

  /**
   * The bytes as text.
   *
   * @param hex whether as two digits for each byte
   * @return the text
   */
  public String toString(final boolean hex) {
    final byte[] bytes = toBytes();
    if (!hex) {
      return Text.of(bytes);
    }
    final StringBuilder text = new StringBuilder();
    for (final byte each : bytes) {
      text.append(String.format("%02X", each));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return toString(false);
  }

  /**
   * Compares bytes, without sign.
   *
   * @param other other ones
   * @return less than, equal to, or greater than 0
   */
  public int compare(final AbstractSlice<?> other) {
    assert other != null;
    final byte[] a = toBytes();
    final byte[] b = other.toBytes();
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      if (a[i] != b[i]) {
        return (a[i] & 0xFF) - (b[i] & 0xFF);
      }
    }
    return a.length - b.length;
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof AbstractSlice && compare((AbstractSlice<?>) other) == 0;
  }

  /**
   * Whether other bytes are at the beginning.
   *
   * @param prefix the other bytes
   * @return true if so
   */
  public boolean startsWith(final AbstractSlice<?> prefix) {
    if (prefix == null) {
      return false;
    }
    final byte[] bytes = toBytes();
    final byte[] wanted = prefix.toBytes();
    if (wanted.length > bytes.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (bytes[i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Makes bytes of text.
   *
   * @param str the text
   * @return their handle
   */
  protected static long createNewSliceFromString(final String str) {
    return SliceParts.create(Text.utf8(str), 0);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
