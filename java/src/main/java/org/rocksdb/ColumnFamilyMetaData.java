package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** The levels and files of a column family. */
public class ColumnFamilyMetaData {
  private final long size;
  private final long fileCount;
  private final byte[] name;
  private final List<LevelMetaData> levels = new ArrayList<>();

  ColumnFamilyMetaData(final Unpacker in) {
    size = in.readLong();
    fileCount = in.readLong();
    name = in.readBytes();
    for (int left = in.readInt(); left > 0; left--) {
      levels.add(new LevelMetaData(in));
    }
  }

  /** The bytes of its files. */
  public long size() {
    return size;
  }

  /** How many files it has. */
  public long fileCount() {
    return fileCount;
  }

  /** Its name. */
  public byte[] name() {
    return name;
  }

  /** Its levels. */
  public List<LevelMetaData> levels() {
    return levels;
  }
}
