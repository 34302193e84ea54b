// The cost of simdjson itself: walks every value of a batch of texts and stores nothing.
//
// The stream decoder is compared with it under the same rules: each text is followed by a zero
// byte and, at the end, by padding; one parser reads them all.
#ifndef HOGA_CWALK_H
#define HOGA_CWALK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Padded texts in memory, and the parser that walks them: for one thread at a time.
typedef struct hoga_walk hoga_walk;

/// Copies consecutive texts from `bytes`; `ends` has the offset after each one, ascending. Returns
/// null if memory ran out.
hoga_walk *hoga_walk_create(const uint8_t *bytes, const ptrdiff_t *ends, size_t count);

/// Frees the texts and the parser.
void hoga_walk_free(hoga_walk *walk);

/// Walks all texts: every object, every list, and the bytes of every scalar's token.
///
/// Returns the sum of the tokens' lengths, so that the compiler cannot remove the walk; 0 if a
/// text is not JSON.
size_t hoga_walk_run(hoga_walk *walk);

#ifdef __cplusplus
}
#endif

#endif
