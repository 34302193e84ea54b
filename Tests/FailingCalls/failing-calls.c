// Interposes the fallible functions that hoga calls, so that one chosen call fails.
//
// `scripts/failing-calls/check.py` preloads this library. Each function below either returns what
// it returns when it fails in reality, without doing anything, or calls the real one.
// call-sites.c decides. The failure of each function is the one that its documentation names for a
// lack of memory, descriptors or space, else a broken connection or device.
//
// Not here: calls that cannot fail with correct arguments, such as eventfd_write(3) and
// curl_multi_wakeup(3), which leave an event readable that is full, or the compression into a
// buffer that is large enough; functions of the C++ library that throw; and the allocations that
// simdjson inlines into its wrapper: it does not check that of its string buffer.

#define _GNU_SOURCE
#include "failing-calls.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define EXPORTED __attribute__((visibility("default")))
#define IS_FAILING(name, code) \
    failing_call(name, __builtin_return_address(0), __builtin_frame_address(0), code)

// The real function, which is looked up once. `type` is of a pointer to it.
#define REAL(type, name)                                            \
    static _Atomic(void *) found;                                   \
    if (found == NULL) found = real_function(name);                 \
    const __typeof__(type) real = (__typeof__(type))found

// A function that returns `value` when it fails, with `code` for the log.
#define FAILS_WITH(type, name, parameters, arguments, value, code)  \
    EXPORTED type name parameters;                                  \
    EXPORTED type name parameters {                                 \
        if (IS_FAILING(#name, (long)(code))) return value;          \
        REAL(type(*) parameters, #name);                            \
        return real arguments;                                      \
    }

// A function whose result is the code.
#define FAILS(type, name, parameters, arguments, value) \
    FAILS_WITH(type, name, parameters, arguments, value, value)

// A function that sets errno to `code` and returns `value`.
#define FAILS_ERRNO(type, name, parameters, arguments, value, code) \
    FAILS_WITH(type, name, parameters, arguments, (errno = code, value), code)

// A function f(first, what, …) with at most one further argument, of a register's size.
#define FAILS_VARIADIC(type, name, first, kind, value, code)        \
    EXPORTED type name(first one, kind two, ...);                   \
    EXPORTED type name(first one, kind two, ...) {                  \
        if (IS_FAILING(#name, (long)(code))) return value;          \
        va_list more;                                               \
        va_start(more, two);                                        \
        void *three = va_arg(more, void *);                         \
        va_end(more);                                               \
        REAL(type(*)(first, kind, ...), #name);                     \
        return real(one, two, three);                               \
    }

typedef void any;
typedef const void constant;
typedef const char text;

#include "system-calls.h"
#include "library-calls.h"
