package org.rocksdb;

/** Files in memory. */
public class RocksMemEnv extends Env {
  /**
   * Over another environment.
   *
   * @param baseEnv whose clock and threads are used
   */
  public RocksMemEnv(final Env baseEnv) {
    super(EnvParts.inMemory(baseEnv.nativeHandle_));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
