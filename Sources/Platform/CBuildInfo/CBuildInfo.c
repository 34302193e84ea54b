#include "CBuildInfo.h"

const char *hoga_build_commit(void) { return HOGA_BUILD_COMMIT; }
