package org.rocksdb;

/**
 * Drops state of Apache Flink's whose time to live is over. Flink makes it through {@link
 * FlinkCompactionFilterFactory}; its own build of RocksDB has this class, too.
 */
public class FlinkCompactionFilter extends AbstractCompactionFilter<Slice> {
  private static final int TIME_OFFSET_OF_MAPS = 1;

  private FlinkCompactionFilter(
      final Config config, final TimeProvider timeProvider, final ListElementFilter elements) {
    super(FlinkParts.filter(config.stateType.ordinal(), config.ttl,
        config.queryTimeAfterNumEntries, config.timestampOffset, config.fixedElementLength,
        timeProvider, elements));
  }

  /** What a column family holds. */
  public enum StateType {
    /** Nothing that expires. */
    Disabled,
    /** The time, then the value. */
    Value,
    /** Elements, each with a time in front of it, the oldest first. */
    List,
    /** A byte that says whether there is a value, the time, the value. */
    Map
  }

  /** Finds the elements of a list whose time to live is not over. */
  public interface ListElementFilter {
    /**
     * Where these begin.
     *
     * @param list the list
     * @param ttl the time to live in milliseconds
     * @param currentTimestamp the time in milliseconds
     * @return 0: all are; the size of the list: none is
     */
    int nextUnexpiredOffset(byte[] list, long ttl, long currentTimestamp);
  }

  /** Makes one for each compaction, as they are used by one thread. */
  public interface ListElementFilterFactory {
    /**
     * Makes one.
     *
     * @return a new one
     */
    ListElementFilter createListElementFilter();
  }

  /** Tells the time. */
  public interface TimeProvider {
    /**
     * The time.
     *
     * @return milliseconds since 1970
     */
    long currentTimestamp();
  }

  /** What is in a column family, and how long that lives. */
  public static final class Config {
    private final StateType stateType;
    private final int timestampOffset;
    private final long ttl;
    private final long queryTimeAfterNumEntries;
    private final int fixedElementLength;
    private final ListElementFilterFactory listElementFilterFactory;

    private Config(final StateType stateType, final long ttl,
        final long queryTimeAfterNumEntries, final int fixedElementLength,
        final ListElementFilterFactory listElementFilterFactory) {
      this.stateType = stateType;
      this.timestampOffset = stateType == StateType.Map ? TIME_OFFSET_OF_MAPS : 0;
      this.ttl = ttl;
      this.queryTimeAfterNumEntries = queryTimeAfterNumEntries;
      this.fixedElementLength = fixedElementLength;
      this.listElementFilterFactory = listElementFilterFactory;
    }

    /**
     * Single values.
     *
     * @param ttl how many milliseconds they live
     * @param queryTimeAfterNumEntries after how many entries to look at the clock again
     * @return the settings
     */
    public static Config createForValue(final long ttl, final long queryTimeAfterNumEntries) {
      return new Config(StateType.Value, ttl, queryTimeAfterNumEntries, 0, null);
    }

    /**
     * Values of maps.
     *
     * @param ttl how many milliseconds they live
     * @param queryTimeAfterNumEntries after how many entries to look at the clock again
     * @return the settings
     */
    public static Config createForMap(final long ttl, final long queryTimeAfterNumEntries) {
      return new Config(StateType.Map, ttl, queryTimeAfterNumEntries, 0, null);
    }

    /**
     * Lists of elements of one size.
     *
     * @param ttl how many milliseconds they live
     * @param queryTimeAfterNumEntries after how many entries to look at the clock again
     * @param fixedElementLength the size, with the delimiter behind it
     * @return the settings
     */
    public static Config createForFixedElementList(
        final long ttl, final long queryTimeAfterNumEntries, final int fixedElementLength) {
      return new Config(
          StateType.List, ttl, queryTimeAfterNumEntries, fixedElementLength, null);
    }

    /**
     * Lists of elements of different sizes.
     *
     * @param ttl how many milliseconds they live
     * @param queryTimeAfterNumEntries after how many entries to look at the clock again
     * @param listElementFilterFactory makes what finds the elements
     * @return the settings
     */
    public static Config createForList(final long ttl, final long queryTimeAfterNumEntries,
        final ListElementFilterFactory listElementFilterFactory) {
      return new Config(
          StateType.List, ttl, queryTimeAfterNumEntries, 0, listElementFilterFactory);
    }
  }

  /** Makes the filters of a column family. Until it is configured nothing is dropped. */
  public static class FlinkCompactionFilterFactory
      extends AbstractCompactionFilterFactory<FlinkCompactionFilter> {
    private final TimeProvider timeProvider;
    private volatile Config config = new Config(StateType.Disabled, 0, 1, 0, null);

    /**
     * With a clock.
     *
     * @param timeProvider the clock
     */
    public FlinkCompactionFilterFactory(final TimeProvider timeProvider) {
      this(timeProvider, null);
    }

    /**
     * With a clock.
     *
     * @param timeProvider the clock
     * @param logger not used: there is nothing to tell
     */
    public FlinkCompactionFilterFactory(
        final TimeProvider timeProvider, final Logger logger) {
      this.timeProvider = timeProvider;
    }

    /**
     * Says what the family holds: later compactions act by it.
     *
     * @param config the settings
     */
    public void configure(final Config config) {
      if (config == null) {
        throw new NullPointerException("the config is null");
      }
      this.config = config;
    }

    @Override
    public FlinkCompactionFilter createCompactionFilter(
        final AbstractCompactionFilter.Context context) {
      final Config now = config;
      return new FlinkCompactionFilter(now,
          timeProvider == null ? System::currentTimeMillis : timeProvider,
          now.listElementFilterFactory == null
              ? null : now.listElementFilterFactory.createListElementFilter());
    }

    @Override
    public String name() {
      return "FlinkCompactionFilterFactory";
    }
  }
}
