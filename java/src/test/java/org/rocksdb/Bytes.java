package org.rocksdb;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Texts as keys and values, in arrays and buffers of both kinds. */
final class Bytes {
  private Bytes() {}

  static byte[] b(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String s(final byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  /** What stands between position and limit, which both stay. */
  static String s(final ByteBuffer buffer) {
    final byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return s(bytes);
  }

  static ByteBuffer empty(final boolean isDirect, final int size) {
    return isDirect ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
  }

  static ByteBuffer direct(final String text) {
    return buffer(true, text);
  }

  static ByteBuffer heap(final String text) {
    return buffer(false, text);
  }

  static ByteBuffer buffer(final boolean isDirect, final String text) {
    final ByteBuffer buffer = empty(isDirect, b(text).length);
    buffer.put(b(text));
    ((Buffer) buffer).flip();
    return buffer;
  }

  /** The text at position 3 of a larger buffer, which has a limit before its end. */
  static ByteBuffer inside(final boolean isDirect, final String text) {
    final int size = b(text).length;
    final ByteBuffer buffer = empty(isDirect, size + 8);
    buffer.put(b("###")).put(b(text)).put(b("#####"));
    ((Buffer) buffer).position(3).limit(3 + size);
    return buffer;
  }

  /** The text behind two other bytes. */
  static byte[] padded(final String text) {
    return b("##" + text + "#");
  }

  static List<byte[]> list(final String... texts) {
    final List<byte[]> bytes = new ArrayList<>();
    for (final String text : texts) {
      bytes.add(b(text));
    }
    return bytes;
  }
}
