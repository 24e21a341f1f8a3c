package org.rocksdb;

/** A copy of bytes, which Java sees as an array. */
public class Slice extends AbstractSlice<byte[]> {
  Slice(final long nativeHandle) {
    super(nativeHandle);
  }

  /** One that somebody else closes. */
  static Slice borrowed(final long nativeHandle) {
    final Slice slice = new Slice(nativeHandle);
    slice.setNativeHandle(nativeHandle, false);
    return slice;
  }

  /**
   * Text as UTF-8.
   *
   * @param str the text
   */
  public Slice(final String str) {
    super(createNewSliceFromString(str));
  }

  /**
   * An array from an index on.
   *
   * @param data the array
   * @param offset the index
   */
  public Slice(final byte[] data, final int offset) {
    super(SliceParts.create(data, offset));
  }

  /**
   * An array.
   *
   * @param data the array
   */
  public Slice(final byte[] data) {
    this(data, 0);
  }

  @Override
  public void clear() {
    SliceParts.setSize(getNativeHandle(), 0);
  }

  @Override
  public void removePrefix(final int n) {
    SliceParts.removePrefix(getNativeHandle(), n);
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }

  @Override
  protected final byte[] data0(final long handle) {
    return SliceParts.bytes(handle);
  }
}
