// What simdjson itself costs: walks every value of a batch of texts and keeps nothing.
//
// The bound that the decoder of the stream is measured against, under its rules: each text is
// followed by a zero byte and, somewhere behind, the padding; one parser reads them all.
#ifndef HOGA_CWALK_H
#define HOGA_CWALK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Texts that lie padded in memory, and the parser that walks them: for one thread at a time.
typedef struct hoga_walk hoga_walk;

/// Copies texts that lie one after the other in `bytes`; `ends` holds for each the offset behind
/// it, ascending. Null when there is no memory.
hoga_walk *hoga_walk_create(const uint8_t *bytes, const ptrdiff_t *ends, size_t count);

/// Frees the texts and the parser.
void hoga_walk_free(hoga_walk *walk);

/// Walks all texts: every object, every list, and the bytes of every scalar's token.
///
/// The sum of the tokens' lengths, so that nothing of the walk can be left out; 0 when a text is
/// not JSON.
size_t hoga_walk_run(hoga_walk *walk);

#ifdef __cplusplus
}
#endif

#endif
