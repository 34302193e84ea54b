// The contents of a file on a disk, and the writes to it that were not synced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hoga::trial {

using Bytes = std::vector<unsigned char>;

/// Random numbers from a seed: SplitMix64.
class Random {
public:
    explicit Random(uint64_t seed) : state(seed) {}

    uint64_t next();

    /// A number from 0 up to a limit.
    size_t below(size_t limit) { return limit == 0 ? 0 : next() % limit; }

private:
    uint64_t state;
};

/// The counts of writes and names that a loss of power lost.
struct Losses {
    int64_t lost_writes = 0;
    int64_t torn_writes = 0;
    int64_t lost_names = 0;
};

/// A file by its name.
///
/// Names reach the disk in order, and contents in any order. A write is lost as a whole or from
/// some sector on; bytes beside it stay as they are (SQLITE_IOCAP_POWERSAFE_OVERWRITE).
class DiskFile {
public:
    /// A file with contents on the disk, or a name without a file.
    explicit DiskFile(std::optional<Bytes> contents);

    void create();
    void write(size_t offset, const unsigned char *bytes, size_t count);
    void truncate(size_t size);
    void remove();

    /// The disk holds all changes of the present file.
    void sync();
    /// The disk holds the name: it leads to the present file, or to none.
    void sync_name();
    /// A loss of power: some changes are on the disk.
    void lose(Random &random, Losses &losses);
    /// The contents under the name after a loss of power; none without a file.
    const std::optional<Bytes> &contents() const;

private:
    struct Change {
        bool is_truncation;
        size_t offset;
        Bytes bytes;
    };
    struct Stage {
        /// None where the name leads to no file.
        std::optional<Bytes> durable;
        std::vector<Change> changes;
    };
    enum class Share { all, none, some };

    static Share share(Random &random);
    static void apply(const Change &change, size_t count, Bytes &bytes);
    static void settle(Stage &stage, Share share, Random &random, Losses &losses);

    /// The present stage is the last one; the disk knows the first one.
    std::vector<Stage> stages;
};

}  // namespace hoga::trial
