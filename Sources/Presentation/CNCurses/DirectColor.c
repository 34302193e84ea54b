#include "CNCurses.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Included only here and in TerminfoQuery.c, because its macros use common words.
#include <term.h>

extern char **environ;

// ncurses sends 24-bit colors only for a description that has them (the user-defined boolean RGB,
// user_caps(5)), and most terminals with 24-bit colors are named by one that has not. So the
// description is compiled once more with them, in the form of term(5), "extended number format",
// and handed to ncurses as text in TERMINFO (terminfo(5), "hex:").

enum {
    extended_numbers = 01036,
    colors = 1 << 24,
    pairs = 1 << 15,
    // ncurses reads no longer one.
    bytes_max = 32768,
    absent = -1,
    cancelled = -2,
};

static const char foreground[] =
    "\033[38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm";
static const char background[] =
    "\033[48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm";
static const char rgb[] = "RGB";

/// A growing sequence of bytes; too many make it invalid.
typedef struct {
    unsigned char bytes[bytes_max];
    size_t count;
    bool is_full;
} sink;

static void put(sink *sink, const void *bytes, size_t count)
{
    if (count > bytes_max - sink->count) {
        sink->is_full = true;
        return;
    }
    memcpy(sink->bytes + sink->count, bytes, count);
    sink->count += count;
}

static void put_integer(sink *sink, int32_t value, size_t size)
{
    const uint32_t bits = (uint32_t)value;
    const unsigned char bytes[] = {
        (unsigned char)bits, (unsigned char)(bits >> 8), (unsigned char)(bits >> 16),
        (unsigned char)(bits >> 24)};
    put(sink, bytes, size);
}

static void put_short(sink *sink, size_t value) { put_integer(sink, (int32_t)value, 2); }

static void put_even(sink *sink)
{
    if (sink->count % 2 != 0) put(sink, "", 1);
}

/// Appends a string to a table, and its offset from a base of the table to the offsets.
static void put_string(sink *offsets, sink *table, size_t base, const char *text)
{
    if (text == NULL || text == (const char *)-1) {
        put_integer(offsets, text == NULL ? absent : cancelled, 2);
        return;
    }
    put_short(offsets, table->count - base);
    put(table, text, strlen(text) + 1);
}

/// The parts of a description in progress.
typedef struct {
    sink all, offsets, table;
} draft;

static void put_predefined(draft *draft, const TERMTYPE *type)
{
    const size_t booleans = type->num_Booleans - type->ext_Booleans;
    const size_t numbers = type->num_Numbers - type->ext_Numbers;
    const size_t strings = type->num_Strings - type->ext_Strings;
    for (size_t index = 0; index < strings; index++) {
        const char *const *const place = (const char *const *)type->Strings + index;
        const char *const text = place == (const char *const *)&set_a_foreground ? foreground
            : place == (const char *const *)&set_a_background                    ? background
                                                                                 : *place;
        put_string(&draft->offsets, &draft->table, 0, text);
    }
    const size_t names = strlen(type->term_names) + 1;
    put_short(&draft->all, extended_numbers);
    put_short(&draft->all, names);
    put_short(&draft->all, booleans);
    put_short(&draft->all, numbers);
    put_short(&draft->all, strings);
    put_short(&draft->all, draft->table.count);
    put(&draft->all, type->term_names, names);
    put(&draft->all, type->Booleans, booleans);
    put_even(&draft->all);
    for (size_t index = 0; index < numbers; index++) {
        const short *const place = type->Numbers + index;
        const int32_t value = place == &max_colors ? colors : place == &max_pairs ? pairs : *place;
        put_integer(&draft->all, value, 4);
    }
    put(&draft->all, draft->offsets.bytes, draft->offsets.count);
    put(&draft->all, draft->table.bytes, draft->table.count);
    put_even(&draft->all);
}

static void put_user_defined(draft *draft, const TERMTYPE *type)
{
    draft->offsets.count = draft->table.count = 0;
    const size_t booleans = type->ext_Booleans, numbers = type->ext_Numbers;
    const size_t strings = type->ext_Strings, names = booleans + numbers + strings;
    for (size_t index = 0; index < strings; index++) {
        const char *const text = type->Strings[type->num_Strings - strings + index];
        put_string(&draft->offsets, &draft->table, 0, text);
    }
    const size_t base = draft->table.count;
    // The names of the booleans come first; the added one is the last of them.
    for (size_t index = 0; index <= names; index++) {
        const char *const name = index < booleans ? type->ext_Names[index]
            : index == booleans                   ? rgb
                                                  : type->ext_Names[index - 1];
        put_string(&draft->offsets, &draft->table, base, name);
    }
    put_short(&draft->all, booleans + 1);
    put_short(&draft->all, numbers);
    put_short(&draft->all, strings);
    put_short(&draft->all, strings + names + 1);
    put_short(&draft->all, draft->table.count);
    put(&draft->all, type->Booleans + type->num_Booleans - booleans, booleans);
    put(&draft->all, "\1", 1);
    put_even(&draft->all);
    for (size_t index = 0; index < numbers; index++) {
        put_integer(&draft->all, type->Numbers[type->num_Numbers - numbers + index], 4);
    }
    put(&draft->all, draft->offsets.bytes, draft->offsets.count);
    put(&draft->all, draft->table.bytes, draft->table.count);
}

/// The current description with 24-bit colors as a variable of the environment, to be freed by the
/// caller; NULL if it is too long or there is no memory.
static char *variable(const TERMTYPE *type)
{
    static const char lead[] = "TERMINFO=hex:";
    draft *const made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    put_predefined(made, type);
    put_user_defined(made, type);
    const bool is_full = made->all.is_full || made->offsets.is_full || made->table.is_full;
    const size_t count = made->all.count;
    char *const text = is_full ? NULL : malloc(sizeof lead + 2 * count);
    if (text != NULL) {
        memcpy(text, lead, sizeof lead);
        char *end = text + sizeof lead - 1;
        for (size_t index = 0; index < count; index++) {
            *end++ = "0123456789ABCDEF"[made->all.bytes[index] >> 4];
            *end++ = "0123456789ABCDEF"[made->all.bytes[index] & 15];
        }
        *end = '\0';
    }
    free(made);
    return text;
}

/// Opens the terminal while the environment begins with a variable, which hides one of its name.
///
/// Replaces the pointer instead of calling setenv, which moves what other threads read.
static SCREEN *open_with(char *variable, const char *type)
{
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **const extended = malloc((count + 2) * sizeof *extended);
    if (extended == NULL) return NULL;
    extended[0] = variable;
    memcpy(extended + 1, environ, (count + 1) * sizeof *extended);
    char **const own = environ;
    environ = extended;
    SCREEN *const screen = hoga_screen_open(type);
    environ = own;
    // Never freed: another thread may have begun to read it. Reachable, so that it is no leak.
    static struct kept { char **extended; char *variable; struct kept *earlier; } *all;
    struct kept *const kept = malloc(sizeof *kept);
    if (kept != NULL) {
        *kept = (struct kept){extended, variable, all};
        all = kept;
    }
    return screen;
}

SCREEN *hoga_direct_screen_open(const char *type)
{
    int error = 0;
    if (setupterm((char *)type, 1, &error) != OK) return NULL;
    char *text = NULL;
    const bool has_colors = max_colors >= 8 && set_a_foreground != NULL && set_a_background != NULL;
    if (has_colors && tigetflag((char *)rgb) <= 0) text = variable(&cur_term->type);
    (void)del_curterm(cur_term);
    return text == NULL ? NULL : open_with(text, type);
}
