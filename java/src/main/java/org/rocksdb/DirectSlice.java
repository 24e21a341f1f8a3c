package org.rocksdb;

import java.nio.ByteBuffer;

/** Bytes in place, which Java sees as a direct buffer. */
public class DirectSlice extends AbstractSlice<ByteBuffer> {
  public static final DirectSlice NONE = new DirectSlice();

  // What it points into.
  private final ByteBuffer buffer_;

  private DirectSlice() {
    buffer_ = null;
  }

  DirectSlice(final long nativeHandle) {
    super(nativeHandle);
    buffer_ = null;
  }

  /**
   * Text as UTF-8.
   *
   * @param str the text
   */
  public DirectSlice(final String str) {
    super(createNewSliceFromString(str));
    buffer_ = null;
  }

  /**
   * The first bytes of a direct buffer, in place.
   *
   * @param data the buffer
   * @param length how many bytes
   */
  public DirectSlice(final ByteBuffer data, final int length) {
    super(at(data, length));
    buffer_ = data;
  }

  /**
   * The bytes of a direct buffer, in place.
   *
   * @param data the buffer
   */
  public DirectSlice(final ByteBuffer data) {
    this(data, data.capacity());
  }

  private static long at(final ByteBuffer data, final int length) {
    if (!data.isDirect()) {
      throw new IllegalArgumentException("The ByteBuffer must be a direct ByteBuffer");
    }
    if (length < 0 || length > data.capacity()) {
      throw new IndexOutOfBoundsException("length(" + length + ")");
    }
    return SliceParts.at(Buffers.base(data), length);
  }

  /**
   * A byte.
   *
   * @param offset its index
   * @return its value
   */
  public byte get(final int offset) {
    return SliceParts.get(getNativeHandle(), offset);
  }

  @Override
  public void clear() {
    SliceParts.setSize(getNativeHandle(), 0);
  }

  @Override
  public void removePrefix(final int n) {
    SliceParts.removePrefix(getNativeHandle(), n);
  }

  /**
   * Shows fewer bytes.
   *
   * @param n how many
   */
  public void setLength(final int n) {
    SliceParts.setSize(getNativeHandle(), n);
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }

  @Override
  protected final ByteBuffer data0(final long handle) {
    return SliceParts.buffer(handle);
  }
}
