#ifndef HOGA_CHEAP_SHIM_H
#define HOGA_CHEAP_SHIM_H
#include <malloc.h>
#include <stddef.h>

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
#endif
