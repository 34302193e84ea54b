// The decision which call of the program fails; failing-calls.c asks it for each interposed call.

#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include <stdbool.h>

// Counts a call, and returns whether it is the one that must fail.
//
// `site` is the return address of the call and `frame` the frame of the interposed function. Calls
// of libraries are neither counted nor failed. errno is left as it was. A failure is logged with
// `code`, the errno or result code that the caller gets.
bool failing_call(const char *name, void *site, void **frame, long code);

// Ends the process if a call of the program is at `site`: it closed a descriptor that was not open,
// which another thread may have opened since.
void closed_nothing(void *site);

// The function of that name in the library that really has it; ends the process without one.
void *real_function(const char *name);

#endif
