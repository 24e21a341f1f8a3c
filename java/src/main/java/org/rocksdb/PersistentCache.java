package org.rocksdb;

/** A cache of blocks on a device. */
public class PersistentCache extends RocksObject {
  /**
   * A cache in a directory.
   *
   * @param env where the directory is
   * @param path the directory
   * @param size bytes
   * @param logger where messages go
   * @param optimizedForNvm whether the device is addressed as memory
   * @throws RocksDBException if it cannot be made
   */
  public PersistentCache(final Env env, final String path, final long size, final Logger logger,
      final boolean optimizedForNvm) throws RocksDBException {
    super(SharedObjects.persistentCache(env.nativeHandle_, Text.utf8(path), size,
        logger == null ? 0 : logger.nativeHandle_, optimizedForNvm));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
