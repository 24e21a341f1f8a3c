package org.rocksdb;

import java.util.Objects;

/**
 * An object of the engine's, held by a handle.
 *
 * <p>A handle is a number that the native library gives out once. After {@link #close}, and after
 * the close of what it came from (a database for its iterators), every call answers with an
 * {@link IllegalStateException}, or an {@link AssertionError} where assertions are on.
 */
public abstract class RocksObject extends AbstractImmutableNativeReference {
  /** The handle. */
  protected final long nativeHandle_;

  /**
   * Holds an object.
   *
   * @param nativeHandle its handle
   */
  protected RocksObject(final long nativeHandle) {
    super(true);
    this.nativeHandle_ = nativeHandle;
    Leaks.opened(this, nativeHandle);
  }

  @Override
  protected void disposeInternal() {
    Leaks.closed(nativeHandle_);
    disposeInternal(nativeHandle_);
  }

  /**
   * Ends the object behind a handle.
   *
   * @param handle the handle
   */
  protected abstract void disposeInternal(long handle);

  /**
   * The handle.
   *
   * @return a number without a meaning outside of this library
   */
  public long getNativeHandle() {
    return nativeHandle_;
  }

  /** An argument that may not be missing. */
  static <T> T given(final T argument) {
    return Objects.requireNonNull(argument);
  }

  /** The handle of an object that may be missing. */
  static long handleOf(final RocksObject object) {
    return object == null ? 0 : object.nativeHandle_;
  }
}
