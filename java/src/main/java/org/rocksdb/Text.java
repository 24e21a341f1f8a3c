package org.rocksdb;

import java.nio.charset.StandardCharsets;

/** Text as the engine has it: UTF-8. */
final class Text {
  private Text() {}

  static byte[] utf8(final String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] utf8OrNull(final String text) {
    return text == null ? null : utf8(text);
  }

  static String of(final byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
