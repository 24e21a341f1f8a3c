package org.rocksdb;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Bytes in place, which Java sees as a direct buffer. */
public class DirectSlice extends AbstractSlice<ByteBuffer> {
  /** A slice of no bytes, which needs no close. */
  public static final DirectSlice NONE = new DirectSlice();

  // What it points into; null for none.
  private ByteBuffer buffer_;

  private DirectSlice() {
    buffer_ = null;
  }

  /**
   * Text as UTF-8.
   *
   * @param str the text
   */
  public DirectSlice(final String str) {
    this(Text.utf8(str));
  }

  private DirectSlice(final byte[] text) {
    this(Buffers.directCopy(text), text.length);
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
   * The text in a direct buffer, in place: the bytes before the first that is 0, or all of them.
   *
   * @param data the buffer
   */
  public DirectSlice(final ByteBuffer data) {
    this(data, sizeOfText(data));
  }

  private static int sizeOfText(final ByteBuffer data) {
    final ByteBuffer all = data.duplicate();
    ((Buffer) all).clear();
    int size = 0;
    while (size < all.capacity() && all.get(size) != 0) {
      size++;
    }
    return size;
  }

  /** Shows a copy of other bytes from now on, in the memory of what it showed if that is enough. */
  final synchronized void show(final byte[] bytes) {
    if (buffer_ == null || buffer_.capacity() < bytes.length) {
      buffer_ = ByteBuffer.allocateDirect(Math.max(64, 2 * bytes.length));
    }
    ((Buffer) buffer_).clear();
    buffer_.put(bytes);
    ((Buffer) buffer_).clear();
    resetNativeHandle(at(buffer_, bytes.length), true);
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
    // A part of the buffer that keeps it: the bytes are there as long as somebody sees them.
    final int start = SliceParts.offset(handle, Buffers.base(buffer_));
    final ByteBuffer data = buffer_.duplicate();
    ((Buffer) data).limit(start + SliceParts.size(handle));
    ((Buffer) data).position(start);
    return data.slice();
  }
}
