package org.rocksdb;

/**
 * Chooses the blob file that a value is written to, where several are open side by side. Called by
 * a thread that writes, for itself and for others whose writes go to the log with its own. What it
 * throws leaves the call of that thread; the others fail with its text, and nothing is written.
 */
public abstract class AbstractBlobFilePartitionStrategy extends RocksCallbackObject {
  /** A strategy. */
  protected AbstractBlobFilePartitionStrategy() {
    super();
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.partitionStrategy(this, Text.utf8(name()));
  }

  /**
   * Its name.
   *
   * @return always the same; asked for by the constructor
   */
  public abstract String name();

  /**
   * The file of a value.
   *
   * @param numPartitions how many files there are
   * @param columnFamilyId the family
   * @param key the key
   * @param value the value, not compressed; for entities that of their default column
   * @return any number: what is left of it, divided by {@code numPartitions}, is taken
   */
  public abstract int selectPartition(
      int numPartitions, int columnFamilyId, byte[] key, byte[] value);
}
