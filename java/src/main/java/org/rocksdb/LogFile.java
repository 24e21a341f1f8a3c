package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** A log of a database. */
public class LogFile {
  private final String pathName;
  private final long logNumber;
  private final WalFileType type;
  private final long startSequence;
  private final long sizeFileBytes;

  LogFile(final Unpacker in) {
    pathName = in.readString();
    logNumber = in.readLong();
    type = WalFileType.of((byte) in.readInt());
    startSequence = in.readLong();
    sizeFileBytes = in.readLong();
  }

  static List<LogFile> list(final Unpacker in) {
    final List<LogFile> files = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      files.add(new LogFile(in));
    }
    return files;
  }

  /** Its path below the directory of logs. */
  public String pathName() {
    return pathName;
  }

  /** Its number. */
  public long logNumber() {
    return logNumber;
  }

  /** Whether it is archived. */
  public WalFileType type() {
    return type;
  }

  /** The number of its first update. */
  public long startSequence() {
    return startSequence;
  }

  /** Its bytes. */
  public long sizeFileBytes() {
    return sizeFileBytes;
  }
}
