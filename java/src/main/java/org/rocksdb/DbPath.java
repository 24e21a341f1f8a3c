package org.rocksdb;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** A directory of table files, and the total size that it should hold. */
public class DbPath {
  final Path path;
  final long targetSize;

  /**
   * A directory.
   *
   * @param path where it is
   * @param targetSize bytes that it should hold
   */
  public DbPath(final Path path, final long targetSize) {
    this.path = path;
    this.targetSize = targetSize;
  }

  static byte[] pack(final Collection<DbPath> paths) {
    final Packer packer = new Packer().putInt(paths.size());
    for (final DbPath each : paths) {
      packer.putText(each.path.toString()).putLong(each.targetSize);
    }
    return packer.toBytes();
  }

  static List<DbPath> unpack(final byte[] packed) {
    final Unpacker in = new Unpacker(packed);
    final List<DbPath> paths = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      final String path = in.readString();
      paths.add(new DbPath(Paths.get(path), in.readLong()));
    }
    return paths;
  }

  @Override
  public boolean equals(final Object o) {
    if (this == o) {
      return true;
    }
    if (o == null || getClass() != o.getClass()) {
      return false;
    }
    final DbPath that = (DbPath) o;
    return targetSize == that.targetSize && Objects.equals(path, that.path);
  }

  @Override
  public int hashCode() {
    return Objects.hash(path, targetSize);
  }
}
