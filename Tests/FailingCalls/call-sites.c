// Counts calls by call site and decides which one fails.
//
// A call site is the return address in the program, as an offset from its load address, and with
// FAILING_CALLS_DEPTH=n up to n - 1 return addresses above it. It is the same in each run of one
// binary, in contrast to the order of the calls of several threads. The environment:
//
//   FAILING_CALL=FUNCTION@SITE:n  the n-th call of this function at this site fails
//   FAILING_CALLS_LOG=FILE        gets a line for each of the first FAILING_CALLS_COUNT (3) calls
//                                 of a site, `call FUNCTION@SITE:n`, a line for the one that fails,
//                                 `failed FUNCTION@SITE:n CODE`, and at the end `total CALLS`
//   FAILING_CALLS_PROGRAM=NAME    the name of the program; processes of others are left alone
//
// Lines are written with one system call each and need no memory: they are complete whatever
// happens afterwards.

#define _GNU_SOURCE
#include "failing-calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { depth_max = 8, sites_max = 1 << 14, line_bytes = 256 };

struct site {
    _Atomic uint64_t key;
    _Atomic uint32_t calls;
};

static struct site sites[sites_max];
static _Atomic uint64_t total;
// The load address of the program, and where its code begins and ends.
static uintptr_t base, code_begin, code_end;
static long depth = 1, count_max = 3;
static int log_file = -1;
static bool is_active;
static const char *wanted;

static int find_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    base = info->dlpi_addr;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        code_begin = base + part->p_vaddr;
        code_end = code_begin + part->p_memsz;
    }
    // The program is the first object.
    return 1;
}

static long number(const char *variable, long otherwise) {
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtol(text, NULL, 10);
}

// The variables are read before any thread of the program exists.
__attribute__((constructor)) static void begin(void) {
    const char *program = getenv("FAILING_CALLS_PROGRAM");
    if (program == NULL || strcmp(program, program_invocation_short_name) != 0) return;
    dl_iterate_phdr(find_program, NULL);
    depth = number("FAILING_CALLS_DEPTH", 1);
    if (depth < 1 || depth > depth_max) depth = depth_max;
    count_max = number("FAILING_CALLS_COUNT", 3);
    wanted = getenv("FAILING_CALL");
    const char *path = getenv("FAILING_CALLS_LOG");
    if (path != NULL) {
        const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
        log_file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
    }
    // Child programs run without the library and LeakSanitizer, with which Debian's perl crashes.
    unsetenv("LD_PRELOAD");
    is_active = true;
}

static void write_line(const char *line, size_t bytes) {
    if (log_file >= 0) (void)!syscall(SYS_write, log_file, line, bytes);
}

__attribute__((destructor)) static void end(void) {
    char line[line_bytes];
    const int bytes = snprintf(line, sizeof line, "total %llu\n", (unsigned long long)total);
    if (is_active) write_line(line, (size_t)bytes);
}

static bool is_of_program(uintptr_t address) {
    return address >= code_begin && address < code_end;
}

// Stores the return addresses of a call, from the innermost one, and returns their number.
static long return_addresses(uintptr_t site, void **frame, uintptr_t found[depth_max]) {
    long count = 0;
    found[count++] = site - base;
    // Code of the program keeps frame pointers. Frames of async functions have a flag in bit 60.
    uintptr_t at = (uintptr_t)frame[0] & ~(UINT64_C(1) << 60);
    while (count < depth && at > (uintptr_t)frame && at % sizeof(void *) == 0) {
        void **above = (void **)at;
        const uintptr_t address = (uintptr_t)above[1];
        if (!is_of_program(address)) break;
        found[count++] = address - base;
        const uintptr_t next = (uintptr_t)above[0] & ~(UINT64_C(1) << 60);
        if (next <= at || next - at > 1 << 20) break;
        at = next;
    }
    return count;
}

// Counts one call of a site; 0 when the table is full.
static uint32_t count_call(uint64_t key) {
    for (size_t probe = 0; probe < sites_max; probe++) {
        struct site *place = &sites[(key + probe) % sites_max];
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&place->key, &found, key) || found == key) {
            return atomic_fetch_add(&place->calls, 1) + 1;
        }
    }
    return 0;
}

// FNV-1a over function and return addresses; never 0, which marks a free place.
static uint64_t hash(const char *name, const uintptr_t *addresses, long count) {
    uint64_t value = UINT64_C(14695981039346656037);
    for (const char *at = name; *at != 0; at++) {
        value = (value ^ (uint8_t)*at) * UINT64_C(1099511628211);
    }
    for (long index = 0; index < count; index++) {
        value = (value ^ addresses[index]) * UINT64_C(1099511628211);
    }
    return value | 1;
}

static bool decide(const char *name, uintptr_t site, void **frame, long code) {
    atomic_fetch_add(&total, 1);
    uintptr_t addresses[depth_max];
    const long count = return_addresses(site, frame, addresses);
    const uint32_t call = count_call(hash(name, addresses, count));
    if (call == 0 || call > count_max) return false;
    // `call ` is left out of what is compared with the wanted call.
    char line[line_bytes];
    int bytes = snprintf(line, sizeof line, "call %s@", name);
    for (long index = 0; index < count; index++) {
        bytes += snprintf(line + bytes, sizeof line - (size_t)bytes, index == 0 ? "%lx" : ",%lx",
                          (unsigned long)addresses[index]);
    }
    bytes += snprintf(line + bytes, sizeof line - (size_t)bytes, ":%u", call);
    const bool fails = wanted != NULL && strcmp(wanted, line + 5) == 0;
    line[bytes++] = '\n';
    write_line(line, (size_t)bytes);
    if (!fails) return false;
    char failed[line_bytes + 32];
    const int failed_bytes =
        snprintf(failed, sizeof failed, "failed %.*s %ld\n", bytes - 6, line + 5, code);
    write_line(failed, (size_t)failed_bytes);
    return true;
}

bool failing_call(const char *name, void *site, void **frame, long code) {
    if (!is_active || !is_of_program((uintptr_t)site)) return false;
    const int before = errno;
    const bool fails = decide(name, (uintptr_t)site, frame, code);
    errno = before;
    return fails;
}

void closed_nothing(void *site) {
    if (!is_active || !is_of_program((uintptr_t)site)) return;
    static const char text[] = "failing-calls: the program closed a descriptor that was not open\n";
    (void)!syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
    abort();
}

void *real_function(const char *name) {
    void *address = dlsym(RTLD_NEXT, name);
    if (address != NULL) return address;
    static const char text[] = "failing-calls: a function is missing in this process: ";
    (void)!syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
    (void)!syscall(SYS_write, STDERR_FILENO, name, strlen(name));
    abort();
}
