package org.rocksdb;

import java.util.concurrent.atomic.AtomicBoolean;

/** A native reference whose handle stays what it is from construction on. */
public abstract class AbstractImmutableNativeReference extends AbstractNativeReference {
  /** Whether closing this ends what stands behind it. */
  protected final AtomicBoolean owningHandle_;

  /**
   * Begins with or without ownership.
   *
   * @param owningHandle whether {@link #close} is to end the native object
   */
  protected AbstractImmutableNativeReference(final boolean owningHandle) {
    this.owningHandle_ = new AtomicBoolean(owningHandle);
  }

  @Override
  public boolean isOwningHandle() {
    return owningHandle_.get();
  }

  /** Leaves the native object to somebody else: closing this does nothing. */
  protected final void disOwnNativeHandle() {
    owningHandle_.set(false);
  }

  @Override
  public void close() {
    if (owningHandle_.compareAndSet(true, false)) {
      disposeInternal();
    }
  }

  /** Ends the native object; called once. */
  protected abstract void disposeInternal();
}
