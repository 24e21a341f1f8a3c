package org.rocksdb;

/** Something of the engine that Java holds and closes. */
public abstract class AbstractNativeReference implements AutoCloseable {
  /**
   * Whether closing this ends what stands behind it.
   *
   * @return false once it is closed, or where it belongs to something else
   */
  protected abstract boolean isOwningHandle();

  /** Ends it. Closing twice is harmless. */
  @Override
  public abstract void close();
}
