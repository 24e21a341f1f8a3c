#include "db_stress_tool/row_table.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

void AppendBig(uint32_t number, std::string* text) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    text->push_back(static_cast<char>(number >> shift & 0xff));
  }
}

void AppendLittle(uint32_t number, std::string* text) {
  for (int shift = 0; shift < 32; shift += 8) {
    text->push_back(static_cast<char>(number >> shift & 0xff));
  }
}

uint32_t BigAt(const Slice& text, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<uint8_t>(text[at + i]);
  }
  return number;
}

uint32_t LittleAt(const Slice& text, size_t at) {
  uint32_t number = 0;
  for (size_t i = 4; i > 0; --i) {
    number = number << 8 | static_cast<uint8_t>(text[at + i - 1]);
  }
  return number;
}

// CRC-32C, bit by bit: the engine's own is not to judge the engine.
uint32_t Checksum(const Slice& text) {
  constexpr uint32_t kPolynomial = 0x82f63b78;  // reflected
  uint32_t crc = ~uint32_t{0};
  for (size_t i = 0; i < text.size(); ++i) {
    crc ^= static_cast<uint8_t>(text[i]);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? crc >> 1 ^ kPolynomial : crc >> 1;
    }
  }
  return ~crc;
}

}  // namespace

std::string TablePrefix(TableIndex index) {
  std::string prefix;
  AppendBig(static_cast<uint32_t>(index), &prefix);
  return prefix;
}

std::string PrimaryKey(uint32_t a) {
  std::string key = TablePrefix(TableIndex::kPrimary);
  AppendBig(a, &key);
  return key;
}

std::string PrimaryValue(const TableRow& row) {
  std::string value;
  AppendLittle(row.b, &value);
  AppendLittle(row.c, &value);
  return value;
}

std::string SecondaryPrefix(uint32_t c) {
  std::string key = TablePrefix(TableIndex::kSecondary);
  AppendBig(c, &key);
  return key;
}

std::string SecondaryKey(uint32_t c, uint32_t a) {
  std::string key = SecondaryPrefix(c);
  AppendBig(a, &key);
  return key;
}

std::string SecondaryValue(const Slice& secondary_key) {
  std::string value;
  AppendLittle(Checksum(secondary_key), &value);
  return value;
}

std::optional<TableRow> ParsePrimary(const Slice& key, const Slice& value) {
  if (key.size() != 8 || value.size() != 8 ||
      BigAt(key, 0) != static_cast<uint32_t>(TableIndex::kPrimary)) {
    return std::nullopt;
  }
  return TableRow{BigAt(key, 4), LittleAt(value, 0), LittleAt(value, 4)};
}

std::optional<TableRow> ParseSecondary(const Slice& key, const Slice& value) {
  if (key.size() != 12 || value != SecondaryValue(key) ||
      BigAt(key, 0) != static_cast<uint32_t>(TableIndex::kSecondary)) {
    return std::nullopt;
  }
  return TableRow{BigAt(key, 8), 0, BigAt(key, 4)};
}

}  // namespace ROCKSDB_NAMESPACE::stress
