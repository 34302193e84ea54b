// Tells the thread sanitizer about the locks of Swift's Synchronization.Mutex.
//
// An uncontended Mutex is locked by atomics in our own, instrumented code. A contended one goes
// through functions of libswiftSynchronization.so, which is not instrumented, so the sanitizer
// sees two accesses with nothing between them and reports a race where there is none (seen with
// Swift 6.3.1 on Linux: two queues that do nothing but add under one Mutex). `make tsan` preloads
// this library: it stands in front of those functions, calls them, and names what they order. A
// suppression could not do that: it would have to hide every access under a lock, races included.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Swift's calling convention, in which a method finds its value in a register of its own.
#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Weak, because the processes around the tests are preloaded too and have no sanitizer in them.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

METHOD void hoga_lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK_SLOW);
METHOD bool hoga_try_lock_slow(SELF mutex) __asm__(TRY_LOCK_SLOW);
METHOD void hoga_unlock_slow(SELF mutex) __asm__(UNLOCK_SLOW);

static void *original(const char *name) {
    void *address = dlsym(RTLD_NEXT, name);
    if (address == NULL) {
        fprintf(stderr, "tsan-mutex: this Swift has no %s\n", name);
        abort();
    }
    return address;
}

METHOD void hoga_lock_slow(uint32_t thread, SELF mutex) {
    METHOD void (*lock)(uint32_t, SELF) = original(LOCK_SLOW);
    lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

METHOD bool hoga_try_lock_slow(SELF mutex) {
    METHOD bool (*try_lock)(SELF) = original(TRY_LOCK_SLOW);
    bool is_locked = try_lock(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

METHOD void hoga_unlock_slow(SELF mutex) {
    METHOD void (*unlock)(SELF) = original(UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(mutex);
    unlock(mutex);
}
