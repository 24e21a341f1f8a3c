package org.rocksdb;

/** Keys from one, included, to another, excluded. */
public class Range {
  final Slice start;
  final Slice limit;

  /**
   * A range.
   *
   * @param start the first key
   * @param limit the key behind the last
   */
  public Range(final Slice start, final Slice limit) {
    this.start = start;
    this.limit = limit;
  }

  static byte[] pack(final java.util.List<Range> ranges) {
    final Packer packer = new Packer().putInt(ranges.size());
    for (final Range each : ranges) {
      packer.putBytes(each.start.toBytes()).putBytes(each.limit.toBytes());
    }
    return packer.toBytes();
  }
}
