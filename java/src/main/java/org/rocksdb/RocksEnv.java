package org.rocksdb;

/** An environment of the engine's. */
public class RocksEnv extends Env {
  RocksEnv(final long handle) {
    super(handle);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
