package org.rocksdb;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Which memory outside of the block cache is charged to it. The roles that may be are
 * kCompressionDictionaryBuildingBuffer, kFilterConstruction, kBlockBasedTableReader, kFileMetadata
 * and kBlobCache; a database with others does not open.
 */
public class CacheUsageOptions {
  /** Whether memory is charged; kFallback: as the engine does it by itself. */
  public enum Decision {
    /** The memory is charged to the cache. */
    kEnabled,
    /** The memory is not charged to the cache. */
    kDisabled,
    /** The memory is charged if the engine charges this role by itself; the default. */
    kFallback
  }

  private Decision options = Decision.kFallback;
  private final Map<CacheEntryRole, Decision> optionsOverrides =
      new EnumMap<>(CacheEntryRole.class);

  /** Nothing is charged that is not by itself. */
  public CacheUsageOptions() {}

  /**
   * What holds for each role without a decision of its own. Default: kFallback.
   *
   * @param options the decision
   * @return this object
   */
  public CacheUsageOptions setOptions(final Decision options) {
    this.options = Objects.requireNonNull(options);
    return this;
  }

  /**
   * What holds for each role without a decision of its own.
   *
   * @return the decision
   */
  public Decision options() {
    return options;
  }

  /**
   * What holds for single roles, instead of what was set before. Default: none.
   *
   * @param optionsOverrides the decisions, which are copied
   * @return this object
   */
  public CacheUsageOptions setOptionsOverrides(
      final Map<CacheEntryRole, Decision> optionsOverrides) {
    optionsOverrides.values().forEach(Objects::requireNonNull);
    final Map<CacheEntryRole, Decision> given = new EnumMap<>(CacheEntryRole.class);
    given.putAll(optionsOverrides);
    this.optionsOverrides.clear();
    this.optionsOverrides.putAll(given);
    return this;
  }

  /**
   * What holds for single roles.
   *
   * @return a copy of the decisions
   */
  public Map<CacheEntryRole, Decision> optionsOverrides() {
    return new EnumMap<>(optionsOverrides);
  }

  byte[] pack() {
    final Packer packer = new Packer().putInt(options.ordinal()).putInt(optionsOverrides.size());
    for (final Map.Entry<CacheEntryRole, Decision> each : optionsOverrides.entrySet()) {
      packer.putInt(each.getKey().getValue()).putInt(each.getValue().ordinal());
    }
    return packer.toBytes();
  }
}
