#include "CWireJSON.h"
int hoga_wire_version(void) { return 1; }
