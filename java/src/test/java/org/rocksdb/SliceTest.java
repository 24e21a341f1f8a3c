package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.direct;
import static org.rocksdb.Bytes.s;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices over arrays and over direct buffers. */
class SliceTest {
  private static AbstractSlice<?> make(final boolean isDirect, final String text) {
    return isDirect ? new DirectSlice(direct(text)) : new Slice(text);
  }

  @ParameterizedTest
  @CsvSource({"true,''", "true,a", "true,some text", "false,''", "false,a", "false,some text",
      "false,\u00e9\ud83d\ude00", "true,\u00e9\ud83d\ude00"})
  void isItsText(final boolean isDirect, final String text) {
    try (AbstractSlice<?> slice = make(isDirect, text)) {
      assertEquals(text, slice.toString());
      assertEquals(b(text).length, slice.size());
      assertEquals(text.isEmpty(), slice.empty());
      final StringBuilder hex = new StringBuilder();
      for (final byte each : b(text)) {
        hex.append(String.format("%02X", each));
      }
      assertEquals(hex.toString(), slice.toString(true));
    }
  }

  @ParameterizedTest
  @CsvSource({"true,a,b", "true,a,aa", "true,'',a", "true,a,\u00e9", "false,a,b", "false,a,aa",
      "false,'',a", "false,a,\u00e9"})
  void isOrderedAsBytesAre(final boolean isDirect, final String less, final String more) {
    try (AbstractSlice<?> a = make(isDirect, less); AbstractSlice<?> b = make(isDirect, more);
         AbstractSlice<?> same = make(!isDirect, less)) {
      assertTrue(a.compare(b) < 0);
      assertTrue(b.compare(a) > 0);
      assertEquals(0, a.compare(same));
      assertEquals(a, same);
      assertEquals(a.hashCode(), same.hashCode());
      assertNotEquals(a, b);
      assertNotEquals(a, "text");
    }
  }

  @ParameterizedTest
  @CsvSource({"true,matchpoint,match,true", "true,matchpoint,'',true", "true,ma,match,false",
      "true,matchpoint,mitch,false", "false,matchpoint,match,true", "false,matchpoint,'',true",
      "false,ma,match,false", "false,matchpoint,mitch,false"})
  void beginsWith(
      final boolean isDirect, final String text, final String prefix, final boolean expected) {
    try (AbstractSlice<?> slice = make(isDirect, text);
         AbstractSlice<?> start = new Slice(prefix)) {
      assertEquals(expected, slice.startsWith(start));
      assertFalse(slice.startsWith(null));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void losesItsBeginning(final boolean isDirect) {
    try (AbstractSlice<?> slice = make(isDirect, "abcdef")) {
      slice.removePrefix(2);
      assertEquals("cdef", slice.toString());
      slice.removePrefix(0);
      slice.removePrefix(4);
      assertTrue(slice.empty());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isClearedTwice(final boolean isDirect) {
    try (AbstractSlice<?> slice = make(isDirect, "abc")) {
      slice.clear();
      assertTrue(slice.empty());
      assertEquals("", slice.toString());
      slice.clear();
      assertTrue(slice.empty());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isClosedTwice(final boolean isDirect) {
    final AbstractSlice<?> slice = make(isDirect, "abc");
    slice.close();
    slice.close();
    DatabaseTest.assertClosed(slice::size);
    DatabaseTest.assertClosed(slice::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void beginsInTheMiddleOfAnArray(final int offset) {
    try (Slice slice = new Slice(b("abc"), offset)) {
      assertEquals("abc".substring(offset), slice.toString());
      assertArrayEquals(b("abc".substring(offset)), slice.data());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4})
  void beginsOutsideOfTheArray(final int offset) {
    assertThrows(IndexOutOfBoundsException.class, () -> new Slice(b("abc"), offset));
  }

  @Test
  void copiesAnArray() {
    final byte[] bytes = {0, 1, 0};
    try (Slice slice = new Slice(bytes)) {
      bytes[1] = 9;
      assertArrayEquals(new byte[] {0, 1, 0}, slice.data());
    }
  }

  @Test
  void seesABuffer() {
    final ByteBuffer buffer = direct("abc");
    try (DirectSlice slice = new DirectSlice(buffer, 2)) {
      assertEquals("ab", slice.toString());
      buffer.put(0, (byte) 'x');
      assertEquals("xb", slice.toString());
      assertEquals('x', slice.get(0));
      assertEquals("xb", s(slice.data()));
      slice.setLength(1);
      assertEquals("x", slice.toString());
      assertThrows(IndexOutOfBoundsException.class, () -> slice.get(5));
      assertThrows(IndexOutOfBoundsException.class, () -> slice.get(-1));
    }
  }

  @Test
  void seesTheTextInABuffer() {
    final ByteBuffer buffer = direct("some\0more");
    ((java.nio.Buffer) buffer).position(2).limit(3);
    try (DirectSlice text = new DirectSlice(buffer);
         DirectSlice all = new DirectSlice(buffer, 9);
         DirectSlice given = new DirectSlice("a\0b");
         DirectSlice none = new DirectSlice(ByteBuffer.allocateDirect(4))) {
      assertEquals("some", text.toString());
      assertEquals("some\0more", all.toString());
      assertEquals(3, given.size());
      assertTrue(none.empty());
      buffer.put(0, (byte) 'S');
      assertEquals("Some", s(text.data()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4})
  void isNotLongerThanItsBuffer(final int size) {
    assertThrows(IndexOutOfBoundsException.class, () -> new DirectSlice(direct("abc"), size));
  }

  @Test
  void isOfNoHeapBuffer() {
    assertThrows(
        IllegalArgumentException.class, () -> new DirectSlice(ByteBuffer.allocate(3), 3));
  }

  @Test
  void removesNoMoreThanThereIs() {
    try (Slice slice = new Slice("abc")) {
      assertThrows(RuntimeException.class, () -> slice.removePrefix(4));
      assertThrows(RuntimeException.class, () -> slice.removePrefix(-1));
      assertEquals("abc", slice.toString());
    }
  }
}
