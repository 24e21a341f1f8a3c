package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** A level of a column family. */
public class LevelMetaData {
  private final int level;
  private final long size;
  private final List<SstFileMetaData> files = new ArrayList<>();

  LevelMetaData(final Unpacker in) {
    level = in.readInt();
    size = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      files.add(new SstFileMetaData(in));
    }
  }

  /** Its number. */
  public int level() {
    return level;
  }

  /** The bytes of its files. */
  public long size() {
    return size;
  }

  /** Its files. */
  public List<SstFileMetaData> files() {
    return files;
  }
}
