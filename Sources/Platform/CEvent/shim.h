#ifndef HOGA_CEVENT_SHIM_H
#define HOGA_CEVENT_SHIM_H
// Swift's Glibc module leaves eventfd(2) out.
#include <sys/eventfd.h>
#endif
