#ifndef HOGA_CZLIB_SHIM_H
#define HOGA_CZLIB_SHIM_H
#include <zlib.h>

/* Macros do not import. A negative window means raw DEFLATE without a header. */
static inline int hoga_inflate_init(z_stream *stream) { return inflateInit2(stream, -15); }

static inline int hoga_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
#endif
