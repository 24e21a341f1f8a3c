package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** A backup. */
public class BackupInfo {
  private final int backupId;
  private final long timestamp;
  private final long size;
  private final int numberFiles;
  private final String appMetadata;

  private BackupInfo(final Unpacker in) {
    backupId = in.readInt();
    timestamp = in.readLong();
    size = in.readLong();
    numberFiles = in.readInt();
    appMetadata = in.readString();
  }

  static List<BackupInfo> list(final Unpacker in) {
    final List<BackupInfo> backups = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      backups.add(new BackupInfo(in));
    }
    return backups;
  }

  /** Its number. */
  public int backupId() {
    return backupId;
  }

  /** When it was begun, in seconds since 1970. */
  public long timestamp() {
    return timestamp;
  }

  /** The bytes of its files. */
  public long size() {
    return size;
  }

  /** How many files it has. */
  public int numberFiles() {
    return numberFiles;
  }

  /** What the program said of it. */
  public String appMetadata() {
    return appMetadata;
  }
}
