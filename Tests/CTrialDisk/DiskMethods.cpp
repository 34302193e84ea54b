// The methods of a disk's VFS: each may fail, tells the disk what it changes, and is then the
// default VFS's own. Calls that release something never fail.

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "Disk.hpp"

namespace hoga::trial {

namespace {

/// An open file, followed by that of the default VFS.
struct OpenFile {
    sqlite3_file base;
    Disk *disk;
    /// nullptr if its durability does not matter.
    DiskFile *durable;
    /// Whether the next sync is one of the folder, too: the first one of a log or a journal.
    bool syncs_folder;

    sqlite3_file *real() { return reinterpret_cast<sqlite3_file *>(this + 1); }
    const sqlite3_io_methods &methods() { return *real()->pMethods; }
};

OpenFile &opened(sqlite3_file *file) { return *reinterpret_cast<OpenFile *>(file); }

Disk &disk_of(sqlite3_vfs *vfs) { return *static_cast<Disk *>(vfs->pAppData); }

const unsigned char *bytes_of(const void *data) {
    return static_cast<const unsigned char *>(data);
}

// MARK: Contents

int close(sqlite3_file *file) {
    OpenFile &open = opened(file);
    open.disk->open_files -= 1;
    return open.methods().xClose(open.real());
}

int read(sqlite3_file *file, void *data, int count, sqlite3_int64 offset) {
    OpenFile &open = opened(file);
    if (!open.disk->begin(hoga_disk_read)) return SQLITE_IOERR_READ;
    if (open.disk->fails(hoga_disk_read)) return SQLITE_IOERR_READ;
    if (open.disk->fails(hoga_disk_short_read)) {
        const size_t part = open.disk->random.below(static_cast<size_t>(count));
        open.methods().xRead(open.real(), data, static_cast<int>(part), offset);
        return SQLITE_IOERR_READ;
    }
    return open.methods().xRead(open.real(), data, count, offset);
}

int write_part(OpenFile &open, const void *data, size_t count, sqlite3_int64 offset) {
    const int code = open.methods().xWrite(open.real(), data, static_cast<int>(count), offset);
    if (code == SQLITE_OK && open.durable != nullptr) {
        open.durable->write(static_cast<size_t>(offset), bytes_of(data), count);
    }
    return code;
}

int write(sqlite3_file *file, const void *data, int count, sqlite3_int64 offset) {
    OpenFile &open = opened(file);
    Disk &disk = *open.disk;
    const auto length = static_cast<size_t>(count);
    const bool was_off = disk.is_off;
    disk.note(static_cast<uint64_t>(offset) * 0x10000 + length);
    if (!disk.begin(hoga_disk_write)) {
        // Some of the write during which the power went may be on the disk.
        if (!was_off && open.durable != nullptr) {
            open.durable->write(static_cast<size_t>(offset), bytes_of(data), length);
        }
        return SQLITE_IOERR_WRITE;
    }
    const bool is_full = disk.fails(hoga_disk_full);
    if (is_full || disk.fails(hoga_disk_write)) {
        const int number = errno;
        write_part(open, data, disk.random.below(length), offset);
        errno = number;
        return is_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    return write_part(open, data, length, offset);
}

int truncate(sqlite3_file *file, sqlite3_int64 size) {
    OpenFile &open = opened(file);
    const bool was_off = open.disk->is_off;
    const bool has_power = open.disk->begin(hoga_disk_truncate);
    if (has_power && open.disk->fails(hoga_disk_truncate)) return SQLITE_IOERR_TRUNCATE;
    if (!was_off && open.durable != nullptr) open.durable->truncate(static_cast<size_t>(size));
    return has_power ? open.methods().xTruncate(open.real(), size) : SQLITE_IOERR_TRUNCATE;
}

int sync(sqlite3_file *file, int) {
    OpenFile &open = opened(file);
    Disk &disk = *open.disk;
    if (!disk.begin(hoga_disk_sync)) return SQLITE_IOERR_FSYNC;
    if (disk.fails(hoga_disk_sync)) return SQLITE_IOERR_FSYNC;
    if (open.durable == nullptr || disk.lies) return SQLITE_OK;
    open.durable->sync();
    if (open.syncs_folder) disk.sync_names();
    open.syncs_folder = false;
    return SQLITE_OK;
}

int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    OpenFile &open = opened(file);
    if (!open.disk->begin(hoga_disk_size)) return SQLITE_IOERR_FSTAT;
    if (open.disk->fails(hoga_disk_size)) return SQLITE_IOERR_FSTAT;
    return open.methods().xFileSize(open.real(), size);
}

// MARK: Locks and shared memory

int lock(sqlite3_file *file, int kind) {
    OpenFile &open = opened(file);
    if (!open.disk->begin(hoga_disk_lock)) return SQLITE_IOERR_LOCK;
    if (open.disk->fails(hoga_disk_lock)) return SQLITE_BUSY;
    return open.methods().xLock(open.real(), kind);
}

int unlock(sqlite3_file *file, int kind) {
    return opened(file).methods().xUnlock(opened(file).real(), kind);
}

int check_reserved_lock(sqlite3_file *file, int *result) {
    OpenFile &open = opened(file);
    if (!open.disk->begin(hoga_disk_lock)) return SQLITE_IOERR_CHECKRESERVEDLOCK;
    return open.methods().xCheckReservedLock(open.real(), result);
}

int shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
    OpenFile &open = opened(file);
    if (!open.disk->begin(hoga_disk_memory)) return SQLITE_IOERR_SHMMAP;
    if (open.disk->fails(hoga_disk_memory)) return SQLITE_IOERR_SHMMAP;
    return open.methods().xShmMap(open.real(), region, size, extends, memory);
}

int shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    OpenFile &open = opened(file);
    if ((flags & SQLITE_SHM_LOCK) != 0) {
        if (!open.disk->begin(hoga_disk_lock)) return SQLITE_IOERR_SHMLOCK;
        if (open.disk->fails(hoga_disk_lock)) return SQLITE_BUSY;
    }
    return open.methods().xShmLock(open.real(), offset, count, flags);
}

void shm_barrier(sqlite3_file *file) {
    opened(file).methods().xShmBarrier(opened(file).real());
}

int shm_unmap(sqlite3_file *file, int deletes) {
    return opened(file).methods().xShmUnmap(opened(file).real(), deletes);
}

// MARK: Properties

int file_control(sqlite3_file *file, int operation, void *argument) {
    return opened(file).methods().xFileControl(opened(file).real(), operation, argument);
}

int sector_size(sqlite3_file *file) {
    return opened(file).methods().xSectorSize(opened(file).real());
}

int device_characteristics(sqlite3_file *) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

sqlite3_io_methods io_methods(int version) {
    sqlite3_io_methods methods = {};
    methods.iVersion = version;
    methods.xClose = close;
    methods.xRead = read;
    methods.xWrite = write;
    methods.xTruncate = truncate;
    methods.xSync = sync;
    methods.xFileSize = file_size;
    methods.xLock = lock;
    methods.xUnlock = unlock;
    methods.xCheckReservedLock = check_reserved_lock;
    methods.xFileControl = file_control;
    methods.xSectorSize = sector_size;
    methods.xDeviceCharacteristics = device_characteristics;
    methods.xShmMap = version < 2 ? nullptr : shm_map;
    methods.xShmLock = version < 2 ? nullptr : shm_lock;
    methods.xShmBarrier = version < 2 ? nullptr : shm_barrier;
    methods.xShmUnmap = version < 2 ? nullptr : shm_unmap;
    return methods;
}

// Version 2 has shared memory, and version 1 has none.
const sqlite3_io_methods with_shared_memory = io_methods(2);
const sqlite3_io_methods without_shared_memory = io_methods(1);

// MARK: Names

/// Whether a file is that of a store: `hoga.sqlite`, its log or its journal.
bool is_stored(const char *name) {
    for (const char *const end : {"/hoga.sqlite", "/hoga.sqlite-wal", "/hoga.sqlite-journal"}) {
        const size_t length = std::strlen(name);
        const size_t count = std::strlen(end);
        if (length >= count && std::strcmp(name + length - count, end) == 0) return true;
    }
    return false;
}

/// The contents of a file that another program wrote before.
Bytes contents_of(OpenFile &open) {
    sqlite3_int64 size = 0;
    if (open.methods().xFileSize(open.real(), &size) != SQLITE_OK) return {};
    Bytes bytes(static_cast<size_t>(size));
    open.methods().xRead(open.real(), bytes.data(), static_cast<int>(size), 0);
    return bytes;
}

int open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    Disk &disk = disk_of(vfs);
    OpenFile &open = opened(file);
    open.base.pMethods = nullptr;
    open.disk = &disk;
    open.durable = nullptr;
    open.syncs_folder = (flags & SQLITE_OPEN_CREATE) != 0
        && (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
    if (!disk.begin(hoga_disk_open)) return SQLITE_CANTOPEN;
    if (disk.fails(hoga_disk_open)) return SQLITE_CANTOPEN;
    struct stat status;
    const bool exists = name != nullptr && stat(name, &status) == 0;
    const int code = disk.real->xOpen(disk.real, name, open.real(), flags, out_flags);
    if (code != SQLITE_OK) {
        if (open.real()->pMethods != nullptr) open.methods().xClose(open.real());
        return code;
    }
    open.base.pMethods = disk.has_shared_memory ? &with_shared_memory : &without_shared_memory;
    disk.open_files += 1;
    if (name == nullptr || !is_stored(name)) return code;
    open.durable = disk.find(name);
    if (open.durable == nullptr) {
        const auto found = exists ? std::optional<Bytes>(contents_of(open)) : std::nullopt;
        open.durable = disk.add(name, found);
    }
    if (!exists) open.durable->create();
    return code;
}

int remove(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
    Disk &disk = disk_of(vfs);
    const bool was_off = disk.is_off;
    const bool has_power = disk.begin(hoga_disk_delete);
    if (has_power && disk.fails(hoga_disk_delete)) return SQLITE_IOERR_DELETE;
    const int code = has_power ? disk.real->xDelete(disk.real, name, 0) : SQLITE_IOERR_DELETE;
    DiskFile *const durable = disk.find(name);
    if (durable == nullptr || was_off || (has_power && code != SQLITE_OK)) return code;
    durable->remove();
    if (has_power && syncs_folder != 0 && !disk.lies) disk.sync_names();
    return code;
}

int access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    Disk &disk = disk_of(vfs);
    if (!disk.begin(hoga_disk_size)) return SQLITE_IOERR_ACCESS;
    return disk.real->xAccess(disk.real, name, flags, result);
}

int full_pathname(sqlite3_vfs *vfs, const char *name, int count, char *path) {
    Disk &disk = disk_of(vfs);
    return disk.real->xFullPathname(disk.real, name, count, path);
}

int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    return disk_of(vfs).real->xRandomness(disk_of(vfs).real, count, bytes);
}

int sleep(sqlite3_vfs *vfs, int microseconds) {
    return disk_of(vfs).real->xSleep(disk_of(vfs).real, microseconds);
}

int current_time(sqlite3_vfs *vfs, double *days) {
    return disk_of(vfs).real->xCurrentTime(disk_of(vfs).real, days);
}

int last_error(sqlite3_vfs *vfs, int, char *) { return disk_of(vfs).error_number; }

}  // namespace

void set_methods(sqlite3_vfs &vfs, Disk &disk) {
    vfs.iVersion = 1;
    vfs.szOsFile = static_cast<int>(sizeof(OpenFile)) + disk.real->szOsFile;
    vfs.mxPathname = disk.real->mxPathname;
    vfs.pAppData = &disk;
    vfs.xOpen = open;
    vfs.xDelete = remove;
    vfs.xAccess = access;
    vfs.xFullPathname = full_pathname;
    vfs.xRandomness = randomness;
    vfs.xSleep = sleep;
    vfs.xCurrentTime = current_time;
    vfs.xGetLastError = last_error;
}

}  // namespace hoga::trial
