package org.rocksdb;

import java.util.List;

/** Where files are and threads run. */
public abstract class Env extends RocksObject {
  private static final Env DEFAULT = new RocksEnv(EnvParts.getDefault());

  static {
    // It lives as long as the program.
    DEFAULT.disOwnNativeHandle();
  }

  Env(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * The operating system's.
   *
   * @return one object, which closing does nothing to
   */
  public static Env getDefault() {
    return DEFAULT;
  }

  /**
   * Threads for compactions.
   *
   * @param number their number
   * @return this object
   */
  public Env setBackgroundThreads(final int number) {
    return setBackgroundThreads(number, Priority.LOW);
  }

  /**
   * Threads of a pool.
   *
   * @param priority the pool
   * @return their number
   */
  public int getBackgroundThreads(final Priority priority) {
    return EnvParts.threads(nativeHandle_, priority.getValue());
  }

  /**
   * Threads of a pool.
   *
   * @param number their number
   * @param priority the pool
   * @return this object
   */
  public Env setBackgroundThreads(final int number, final Priority priority) {
    EnvParts.setThreads(nativeHandle_, number, priority.getValue(), false);
    return this;
  }

  /**
   * Work that waits for a thread of a pool.
   *
   * @param priority the pool
   * @return how many pieces
   */
  public int getThreadPoolQueueLen(final Priority priority) {
    return EnvParts.queueLength(nativeHandle_, priority.getValue());
  }

  /**
   * Makes a pool larger, if it is smaller.
   *
   * @param number threads
   * @param priority the pool
   * @return this object
   */
  public Env incBackgroundThreadsIfNeeded(final int number, final Priority priority) {
    EnvParts.setThreads(nativeHandle_, number, priority.getValue(), true);
    return this;
  }

  /**
   * Lets threads of a pool use the device when nobody else does.
   *
   * @param priority the pool
   * @return this object
   */
  public Env lowerThreadPoolIOPriority(final Priority priority) {
    EnvParts.lowerPriority(nativeHandle_, priority.getValue(), true);
    return this;
  }

  /**
   * Lets threads of a pool use the processor when nobody else does.
   *
   * @param priority the pool
   * @return this object
   */
  public Env lowerThreadPoolCPUPriority(final Priority priority) {
    EnvParts.lowerPriority(nativeHandle_, priority.getValue(), false);
    return this;
  }

  /**
   * What the threads do.
   *
   * @return a status for each
   * @throws RocksDBException if the engine cannot tell
   */
  public List<ThreadStatus> getThreadList() throws RocksDBException {
    return ThreadStatus.list(new Unpacker(EnvParts.threadList(nativeHandle_)));
  }
}
