package org.rocksdb;

import java.util.Map;

/** Inspects records of the log while a database is opened. */
public interface WalFilter {
  /**
   * What the log's families are.
   *
   * @param cfLognumber the number of the first log that each family needs
   * @param cfNameId the number of each family
   */
  void columnFamilyLogNumberMap(Map<Integer, Long> cfLognumber, Map<String, Integer> cfNameId);

  /**
   * A record.
   *
   * @param logNumber the log
   * @param logFileName its file
   * @param batch the updates
   * @param newBatch to be filled with others
   * @return what to do with it
   */
  LogRecordFoundResult logRecordFound(
      long logNumber, String logFileName, WriteBatch batch, WriteBatch newBatch);

  /**
   * Its name.
   *
   * @return the name
   */
  String name();

  /** What to do with a record. */
  class LogRecordFoundResult {
    /** The record is applied as it is. */
    public static LogRecordFoundResult CONTINUE_UNCHANGED =
        new LogRecordFoundResult(WalProcessingOption.CONTINUE_PROCESSING, false);

    final WalProcessingOption walProcessingOption;
    final boolean batchChanged;

    /**
     * What to do.
     *
     * @param walProcessingOption with the record
     * @param batchChanged whether the new batch takes its place
     */
    public LogRecordFoundResult(
        final WalProcessingOption walProcessingOption, final boolean batchChanged) {
      this.walProcessingOption = walProcessingOption;
      this.batchChanged = batchChanged;
    }
  }
}
