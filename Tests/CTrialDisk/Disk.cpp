#include "Disk.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace hoga::trial {

Disk::Disk(int64_t number, uint64_t seed, bool has_shared_memory, bool lies)
    : real(sqlite3_vfs_find(nullptr)),
      has_shared_memory(has_shared_memory),
      lies(lies),
      random(seed),
      name("hoga-trial-" + std::to_string(number)) {}

Disk::~Disk() { sqlite3_vfs_unregister(&vfs); }

bool Disk::add() {
    if (real == nullptr) return false;
    vfs.zName = name.c_str();
    set_methods(vfs, *this);
    return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
}

void Disk::arm(hoga_disk_event fault, int64_t after, int64_t times) {
    plans[fault] = {after, times};
}

void Disk::disarm() {
    for (Plan &plan : plans) plan = {};
}

bool Disk::begin(hoga_disk_event call) {
    note(call);
    if (!is_off && fails(hoga_disk_power)) is_off = true;
    if (is_off) error_number = errno = EIO;
    return !is_off;
}

bool Disk::fails(hoga_disk_event fault) {
    Plan &plan = plans[fault];
    if (plan.times == 0) return false;
    if (plan.after > 0) {
        plan.after -= 1;
        return false;
    }
    plan.times -= 1;
    counts[fault] += 1;
    note(0x100 + static_cast<uint64_t>(fault));
    error_number = errno = fault == hoga_disk_full ? ENOSPC : EIO;
    return true;
}

DiskFile *Disk::find(const char *name) {
    const auto found = files.find(name);
    return found == files.end() ? nullptr : &found->second;
}

DiskFile *Disk::add(const char *name, std::optional<Bytes> contents) {
    return &files.emplace(name, DiskFile(std::move(contents))).first->second;
}

void Disk::sync_names() {
    for (auto &[path, file] : files) file.sync_name();
}

void Disk::note(uint64_t number) { digest = (digest ^ number) * 0x100000001b3; }

void Disk::count(const Losses &losses) {
    counts[hoga_disk_lost_writes] += losses.lost_writes;
    counts[hoga_disk_torn_writes] += losses.torn_writes;
    counts[hoga_disk_lost_names] += losses.lost_names;
}

void Disk::restart() {
    for (auto &[path, file] : files) {
        Losses losses;
        file.lose(random, losses);
        count(losses);
        const std::optional<Bytes> &contents = file.contents();
        if (!contents) {
            unlink(path.c_str());
            continue;
        }
        // The same inode, as after a restart.
        std::FILE *const stream = std::fopen(path.c_str(), "wb");
        if (stream == nullptr) std::abort();
        const size_t written = std::fwrite(contents->data(), 1, contents->size(), stream);
        if (std::fclose(stream) != 0 || written != contents->size()) std::abort();
    }
    disarm();
    is_off = false;
}

namespace {

std::mutex disks_lock;
std::map<int64_t, std::unique_ptr<Disk>> disks;
int64_t last_number = 0;

Disk &found(int64_t number) {
    const std::lock_guard<std::mutex> guard(disks_lock);
    return *disks.at(number);
}

}  // namespace

}  // namespace hoga::trial

using namespace hoga::trial;

extern "C" int64_t hoga_disk_make(uint64_t seed, int has_shared_memory, int lies) {
    const std::lock_guard<std::mutex> guard(disks_lock);
    if (sqlite3_initialize() != SQLITE_OK) return -1;
    const int64_t number = ++last_number;
    auto disk = std::make_unique<Disk>(number, seed, has_shared_memory != 0, lies != 0);
    if (!disk->add()) return -1;
    disks.emplace(number, std::move(disk));
    return number;
}

extern "C" int64_t hoga_disk_free(int64_t disk) {
    const int64_t open_files = found(disk).open_files;
    const std::lock_guard<std::mutex> guard(disks_lock);
    if (open_files == 0) disks.erase(disk);
    return open_files;
}

extern "C" void hoga_disk_arm(
    int64_t disk, hoga_disk_event fault, int64_t after, int64_t times) {
    found(disk).arm(fault, after, times);
}

extern "C" void hoga_disk_disarm(int64_t disk) { found(disk).disarm(); }

extern "C" int hoga_disk_is_off(int64_t disk) { return found(disk).is_off; }

extern "C" int64_t hoga_disk_restart(int64_t disk) {
    Disk &restarted = found(disk);
    if (restarted.open_files == 0) restarted.restart();
    return restarted.open_files;
}

extern "C" int64_t hoga_disk_count(int64_t disk, hoga_disk_event event) {
    return found(disk).counts[event];
}

extern "C" uint64_t hoga_disk_digest(int64_t disk) { return found(disk).digest; }
