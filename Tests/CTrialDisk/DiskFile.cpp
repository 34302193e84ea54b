#include "DiskFile.hpp"

#include <algorithm>

namespace hoga::trial {

/// Disks write sectors of this size as a whole.
constexpr size_t sector_bytes = 512;

uint64_t Random::next() {
    state += 0x9e3779b97f4a7c15;
    uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
}

DiskFile::DiskFile(std::optional<Bytes> contents) { stages.push_back({std::move(contents), {}}); }

void DiskFile::create() { stages.push_back({Bytes{}, {}}); }

void DiskFile::write(size_t offset, const unsigned char *bytes, size_t count) {
    stages.back().changes.push_back({false, offset, Bytes(bytes, bytes + count)});
}

void DiskFile::truncate(size_t size) { stages.back().changes.push_back({true, size, {}}); }

void DiskFile::remove() { stages.push_back({std::nullopt, {}}); }

void DiskFile::sync() {
    Stage &present = stages.back();
    if (present.durable) {
        for (const Change &change : present.changes) {
            apply(change, change.bytes.size(), *present.durable);
        }
    }
    present.changes.clear();
}

void DiskFile::sync_name() { stages.erase(stages.begin(), stages.end() - 1); }

void DiskFile::lose(Random &random, Losses &losses) {
    const Share kept = share(random);
    const size_t last = stages.size() - 1;
    size_t chosen = last;
    if (kept == Share::none) chosen = 0;
    if (kept == Share::some) chosen = random.below(stages.size());
    losses.lost_names += static_cast<int64_t>(last - chosen);
    settle(stages[chosen], kept, random, losses);
    stages = {stages[chosen]};
}

const std::optional<Bytes> &DiskFile::contents() const { return stages.front().durable; }

DiskFile::Share DiskFile::share(Random &random) {
    switch (random.below(4)) {
    case 0: return Share::all;
    case 1: return Share::none;
    default: return Share::some;
    }
}

void DiskFile::apply(const Change &change, size_t count, Bytes &bytes) {
    if (change.is_truncation) {
        bytes.resize(std::min(bytes.size(), change.offset));
        return;
    }
    if (count == 0) return;
    bytes.resize(std::max(bytes.size(), change.offset + count));
    std::copy_n(
        change.bytes.begin(), count, bytes.begin() + static_cast<ptrdiff_t>(change.offset));
}

void DiskFile::settle(Stage &stage, Share share, Random &random, Losses &losses) {
    if (!stage.durable) return;
    for (const Change &change : stage.changes) {
        const size_t whole = change.bytes.size();
        size_t kept = whole;
        // One in three is on the disk, one is missing, and of one the first sectors are there.
        const size_t fate = share == Share::all ? 0 : share == Share::none ? 1 : random.below(3);
        if (fate == 1 && change.is_truncation) continue;
        if (fate == 1) kept = 0;
        if (fate == 2 && whole > 0) {
            const size_t end = change.offset + random.below(whole);
            const size_t sector = end - end % sector_bytes;
            kept = sector > change.offset ? sector - change.offset : 0;
        }
        apply(change, kept, *stage.durable);
        if (kept == whole) continue;
        (kept == 0 ? losses.lost_writes : losses.torn_writes) += 1;
    }
    stage.changes.clear();
}

}  // namespace hoga::trial
