package org.rocksdb;

/** The engine's limiter. */
public class ConcurrentTaskLimiterImpl extends ConcurrentTaskLimiter {
  /**
   * A limiter.
   *
   * @param name its name
   * @param maxOutstandingTask tasks at a time; 0: none, less: any number
   */
  public ConcurrentTaskLimiterImpl(final String name, final int maxOutstandingTask) {
    super(SharedObjects.taskLimiter(Text.utf8(name), maxOutstandingTask));
  }

  @Override
  public String name() {
    return Text.of(SharedObjects.taskLimiterName(nativeHandle_));
  }

  @Override
  public ConcurrentTaskLimiter setMaxOutstandingTask(final int maxOutstandingTask) {
    SharedObjects.setMaxOutstanding(nativeHandle_, maxOutstandingTask);
    return this;
  }

  @Override
  public ConcurrentTaskLimiter resetMaxOutstandingTask() {
    SharedObjects.resetMaxOutstanding(nativeHandle_);
    return this;
  }

  @Override
  public int outstandingTask() {
    return SharedObjects.outstanding(nativeHandle_);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
