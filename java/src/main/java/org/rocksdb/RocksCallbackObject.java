package org.rocksdb;

import java.util.List;

/** An object of Java's that the engine calls. */
public abstract class RocksCallbackObject extends AbstractImmutableNativeReference {
  static {
    LibraryLoader.load();
  }

  /** The handle. */
  protected final long nativeHandle_;

  /**
   * Makes the native part.
   *
   * @param nativeParameterHandles what {@link #initializeNative} needs
   */
  protected RocksCallbackObject(final long... nativeParameterHandles) {
    super(true);
    this.nativeHandle_ = handleOf(initializeNative(nativeParameterHandles));
  }

  /** The handle of what {@link #initializeNative} made. */
  long handleOf(final long made) {
    return made;
  }

  /** The handles of several of them. */
  static long[] handlesOf(final List<? extends RocksCallbackObject> objects) {
    final long[] handles = new long[objects.size()];
    int next = 0;
    for (final RocksCallbackObject each : objects) {
      handles[next++] = each.nativeHandle_;
    }
    return handles;
  }

  /**
   * Makes the native part; called by the constructor, before that of a subclass.
   *
   * @param nativeParameterHandles what the constructor was given
   * @return its handle
   */
  protected abstract long initializeNative(long... nativeParameterHandles);

  @Override
  protected void disposeInternal() {
    Handles.close(nativeHandle_);
  }
}
