// A disk: its files, the faults that were demanded, and its VFS.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <string>

#include "CTrialDisk.h"
#include "DiskFile.hpp"

namespace hoga::trial {

/// A disk with a registered VFS.
class Disk {
public:
    Disk(int64_t number, uint64_t seed, bool has_shared_memory, bool lies);
    ~Disk();
    Disk(const Disk &) = delete;
    Disk &operator=(const Disk &) = delete;

    /// Registers the VFS; false without memory.
    bool add();

    void arm(hoga_disk_event fault, int64_t after, int64_t times);
    void disarm();
    /// Makes the files what the disk holds; they are closed.
    void restart();

    /// Begins a call that a loss of power fails; false without power.
    bool begin(hoga_disk_event call);
    /// Whether a call that could fail in this way does.
    bool fails(hoga_disk_event fault);
    /// The file of a name whose durability is known; nullptr for others.
    DiskFile *find(const char *name);
    /// Begins to know a file that may exist.
    DiskFile *add(const char *name, std::optional<Bytes> contents);
    /// A sync of the folder: the disk holds all names.
    void sync_names();
    /// Adds a number to the digest of the calls.
    void note(uint64_t number);
    void count(const Losses &losses);

    sqlite3_vfs *const real;
    const bool has_shared_memory;
    const bool lies;
    Random random;
    bool is_off = false;
    int64_t open_files = 0;
    int64_t counts[hoga_disk_event_count] = {};
    uint64_t digest = 0xcbf29ce484222325;
    /// The errno of the last fault.
    int error_number = 0;

private:
    struct Plan {
        int64_t after = 0;
        int64_t times = 0;
    };

    Plan plans[hoga_disk_event_count] = {};
    std::map<std::string, DiskFile> files;
    std::string name;
    sqlite3_vfs vfs = {};
};

/// Fills in the methods of a VFS whose application data is a disk.
void set_methods(sqlite3_vfs &vfs, Disk &disk);

}  // namespace hoga::trial
