package org.rocksdb;

/**
 * Makes a filter for each compaction. A compaction for which it throws fails with that text.
 *
 * @param <T> the filters
 */
public abstract class AbstractCompactionFilterFactory<T extends AbstractCompactionFilter<?>>
    extends RocksCallbackObject {
  /** A factory. */
  public AbstractCompactionFilterFactory() {
    super(0L);
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.filterFactory(this, Text.utf8(name()));
  }

  /** The handle of a new filter, which belongs to the engine then; 0 for none. */
  final long createNative(final boolean isFull, final boolean isManual) {
    final T filter =
        createCompactionFilter(new AbstractCompactionFilter.Context(isFull, isManual));
    if (filter == null) {
      return 0;
    }
    filter.disOwnNativeHandle();
    return filter.nativeHandle_;
  }

  /**
   * Makes a filter, which belongs to the engine then.
   *
   * @param context the compaction
   * @return the filter; null for none
   */
  public abstract T createCompactionFilter(AbstractCompactionFilter.Context context);

  /**
   * Its name.
   *
   * @return always the same
   */
  public abstract String name();

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }
}
