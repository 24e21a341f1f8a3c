package org.rocksdb;

import java.util.Objects;

/** A Bloom filter. */
public class BloomFilter extends Filter {
  private static final double DEFAULT_BITS_PER_KEY = 10.0;

  private final double bitsPerKey;

  /** With 10 bits for each key. */
  public BloomFilter() {
    this(DEFAULT_BITS_PER_KEY);
  }

  /**
   * With a number of bits.
   *
   * @param bitsPerKey bits for each key
   */
  public BloomFilter(final double bitsPerKey) {
    super(SharedObjects.bloomFilter(bitsPerKey));
    this.bitsPerKey = bitsPerKey;
  }

  /**
   * With a number of bits.
   *
   * @param bitsPerKey bits for each key
   * @param ignoredUseBlockBasedMode not used: there is one kind
   */
  public BloomFilter(final double bitsPerKey, final boolean ignoredUseBlockBasedMode) {
    this(bitsPerKey);
  }

  @Override
  public boolean equals(final Object o) {
    return this == o || (o != null && getClass() == o.getClass()
        && bitsPerKey == ((BloomFilter) o).bitsPerKey);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bitsPerKey);
  }
}
