#ifndef HOGA_CLIBFUZZER_SHIM_H
#define HOGA_CLIBFUZZER_SHIM_H
#include <stddef.h>
#include <stdint.h>

/* libFuzzer as a library (LLVM's documentation, "Using libFuzzer as a library"): runs the fuzzer
   with the arguments of a command line. The toolchain has no header for it. */
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*judge)(const uint8_t *bytes, size_t count));
#endif
