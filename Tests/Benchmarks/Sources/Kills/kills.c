// Stands for the calls that write files, in place of those of the C library.

#define _GNU_SOURCE
#include "kills.h"

#ifdef __linux__

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long left = LONG_MAX;

void kill_after(long bytes) { left = bytes; }

static int is_file(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static void end(void) {
    kill(getpid(), SIGKILL);
    pause();
}

ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (left == LONG_MAX || !is_file(file)) return real(file, bytes, count);
    long before = atomic_fetch_sub(&left, count);
    if (before < (long)count) {
        if (before > 0) real(file, bytes, before);
        end();
    }
    return real(file, bytes, count);
}

// The calls before which, or after which, a process is killed.
#define CHANGE(result, name, parameters, arguments)                   \
    result name parameters {                                          \
        result (*real) parameters = dlsym(RTLD_NEXT, #name);          \
        long before = left == LONG_MAX ? LONG_MAX : atomic_fetch_sub(&left, 64); \
        if (before < 32) end();                                       \
        result value = real arguments;                                \
        if (before < 64) end();                                       \
        return value;                                                 \
    }

CHANGE(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
CHANGE(int, rename, (const char *from, const char *to), (from, to))
CHANGE(int, unlink, (const char *path), (path))

#else

void kill_after(long bytes) {}

#endif
