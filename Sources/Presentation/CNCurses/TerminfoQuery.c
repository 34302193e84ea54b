#include "CNCurses.h"

#include <stdlib.h>

// Included only here and in DirectColor.c, because its macros use common words.
#include <term.h>

int hoga_names_terminal(void)
{
    const char *const name = getenv("TERM");
    return name != NULL && *name != '\0';
}

int hoga_states_direct_color(const char *type)
{
    int error = 0;
    if (setupterm((char *)type, 1, &error) != OK) return 0;
    const char *const text = hoga_capability("RGB");
    const int is_stated =
        tigetflag("Tc") > 0 || tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || text != NULL;
    (void)del_curterm(cur_term);
    return is_stated;
}

int hoga_known_color_count(const char *type)
{
    int error = 0;
    if (setupterm((char *)type, 1, &error) != OK) return -1;
    const int count = tigetnum("colors");
    (void)del_curterm(cur_term);
    return count < 0 ? 0 : count;
}
