#include "CNCurses.h"

#include <stdlib.h>

// Included only here, because its macros use common words.
#include <term.h>

int hoga_names_terminal(void)
{
    const char *const name = getenv("TERM");
    return name != NULL && *name != '\0';
}

int hoga_known_color_count(const char *type)
{
    int error = 0;
    if (setupterm((char *)type, 1, &error) != OK) return -1;
    const int count = tigetnum("colors");
    (void)del_curterm(cur_term);
    return count < 0 ? 0 : count;
}
