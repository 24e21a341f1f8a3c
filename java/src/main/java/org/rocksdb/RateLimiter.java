package org.rocksdb;

/** Limits the rate of input and output, of several databases if they share it. */
public class RateLimiter extends RocksObject {
  /** How often bytes are handed out, in microseconds. */
  public static final long DEFAULT_REFILL_PERIOD_MICROS = 100 * 1000;
  /** One of so many requests of lower priority goes first. */
  public static final int DEFAULT_FAIRNESS = 10;
  /** What is limited. */
  public static final RateLimiterMode DEFAULT_MODE = RateLimiterMode.WRITES_ONLY;
  /** The rate stays as it is set. */
  public static final boolean DEFAULT_AUTOTUNE = false;

  /**
   * For writes.
   *
   * @param rateBytesPerSecond the rate
   */
  public RateLimiter(final long rateBytesPerSecond) {
    this(rateBytesPerSecond, DEFAULT_REFILL_PERIOD_MICROS);
  }

  /**
   * With a period.
   *
   * @param rateBytesPerSecond the rate
   * @param refillPeriodMicros how often bytes are given out
   */
  public RateLimiter(final long rateBytesPerSecond, final long refillPeriodMicros) {
    this(rateBytesPerSecond, refillPeriodMicros, DEFAULT_FAIRNESS);
  }

  /**
   * With fairness.
   *
   * @param rateBytesPerSecond the rate
   * @param refillPeriodMicros how often bytes are given out
   * @param fairness one request of so many of low priority goes before those of high
   */
  public RateLimiter(
      final long rateBytesPerSecond, final long refillPeriodMicros, final int fairness) {
    this(rateBytesPerSecond, refillPeriodMicros, fairness, DEFAULT_MODE);
  }

  /**
   * For reads, writes or both.
   *
   * @param rateBytesPerSecond the rate
   * @param refillPeriodMicros how often bytes are given out
   * @param fairness one request of so many of low priority goes before those of high
   * @param rateLimiterMode what is limited
   */
  public RateLimiter(final long rateBytesPerSecond, final long refillPeriodMicros,
      final int fairness, final RateLimiterMode rateLimiterMode) {
    this(rateBytesPerSecond, refillPeriodMicros, fairness, rateLimiterMode, DEFAULT_AUTOTUNE);
  }

  /**
   * That may find its rate.
   *
   * @param rateBytesPerSecond the rate, or the highest one
   * @param refillPeriodMicros how often bytes are given out
   * @param fairness one request of so many of low priority goes before those of high
   * @param rateLimiterMode what is limited
   * @param autoTune whether the rate follows what is asked for
   */
  public RateLimiter(final long rateBytesPerSecond, final long refillPeriodMicros,
      final int fairness, final RateLimiterMode rateLimiterMode, final boolean autoTune) {
    super(SharedObjects.rateLimiter(rateBytesPerSecond, refillPeriodMicros, fairness,
        rateLimiterMode.getValue(), autoTune));
  }

  /**
   * The rate.
   *
   * @param bytesPerSecond from now on
   */
  public void setBytesPerSecond(final long bytesPerSecond) {
    SharedObjects.setRate(nativeHandle_, bytesPerSecond);
  }

  /**
   * The rate.
   *
   * @return bytes a second
   */
  public long getBytesPerSecond() {
    return SharedObjects.rate(nativeHandle_);
  }

  /**
   * Waits until so many bytes may go.
   *
   * @param bytes no more than {@link #getSingleBurstBytes}
   */
  public void request(final long bytes) {
    SharedObjects.request(nativeHandle_, bytes);
  }

  /**
   * The most that one request may ask for.
   *
   * @return bytes
   */
  public long getSingleBurstBytes() {
    return SharedObjects.singleBurst(nativeHandle_);
  }

  /**
   * What has gone through.
   *
   * @return bytes
   */
  public long getTotalBytesThrough() {
    return SharedObjects.totalThrough(nativeHandle_);
  }

  /**
   * How often it was asked.
   *
   * @return requests
   */
  public long getTotalRequests() {
    return SharedObjects.totalRequests(nativeHandle_);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
