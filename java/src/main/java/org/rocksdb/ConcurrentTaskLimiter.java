package org.rocksdb;

/** Limits how many compactions run at a time, over families that share it. */
public abstract class ConcurrentTaskLimiter extends RocksObject {
  /**
   * Holds a limiter.
   *
   * @param nativeHandle its handle
   */
  protected ConcurrentTaskLimiter(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * Its name.
   *
   * @return the name
   */
  public abstract String name();

  /**
   * Sets the limit.
   *
   * @param maxOutstandingTask tasks at a time; 0: none, less: any number
   * @return this object
   */
  public abstract ConcurrentTaskLimiter setMaxOutstandingTask(int maxOutstandingTask);

  /**
   * Takes the limit away.
   *
   * @return this object
   */
  public abstract ConcurrentTaskLimiter resetMaxOutstandingTask();

  /**
   * How many run.
   *
   * @return tasks
   */
  public abstract int outstandingTask();
}
