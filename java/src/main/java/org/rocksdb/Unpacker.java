package org.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what java/jni/packing.h packed. */
final class Unpacker {
  private final byte[] bytes;
  private int at;

  Unpacker(final byte[] bytes) {
    this.bytes = bytes;
  }

  boolean atEnd() {
    return at == bytes.length;
  }

  long readLong() {
    final long high = readInt();
    return high << 32 | (readInt() & 0xFFFFFFFFL);
  }

  int readInt() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      value = value << 8 | (bytes[at++] & 0xFF);
    }
    return value;
  }

  boolean readBoolean() {
    return bytes[at++] != 0;
  }

  double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  byte[] readBytes() {
    final int size = readInt();
    at += size;
    return Arrays.copyOfRange(bytes, at - size, at);
  }

  String readString() {
    return Text.of(readBytes());
  }

  Map<String, String> readStringMap() {
    final Map<String, String> map = new HashMap<>();
    for (int left = readInt(); left > 0; left--) {
      final String key = readString();
      map.put(key, readString());
    }
    return map;
  }

  List<String> readStrings() {
    final List<String> list = new ArrayList<>();
    for (int left = readInt(); left > 0; left--) {
      list.add(readString());
    }
    return list;
  }

  List<byte[]> readByteArrays() {
    final List<byte[]> list = new ArrayList<>();
    for (int left = readInt(); left > 0; left--) {
      list.add(readBytes());
    }
    return list;
  }
}
