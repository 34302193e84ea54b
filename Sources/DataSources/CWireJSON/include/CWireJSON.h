#ifndef HOGA_CWIREJSON_H
#define HOGA_CWIREJSON_H
int hoga_wire_version(void);
#endif
