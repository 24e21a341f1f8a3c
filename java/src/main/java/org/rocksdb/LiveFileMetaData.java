package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** A table file of a database, and where it belongs. */
public class LiveFileMetaData extends SstFileMetaData {
  private final byte[] columnFamilyName;
  private final int level;

  LiveFileMetaData(final byte[] columnFamilyName, final int level, final Unpacker in) {
    super(in);
    this.columnFamilyName = columnFamilyName;
    this.level = level;
  }

  static List<LiveFileMetaData> list(final Unpacker in) {
    final List<LiveFileMetaData> files = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      final byte[] family = in.readBytes();
      files.add(new LiveFileMetaData(family, in.readInt(), in));
    }
    return files;
  }

  /** The name of its family. */
  public byte[] columnFamilyName() {
    return columnFamilyName;
  }

  /**
   * Not supported: the engine takes no such description back.
   *
   * @return nothing
   * @throws UnsupportedOperationException always
   */
  public long newLiveFileMetaDataHandle() {
    throw new UnsupportedOperationException("newLiveFileMetaDataHandle");
  }

  /** Its level. */
  public int level() {
    return level;
  }
}
