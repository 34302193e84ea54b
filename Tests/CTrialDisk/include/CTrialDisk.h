// Disks of trials, as VFS of SQLite: https://sqlite.org/vfs.html (seen 2026-11-27).
//
// A disk shims SQLite's default VFS, so that its files are real ones. For `hoga.sqlite`, its
// write-ahead log and its rollback journal it also knows what would survive a loss of power: a file
// as of its last sync, and any of the later changes. Calls fail on demand. A disk is used by one
// call at a time. SQLite opens files on it by the name `hoga-trial-` and its number.
#ifndef HOGA_TRIAL_DISK_H
#define HOGA_TRIAL_DISK_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The faults and losses that a disk counts. Those up to `power` may be demanded.
typedef enum {
    /// A read that returns an error.
    hoga_disk_read,
    /// A read that fills a part of the buffer and then returns an error.
    hoga_disk_short_read,
    /// A write that ends anywhere with an error.
    hoga_disk_write,
    /// A write that ends anywhere because the disk is full.
    hoga_disk_full,
    /// A sync that returns an error; the next one writes the same changes.
    hoga_disk_sync,
    /// A failed truncation.
    hoga_disk_truncate,
    /// A failed removal of a file.
    hoga_disk_delete,
    /// A file that cannot be opened.
    hoga_disk_open,
    /// A file whose size cannot be read.
    hoga_disk_size,
    /// A lock that another process holds.
    hoga_disk_lock,
    /// Shared memory that cannot be mapped.
    hoga_disk_memory,
    /// A loss of power: every call fails until the restart.
    hoga_disk_power,
    /// Writes that a loss of power lost.
    hoga_disk_lost_writes,
    /// Writes of which it kept the first sectors.
    hoga_disk_torn_writes,
    /// Created and removed files whose names it lost.
    hoga_disk_lost_names,
    hoga_disk_event_count
} hoga_disk_event;

/// Makes a disk.
///
/// `seed` decides what survives. Without shared memory SQLite has no write-ahead log. A disk that
/// lies acknowledges a sync without having written anything. Returns its number, or -1.
int64_t hoga_disk_make(uint64_t seed, int has_shared_memory, int lies);

/// Frees a disk; returns the number of its open files, and frees nothing unless that is 0.
int64_t hoga_disk_free(int64_t disk);

/// Makes `times` calls fail, after so many calls that could fail in this way.
void hoga_disk_arm(int64_t disk, hoga_disk_event fault, int64_t after, int64_t times);

/// Ends all faults but a loss of power.
void hoga_disk_disarm(int64_t disk);

/// Whether the power was lost.
int hoga_disk_is_off(int64_t disk);

/// Ends a loss of power: the files become what the disk holds. Ends all faults.
///
/// Returns the number of open files, and changes nothing unless that is 0.
int64_t hoga_disk_restart(int64_t disk);

/// How often an event happened.
int64_t hoga_disk_count(int64_t disk, hoga_disk_event event);

/// A digest of all calls in order; equal trials have equal ones.
uint64_t hoga_disk_digest(int64_t disk);

#ifdef __cplusplus
}
#endif
#endif
