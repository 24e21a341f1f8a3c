package org.rocksdb;

/**
 * Gives compactions to other processes. Each that rewrites tables is offered, but for families with
 * blob files; one that is taken on is carried out by {@link RocksDB#openAndCompact} there, on the
 * same files. Called by threads of the engine's, several at a time. A compaction for which it
 * throws fails, and the database goes on with its inputs.
 */
public abstract class AbstractCompactionService extends RocksCallbackObject {
  /** What {@link #schedule} answers. */
  public static class ScheduleResponse {
    private final CompactionServiceJobStatus status;
    private final String scheduledJobId;

    /**
     * An answer.
     *
     * @param scheduledJobId the service's own name of the job
     * @param status kSuccess: it is taken on; kUseLocal: the database does it itself; else it fails
     */
    public ScheduleResponse(
        final String scheduledJobId, final CompactionServiceJobStatus status) {
      this.scheduledJobId = scheduledJobId;
      this.status = status;
    }

    byte[] pack() {
      return new Packer().putInt(status.getValue()).putText(scheduledJobId).toBytes();
    }
  }

  /** What {@link #waitForResult} answers. */
  public static class Result {
    private final CompactionServiceJobStatus status;
    private final byte[] result;

    /**
     * An answer.
     *
     * @param status how it ended; kUseLocal: the database does it itself
     * @param result what {@link RocksDB#openAndCompact} answered; empty if nothing
     */
    public Result(final CompactionServiceJobStatus status, final byte[] result) {
      this.status = status;
      this.result = result;
    }

    byte[] pack() {
      return new Packer().putInt(status.getValue()).putBytes(result).toBytes();
    }
  }

  /** A service. */
  protected AbstractCompactionService() {
    super();
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.compactionService(this, Text.utf8(name()));
  }

  /**
   * Its name.
   *
   * @return always the same; asked for by the constructor
   */
  public abstract String name();

  /**
   * A compaction is offered.
   *
   * @param info what it is
   * @param compactionServiceInput for {@link RocksDB#openAndCompact}
   * @return whether it is taken on
   */
  public abstract ScheduleResponse schedule(
      CompactionServiceJobInfo info, byte[] compactionServiceInput);

  /**
   * Waits for a compaction that was taken on.
   *
   * @param scheduledJobId as {@link #schedule} answered
   * @return how it ended
   */
  public abstract Result waitForResult(String scheduledJobId);

  /**
   * The database is about to close: what is waited for should end, also for jobs that are waited
   * for from now on. Called several times; the thread that closes may be another one than those
   * that wait.
   */
  public void cancelAwaitingJobs() {}

  /**
   * What a compaction has made is in use, or could not be taken.
   *
   * @param scheduledJobId as {@link #schedule} answered
   * @param status kSuccess or kFailure
   */
  public void onInstallation(
      final String scheduledJobId, final CompactionServiceJobStatus status) {}
}
