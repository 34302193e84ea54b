#ifndef HOGA_CBUILDINFO_H
#define HOGA_CBUILDINFO_H

/// The commit this binary was built from, as Package.swift found it: a constant text that is never
/// freed.
const char *hoga_build_commit(void);

#endif
