#ifndef HOGA_CZLIB_SHIM_H
#define HOGA_CZLIB_SHIM_H
#include <zlib.h>

/* deflateInit2 is a macro; 16 asks for a gzip header and trailer, 15 for the largest window. */
static inline int hoga_gzip_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/* inflateInit2 is a macro; see hoga_gzip_begin. */
static inline int hoga_gunzip_begin(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}
#endif
