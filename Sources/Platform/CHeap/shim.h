#ifndef HOGA_CHEAP_SHIM_H
#define HOGA_CHEAP_SHIM_H
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* Swift's module of the C library lacks <malloc.h>. */
static inline size_t hoga_heap_free_bytes(void) {
    return mallinfo2().fordblks;
}

/* As above. Large blocks are mapped beside the heap. */
static inline size_t hoga_heap_used_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* As above. */
static inline int hoga_heap_give_back(void) {
    return malloc_trim(0);
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
