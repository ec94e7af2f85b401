// Stands for the calls that write files, in place of those of the C library.

#define _GNU_SOURCE
#include "kills.h"

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long left = LONG_MAX;
static atomic_long calls;
static atomic_long killed_call;
static atomic_long first_failure, last_failure;
static atomic_int code;

void kill_after(long bytes) { left = bytes; }

void kill_at_call(long number) {
    calls = 0;
    killed_call = number;
}

void fail_from_call(long number, int with, long count) {
    calls = 0;
    code = with;
    last_failure = number + count - 1;
    first_failure = number;
}

long calls_counted(void) { return calls; }

static int is_file(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static void end(void) {
    kill(getpid(), SIGKILL);
    pause();
}

static int is_watched(void) { return killed_call != 0 || first_failure != 0; }

// The number of a call if something happens in it; otherwise 0. Sets `fails` if it is to fail.
static long next_call(int *fails) {
    *fails = 0;
    if (!is_watched()) return 0;
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (first_failure != 0 && number >= first_failure && number <= last_failure) *fails = 1;
    return number == killed_call || *fails ? number : 0;
}

// Counts a call that isn't a write. Returns whether it fails.
#define BEGIN(number, fails)                              \
    int fails;                                            \
    long number = next_call(&fails);                      \
    int kills = number != 0 && number == killed_call;     \
    if (kills && number % 2 == 0) end();                  \
    if (fails) { errno = code; return -1; }

static ssize_t watched_write(int file, const void *bytes, size_t count, off_t offset, int isPositioned) {
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    ssize_t (*positioned)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
#define REAL(count) (isPositioned ? positioned(file, bytes, count, offset) : real(file, bytes, count))
    int fails = 0;
    long number = is_watched() && is_file(file) ? next_call(&fails) : 0;
    if (number != 0 && number == killed_call) {
        if (count > 1) REAL(count / 2);
        end();
    }
    if (fails) {
        // A disk that gets full takes what it has room for, and refuses the next bytes.
        if (code == ENOSPC && number == first_failure && last_failure > number && count > 1) return REAL(count / 2);
        errno = code;
        return -1;
    }
    if (left == LONG_MAX || !is_file(file)) return REAL(count);
    if (isPositioned) {
        long before = atomic_fetch_sub(&left, 64);
        if (before < 32) end();
        ssize_t value = REAL(count);
        if (before < 64) end();
        return value;
    }
    long before = atomic_fetch_sub(&left, count);
    if (before < (long)count) {
        if (before > 0) REAL(before);
        end();
    }
    return REAL(count);
}

ssize_t write(int file, const void *bytes, size_t count) { return watched_write(file, bytes, count, 0, 0); }

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return watched_write(file, bytes, count, offset, 1);
}

// The calls before which, or after which, a process is killed.
#define CHANGE(result, name, parameters, arguments)                   \
    result name parameters {                                          \
        result (*real) parameters = dlsym(RTLD_NEXT, #name);          \
        BEGIN(number, fails)                                          \
        long before = left == LONG_MAX ? LONG_MAX : atomic_fetch_sub(&left, 64); \
        if (before < 32) end();                                       \
        result value = real arguments;                                \
        if (before < 64 || kills) end();                              \
        return value;                                                 \
    }

// The calls that only the number of a call is about.
#define CALL(result, name, parameters, arguments)                     \
    result name parameters {                                          \
        result (*real) parameters = dlsym(RTLD_NEXT, #name);          \
        BEGIN(number, fails)                                          \
        result value = real arguments;                                \
        if (kills) end();                                             \
        return value;                                                 \
    }

CHANGE(int, rename, (const char *from, const char *to), (from, to))
CHANGE(int, unlink, (const char *path), (path))
CALL(int, link, (const char *from, const char *to), (from, to))
CALL(int, fsync, (int file), (file))
CALL(int, fdatasync, (int file), (file))
CALL(int, ftruncate, (int file, off_t length), (file, length))
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode))

// Only files that may be written count: others are libraries, certificates and the like.
static int watched_open(const char *path, int flags, mode_t mode) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    if ((flags & O_ACCMODE) == O_RDONLY) return real(path, flags, mode);
    BEGIN(number, fails)
    int file = real(path, flags, mode);
    if (kills) end();
    return file;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return watched_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return watched_open(path, flags, mode);
}

#else

void kill_after(long bytes) {}
void kill_at_call(long number) {}
void fail_from_call(long number, int code, long count) {}
long calls_counted(void) { return 0; }

#endif
