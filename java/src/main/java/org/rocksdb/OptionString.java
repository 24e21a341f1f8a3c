package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** Options as text: name=value pairs with ; between them, values with parts in braces. */
public class OptionString {
  /** Nothing to hold. */
  public OptionString() {}

  /** A value: a list of text, or pairs in braces. */
  static final class Value {
    final List<String> list;
    final List<Entry> pairs;

    private Value(final List<String> list, final List<Entry> pairs) {
      this.list = list;
      this.pairs = pairs;
    }

    static Value ofList(final List<String> list) {
      return new Value(list, null);
    }

    static Value ofPairs(final List<Entry> pairs) {
      return new Value(null, pairs);
    }

    boolean isList() {
      return list != null;
    }

    @Override
    public String toString() {
      if (isList()) {
        return String.join(":", list);
      }
      final StringBuilder text = new StringBuilder("{");
      for (final Entry each : pairs) {
        text.append(each).append(';');
      }
      return text.append('}').toString();
    }
  }

  /** A name and its value. */
  static final class Entry {
    final String key;
    final Value value;

    Entry(final String key, final Value value) {
      this.key = key;
      this.value = value;
    }

    @Override
    public String toString() {
      return key + "=" + value;
    }
  }

  /** Reads text. */
  static final class Parser {
    /** What cannot be read. */
    static final class Exception extends RuntimeException {
      private static final long serialVersionUID = 1L;

      Exception(final String message) {
        super(message);
      }
    }

    private final String text;
    private int at;

    private Parser(final String text) {
      this.text = text;
    }

    static List<Entry> parse(final String text) {
      final Parser parser = new Parser(text);
      final List<Entry> entries = parser.entries();
      if (parser.at < text.length()) {
        throw parser.wrong("unexpected text");
      }
      return entries;
    }

    private Exception wrong(final String what) {
      return new Exception(what + " at position " + at + " of: " + text);
    }

    private char peek() {
      return at < text.length() ? text.charAt(at) : '\0';
    }

    private void skipBlanks() {
      while (Character.isWhitespace(peek())) {
        at++;
      }
    }

    private boolean take(final char wanted) {
      skipBlanks();
      if (peek() != wanted || at >= text.length()) {
        return false;
      }
      at++;
      return true;
    }

    private List<Entry> entries() {
      final List<Entry> entries = new ArrayList<>();
      skipBlanks();
      while (at < text.length() && peek() != '}') {
        entries.add(entry());
        if (!take(';')) {
          break;
        }
        skipBlanks();
      }
      return entries;
    }

    private Entry entry() {
      final int begin = at;
      while (Character.isLetterOrDigit(peek()) || peek() == '_' || peek() == '.') {
        at++;
      }
      final String key = text.substring(begin, at);
      if (key.isEmpty()) {
        throw wrong("a name is missing");
      }
      if (!take('=')) {
        throw wrong("no = behind a name");
      }
      return new Entry(key, value());
    }

    private Value value() {
      skipBlanks();
      if (peek() == '{' && holdsPairs()) {
        at++;
        final List<Entry> pairs = entries();
        if (!take('}')) {
          throw wrong("no } behind values");
        }
        return Value.ofPairs(pairs);
      }
      final List<String> list = new ArrayList<>();
      skipBlanks();
      if (at >= text.length() || peek() == ';' || peek() == '}') {
        return Value.ofList(list);
      }
      do {
        skipBlanks();
        list.add(item());
      } while (take(':'));
      skipBlanks();
      if (at < text.length() && peek() != ';' && peek() != '}') {
        throw wrong("unexpected text");
      }
      return Value.ofList(list);
    }

    // Whether what is in the braces is pairs, or an item of a list.
    private boolean holdsPairs() {
      for (int i = at + 1; i < text.length(); i++) {
        final char each = text.charAt(i);
        if (each == '=') {
          return true;
        }
        if (each == '}' || each == '{') {
          return each == '}' && i == at + 1;
        }
      }
      return false;
    }

    private String item() {
      if (take('{')) {
        final int begin = at;
        for (int depth = 1; depth > 0; at++) {
          if (at >= text.length()) {
            throw wrong("no } behind a value");
          }
          depth += peek() == '{' ? 1 : peek() == '}' ? -1 : 0;
        }
        return text.substring(begin, at - 1);
      }
      final StringBuilder item = new StringBuilder();
      while (at < text.length() && ";:}".indexOf(peek()) < 0
          && !Character.isWhitespace(peek())) {
        if (peek() == '\\' && at + 1 < text.length()) {
          at++;
        }
        item.append(peek());
        at++;
      }
      return item.toString();
    }
  }
}
