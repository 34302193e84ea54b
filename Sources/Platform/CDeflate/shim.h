#ifndef HOGA_CDEFLATE_SHIM_H
#define HOGA_CDEFLATE_SHIM_H
#include <libdeflate.h>
#endif
