// mixgraph: lookups, writes and scans as a database in use has them.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "rocksdb/iterator.h"
#include "tools/db_bench/access_model.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"
#include "tools/db_bench/sine_rate.h"

DEFINE_double(mix_get_ratio, 1.0, "Share of lookups in mixgraph.");
DEFINE_double(mix_put_ratio, 0.0, "Share of writes in mixgraph.");
DEFINE_double(mix_seek_ratio, 0.0, "Share of scans in mixgraph.");
DEFINE_int64(mix_accesses, -1,
             "Operations of each thread of mixgraph. Negative: --reads.");
DEFINE_int64(mix_max_scan_len, 10000, "Most entries that it reads in a scan.");
DEFINE_int64(mix_max_value_size, 1024, "Largest value that it writes.");
DEFINE_double(keyrange_dist_a, 0.0,
              "a of the weight a * exp(b x) + c * exp(d x) of its x-th range "
              "of keys.");
DEFINE_double(keyrange_dist_b, 0.0, "b of that weight.");
DEFINE_double(keyrange_dist_c, 0.0, "c of that weight.");
DEFINE_double(keyrange_dist_d, 0.0, "d of that weight.");
DEFINE_int64(keyrange_num, 1, "Ranges of keys that it draws from.");
DEFINE_double(key_dist_a, 0.0,
              "a of the distribution a * x^b of keys in a range. 0: all "
              "alike.");
DEFINE_double(key_dist_b, 0.0, "b of that distribution.");
DEFINE_double(value_theta, 0.0,
              "Least of its generalised Pareto distribution "
              "of value sizes.");
DEFINE_double(value_k, 0.2615, "Shape of that distribution.");
DEFINE_double(value_sigma, 25.45, "Scale of that distribution.");
DEFINE_double(iter_theta, 0.0,
              "Least of its generalised Pareto distribution "
              "of the lengths of scans.");
DEFINE_double(iter_k, 2.517, "Shape of that distribution.");
DEFINE_double(iter_sigma, 14.236, "Scale of that distribution.");
DEFINE_bool(sine_mix_rate, false,
            "mixgraph does so many operations a second as a sine says: "
            "--sine_a and its kin.");
DEFINE_uint64(sine_mix_rate_interval_milliseconds, 10000,
              "How often that rate is set anew.");
DEFINE_double(sine_mix_rate_noise, 0.0,
              "Up to this part of it more or less, from 0 to 1.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Status CheckMix() {
  for (const double share :
       {FLAGS_mix_get_ratio, FLAGS_mix_put_ratio, FLAGS_mix_seek_ratio}) {
    if (!(share >= 0)) {
      return Status::InvalidArgument("--mix_*_ratio", "must not be negative");
    }
  }
  if (!(FLAGS_mix_get_ratio + FLAGS_mix_put_ratio + FLAGS_mix_seek_ratio > 0)) {
    return Status::InvalidArgument("--mix_*_ratio", "all of them are 0");
  }
  if (FLAGS_mix_max_scan_len < 1 || FLAGS_mix_max_value_size < 10 ||
      FLAGS_keyrange_num < 1) {
    return Status::InvalidArgument(
        "--mix_max_scan_len, --mix_max_value_size, --keyrange_num",
        "must be at least 1, 10 and 1");
  }
  if (!(FLAGS_sine_mix_rate_noise >= 0 && FLAGS_sine_mix_rate_noise <= 1)) {
    return Status::InvalidArgument("--sine_mix_rate_noise",
                                   "must be from 0 to 1");
  }
  return Status::OK();
}

class Mix {
 public:
  explicit Mix(Worker& worker)
      : worker_(worker),
        key_(worker.MakeKeyBuffer()),
        values_(worker.value_shape, worker.random.Next()),
        keys_(worker.KeyCount(), static_cast<uint64_t>(FLAGS_keyrange_num)),
        rate_(FLAGS_sine_mix_rate, FLAGS_sine_mix_rate_interval_milliseconds) {
    keys_.power_a = FLAGS_key_dist_a;
    keys_.power_b = FLAGS_key_dist_b;
    if (FLAGS_keyrange_dist_a != 0 || FLAGS_keyrange_dist_b != 0 ||
        FLAGS_keyrange_dist_c != 0 || FLAGS_keyrange_dist_d != 0) {
      // All threads have the same hot ranges.
      Random random(static_cast<uint64_t>(FLAGS_keyrange_num));
      keys_.SetWeights(FLAGS_keyrange_dist_a, FLAGS_keyrange_dist_b,
                       FLAGS_keyrange_dist_c, FLAGS_keyrange_dist_d, &random);
    }
    constexpr uint64_t kLeastValue = 10;
    value_sizes_ = {FLAGS_value_theta, FLAGS_value_k, FLAGS_value_sigma,
                    kLeastValue,
                    static_cast<uint64_t>(FLAGS_mix_max_value_size)};
    scan_lengths_ = {FLAGS_iter_theta, FLAGS_iter_k, FLAGS_iter_sigma, 1,
                     static_cast<uint64_t>(FLAGS_mix_max_scan_len)};
  }

  Status DoOne() {
    rate_.Follow(&worker_.shared->read_pacer, FLAGS_sine_mix_rate_noise,
                 &worker_.random);
    worker_.WaitToRead(1);
    const uint64_t number = keys_.Draw(&worker_.random);
    const Slice name = key_.Make(number);
    const Target target = worker_.At(number);
    double dice =
        worker_.random.Fraction() *
        (FLAGS_mix_get_ratio + FLAGS_mix_put_ratio + FLAGS_mix_seek_ratio);
    if (dice < FLAGS_mix_get_ratio) return Get(target, name);
    dice -= FLAGS_mix_get_ratio;
    return dice < FLAGS_mix_put_ratio ? Put(target, name) : Scan(target, name);
  }

  std::string Message() const {
    const auto average = [](uint64_t sum, uint64_t count) {
      return count == 0 ? 0.0
                        : static_cast<double>(sum) / static_cast<double>(count);
    };
    return Format(
        "( Gets:%llu Puts:%llu Seek:%llu, reads %llu in %llu found, avg size: "
        "%.1f value, %.1f scan)",
        Printable(gets_), Printable(puts_), Printable(seeks_),
        Printable(found_), Printable(gets_), average(value_bytes_, puts_),
        average(scanned_, seeks_));
  }

 private:
  Status Get(const Target& target, const Slice& name) {
    ++gets_;
    value_.Reset();
    Status s = target.db->Get(worker_.ReadsNow(), target.family, name, &value_);
    if (worker_.EndsWith(s)) return s;
    if (s.ok()) {
      ++found_;
      worker_.stats.AddBytes(name.size() + value_.size());
    }
    worker_.stats.Finished(1, Operation::kRead);
    return Status::OK();
  }

  Status Put(const Target& target, const Slice& name) {
    ++puts_;
    const Slice value =
        values_.Next(static_cast<uint32_t>(value_sizes_.Draw(&worker_.random)));
    value_bytes_ += value.size();
    const uint64_t bytes = name.size() + value.size();
    worker_.shared->write_pacer.Wait(bytes);
    Status s = worker_.Put(target, name, value);
    if (!s.ok()) return s;
    worker_.stats.AddBytes(bytes);
    worker_.stats.Finished(1, Operation::kWrite);
    return s;
  }

  Status Scan(const Target& target, const Slice& name) {
    ++seeks_;
    const uint64_t length = scan_lengths_.Draw(&worker_.random);
    const Cursor entry(worker_, target, worker_.read_options);
    uint64_t read = 0;
    for (entry->Seek(name); entry->Valid() && read < length; entry->Next()) {
      ++read;
      worker_.stats.AddBytes(entry->key().size() + entry->value().size());
    }
    scanned_ += read;
    if (worker_.EndsWith(entry->status())) return entry->status();
    worker_.stats.Finished(1, Operation::kSeek);
    return Status::OK();
  }

  Worker& worker_;
  KeyBuffer key_;
  ValueGenerator values_;
  KeyModel keys_;
  SineRate rate_;
  SizeModel value_sizes_;
  SizeModel scan_lengths_;
  PinnableSlice value_;
  uint64_t gets_ = 0;
  uint64_t puts_ = 0;
  uint64_t seeks_ = 0;
  uint64_t found_ = 0;
  uint64_t value_bytes_ = 0;
  uint64_t scanned_ = 0;
};

Status MixGraph(Worker& worker) {
  if (Status s = CheckMix(); !s.ok()) return s;
  Mix mix(worker);
  Budget budget(static_cast<uint64_t>(
                    FLAGS_mix_accesses < 0 ? ReadCount() : FLAGS_mix_accesses),
                Budget::Limit::kOperationsOrDuration);
  while (budget.Take(1)) {
    if (Status s = mix.DoOne(); !s.ok()) return s;
  }
  worker.stats.SetMessage(mix.Message());
  return Status::OK();
}

}  // namespace

std::vector<Benchmark> MixGraphBenchmarks() {
  return {{.name = "mixgraph", .run = MixGraph}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
