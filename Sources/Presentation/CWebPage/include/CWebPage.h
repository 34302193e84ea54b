#pragma once

#include <stddef.h>

/// A file of the page.
struct hoga_web_file {
    /// The file's name.
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The files of the page; constant.
const struct hoga_web_file *hoga_web_files(void);

/// The number of files.
size_t hoga_web_file_count(void);
