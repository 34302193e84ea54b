#ifndef HOGA_CWSLAY_SHIM_H
#define HOGA_CWSLAY_SHIM_H
#include <wslay/wslay.h>
#endif
