#ifndef HOGA_CHEAP_SHIM_H
#define HOGA_CHEAP_SHIM_H
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The memory that is the process's own and resident; 0 if it cannot be read. */
static inline size_t hoga_resident_bytes(void) {
    char text[128];
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length < 0) return 0;
    text[length] = 0;
    size_t resident = 0, shared = 0;
    if (sscanf(text, "%*u %zu %zu", &resident, &shared) != 2 || resident < shared) return 0;
    return (resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Swift's module of the C library lacks <malloc.h>. Large blocks are mapped beside the heap. */
static inline size_t hoga_heap_used_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* As above. */
static inline int hoga_heap_give_back(void) {
    return malloc_trim(0);
}

/* One arena for each processor; arenas that exist stay. A limit of the environment counts. */
static inline void hoga_heap_limit_arenas(void) {
    if (getenv("MALLOC_ARENA_MAX") != NULL) return;
    mallopt(M_ARENA_MAX, (int)sysconf(_SC_NPROCESSORS_ONLN));
}

static inline void hoga_heap_report_shortage(void) {
    static const char text[] = "hoga: out of memory: raise the memory limit of this process\n";
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

/* Functions that run at quick_exit run in reverse order: the terminal is restored before. */
static inline int hoga_heap_prepare_end(void) {
    return at_quick_exit(hoga_heap_report_shortage);
}

/* Other threads may still use what destructors of libraries would free; quick_exit runs none. */
__attribute__((noreturn)) static inline void hoga_heap_end(int status) {
    quick_exit(status);
}
#endif
