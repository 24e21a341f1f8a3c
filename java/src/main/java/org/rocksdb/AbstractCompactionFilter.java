package org.rocksdb;

/**
 * Decides in compactions what is kept. It may be closed while databases use it.
 *
 * @param <T> how keys and values are seen
 */
public abstract class AbstractCompactionFilter<T extends AbstractSlice<?>> extends RocksObject {
  /**
   * Holds a filter.
   *
   * @param nativeHandle its handle
   */
  protected AbstractCompactionFilter(final long nativeHandle) {
    super(nativeHandle);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }

  /** The compaction that a filter is made for. */
  public static class Context {
    private final boolean fullCompaction;
    private final boolean manualCompaction;

    /**
     * A compaction.
     *
     * @param fullCompaction whether it reads all files
     * @param manualCompaction whether somebody asked for it
     */
    public Context(final boolean fullCompaction, final boolean manualCompaction) {
      this.fullCompaction = fullCompaction;
      this.manualCompaction = manualCompaction;
    }

    /** Tells whether it reads all files. */
    public boolean isFullCompaction() {
      return fullCompaction;
    }

    /** Tells whether somebody asked for it. */
    public boolean isManualCompaction() {
      return manualCompaction;
    }
  }
}
