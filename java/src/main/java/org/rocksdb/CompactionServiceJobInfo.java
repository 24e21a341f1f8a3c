package org.rocksdb;

/** A compaction that a service is offered. */
public class CompactionServiceJobInfo {
  private final String dbName;
  private final String dbId;
  private final String dbSessionId;
  private final int columnFamilyId;
  private final String columnFamilyName;
  private final long jobId;
  private final Priority priority;
  private final CompactionReason compactionReason;
  private final boolean fullCompaction;
  private final boolean manualCompaction;
  private final boolean bottommostLevel;
  private final int baseInputLevel;
  private final int outputLevel;

  CompactionServiceJobInfo(final Unpacker in) {
    dbName = in.readString();
    dbId = in.readString();
    dbSessionId = in.readString();
    columnFamilyId = in.readInt();
    columnFamilyName = in.readString();
    jobId = in.readLong();
    priority = Priority.of((byte) in.readInt());
    compactionReason = CompactionReason.of((byte) in.readInt());
    fullCompaction = in.readBoolean();
    manualCompaction = in.readBoolean();
    bottommostLevel = in.readBoolean();
    baseInputLevel = in.readInt();
    outputLevel = in.readInt();
  }

  /**
   * The database.
   *
   * @return the directory of the database
   */
  public String getDbName() {
    return dbName;
  }

  /**
   * The database.
   *
   * @return the identity of the database
   */
  public String getDbId() {
    return dbId;
  }

  /**
   * The database.
   *
   * @return the session of the database, from its opening on
   */
  public String getDbSessionId() {
    return dbSessionId;
  }

  /**
   * The family.
   *
   * @return the number of the family
   */
  public int getColumnFamilyId() {
    return columnFamilyId;
  }

  /**
   * The family.
   *
   * @return the name of the family
   */
  public String getColumnFamilyName() {
    return columnFamilyName;
  }

  /**
   * The job.
   *
   * @return the number of the job
   */
  public long getJobId() {
    return jobId;
  }

  /**
   * How urgent it is.
   *
   * @return the pool of threads in which it waits
   */
  public Priority getPriority() {
    return priority;
  }

  /**
   * The reason.
   *
   * @return why it is done
   */
  public CompactionReason getCompactionReason() {
    return compactionReason;
  }

  /**
   * How much it takes.
   *
   * @return whether all tables are among the inputs
   */
  public boolean isFullCompaction() {
    return fullCompaction;
  }

  /**
   * Where it comes from.
   *
   * @return whether a program asked for it
   */
  public boolean isManualCompaction() {
    return manualCompaction;
  }

  /**
   * What is below.
   *
   * @return whether nothing older lies below its output
   */
  public boolean isBottommostLevel() {
    return bottommostLevel;
  }

  /**
   * Where the inputs are.
   *
   * @return the first level of the inputs
   */
  public int getBaseInputLevel() {
    return baseInputLevel;
  }

  /**
   * Where the output goes.
   *
   * @return the level of the output
   */
  public int getOutputLevel() {
    return outputLevel;
  }
}
