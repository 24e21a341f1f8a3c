package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** How a backup is restored. */
public class RestoreOptions extends RocksObject {
  /** What becomes of files that are there. */
  public enum Mode {
    /** Tables stay whose name in the backup tells session and size, if they are the same. */
    kKeepLatestDbSessionIdFiles(1),
    /** Table and blob files stay whose checksum is the same, for which they are read. */
    kVerifyChecksum(2),
    /** All are replaced. */
    kPurgeAllFiles(0xffff);

    private final int value;

    Mode(final int value) {
      this.value = value;
    }

    /**
     * The value that stands for it outside of Java.
     *
     * @return the number
     */
    public int getValue() {
      return value;
    }

    static Mode of(final int value) {
      for (final Mode each : values()) {
        if (each.value == value) {
          return each;
        }
      }
      throw new IllegalArgumentException("Mode has no constant with value " + value);
    }
  }

  private List<BackupEngine> alternateDirs_ = new ArrayList<>();

  /**
   * With or without logs that are there.
   *
   * @param keepLogFiles whether they stay
   */
  public RestoreOptions(final boolean keepLogFiles) {
    super(BackupParts.restoreOptions(keepLogFiles));
  }

  /**
   * What becomes of files that are there. Default: kPurgeAllFiles.
   *
   * @param mode which of them stay
   * @return this object
   */
  public RestoreOptions setMode(final Mode mode) {
    BackupParts.setMode(nativeHandle_, mode.getValue());
    return this;
  }

  /**
   * What becomes of files that are there.
   *
   * @return which of them stay
   */
  public Mode mode() {
    return Mode.of(BackupParts.mode(nativeHandle_));
  }

  /**
   * Other backups, which may have files that the one to restore has not. Default: none.
   *
   * @param alternateDirs their engines, in the order in which they are asked; they may be closed
   *     while these options are open
   * @return this object
   */
  public RestoreOptions setAlternateDirs(final List<BackupEngine> alternateDirs) {
    final long[] handles = new long[alternateDirs.size()];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = alternateDirs.get(i).nativeHandle_;
    }
    BackupParts.setAlternates(nativeHandle_, handles);
    alternateDirs_ = new ArrayList<>(alternateDirs);
    return this;
  }

  /**
   * Other backups.
   *
   * @return the engines that were set
   */
  public List<BackupEngine> alternateDirs() {
    return new ArrayList<>(alternateDirs_);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
