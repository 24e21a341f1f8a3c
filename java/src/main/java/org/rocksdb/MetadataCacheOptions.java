package org.rocksdb;

import java.util.Objects;

/** Which blocks of metadata stay in the block cache as long as their table is open. */
public class MetadataCacheOptions {
  private PinningTier topLevelIndexPinning = PinningTier.kFallback;
  private PinningTier partitionPinning = PinningTier.kFallback;
  private PinningTier unpartitionedPinning = PinningTier.kFallback;

  /** All as the older settings say. */
  public MetadataCacheOptions() {}

  /**
   * The top level of indexes and filters in partitions. Default: kFallback.
   *
   * @param topLevelIndexPinning of which tables
   * @return this object
   */
  public MetadataCacheOptions setTopLevelIndexPinning(final PinningTier topLevelIndexPinning) {
    this.topLevelIndexPinning = Objects.requireNonNull(topLevelIndexPinning);
    return this;
  }

  /**
   * The top level of indexes and filters in partitions.
   *
   * @return of which tables
   */
  public PinningTier topLevelIndexPinning() {
    return topLevelIndexPinning;
  }

  /**
   * The partitions of indexes and filters. Default: kFallback.
   *
   * @param partitionPinning of which tables
   * @return this object
   */
  public MetadataCacheOptions setPartitionPinning(final PinningTier partitionPinning) {
    this.partitionPinning = Objects.requireNonNull(partitionPinning);
    return this;
  }

  /**
   * The partitions of indexes and filters.
   *
   * @return of which tables
   */
  public PinningTier partitionPinning() {
    return partitionPinning;
  }

  /**
   * Indexes and filters in one piece. Default: kFallback.
   *
   * @param unpartitionedPinning of which tables
   * @return this object
   */
  public MetadataCacheOptions setUnpartitionedPinning(final PinningTier unpartitionedPinning) {
    this.unpartitionedPinning = Objects.requireNonNull(unpartitionedPinning);
    return this;
  }

  /**
   * Indexes and filters in one piece.
   *
   * @return of which tables
   */
  public PinningTier unpartitionedPinning() {
    return unpartitionedPinning;
  }
}
