package org.rocksdb;

/** An object of the engine's whose handle may change. */
public abstract class RocksMutableObject extends AbstractNativeReference {
  static {
    LibraryLoader.load();
  }

  private long nativeHandle_;
  private boolean owningHandle_;

  /** Without a handle yet. */
  protected RocksMutableObject() {}

  /**
   * Owns an object.
   *
   * @param nativeHandle its handle
   */
  protected RocksMutableObject(final long nativeHandle) {
    this.nativeHandle_ = nativeHandle;
    this.owningHandle_ = true;
  }

  /**
   * Ends what it held and holds something else.
   *
   * @param newNativeHandle the new handle
   * @param owningNativeHandle whether it is to be ended on close
   */
  public synchronized void resetNativeHandle(
      final long newNativeHandle, final boolean owningNativeHandle) {
    close();
    setNativeHandle(newNativeHandle, owningNativeHandle);
  }

  /**
   * Holds something else; what it held stays open.
   *
   * @param newNativeHandle the new handle
   * @param owningNativeHandle whether it is to be ended on close
   */
  public synchronized void setNativeHandle(
      final long newNativeHandle, final boolean owningNativeHandle) {
    this.nativeHandle_ = newNativeHandle;
    this.owningHandle_ = owningNativeHandle;
  }

  @Override
  protected synchronized boolean isOwningHandle() {
    return owningHandle_;
  }

  /**
   * The handle.
   *
   * @return a number without a meaning outside of this library
   */
  protected synchronized long getNativeHandle() {
    assert nativeHandle_ != 0 : getClass().getSimpleName() + " is closed";
    if (nativeHandle_ == 0) {
      throw new IllegalStateException(getClass().getSimpleName() + " is closed");
    }
    return nativeHandle_;
  }

  @Override
  public final synchronized void close() {
    if (owningHandle_) {
      disposeInternal();
      owningHandle_ = false;
    }
    nativeHandle_ = 0;
  }

  /** Ends the native object. */
  protected void disposeInternal() {
    disposeInternal(nativeHandle_);
  }

  /**
   * Ends the object behind a handle.
   *
   * @param handle the handle
   */
  protected abstract void disposeInternal(long handle);
}
