package org.rocksdb;

/** Makes collectors of properties of table files. */
public abstract class TablePropertiesCollectorFactory extends RocksObject {
  private TablePropertiesCollectorFactory(final long nativeHandle) {
    super(nativeHandle);
  }

  static TablePropertiesCollectorFactory of(final long handle) {
    return new TablePropertiesCollectorFactory(handle) {
      @Override
      protected void disposeInternal(final long toClose) {
        Handles.close(toClose);
      }
    };
  }

  /**
   * Collectors that ask for a compaction where many keys are deleted.
   *
   * @param slidingWindowSize keys that are looked at together
   * @param deletionTrigger deletions among them
   * @param deletionRatio deletions of a whole file; 0: not looked at
   * @return the factory
   */
  public static TablePropertiesCollectorFactory NewCompactOnDeletionCollectorFactory(
      final long slidingWindowSize, final long deletionTrigger, final double deletionRatio) {
    return of(SharedObjects.compactOnDeletion(slidingWindowSize, deletionTrigger, deletionRatio));
  }
}
