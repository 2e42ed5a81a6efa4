/* Counts the file operations that a process does below one directory, and lets one of them go wrong.

   Loaded before the C library (LD_PRELOAD). What is asked for is set by fault_arm(); the count is in memory shared with
   the parent, so that it outlives the process. An operation is one call of the functions below with a path below the
   directory, or with a descriptor of a file that was opened there for writing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT = 0, SIGNAL = 1, FAIL = 2, TEAR = 3 };

struct shared { atomic_int count; char what[128]; };
static struct shared *shared;
static char root[PATH_MAX];
static int at, kind, number;
static unsigned char watched[65536];

/* Begin to count below `directory`, and let operation number `which` (from 1) go wrong: a signal before it (SIGNAL), an
   error instead of it (FAIL), or half of a write and then the end of the process (TEAR). */
void fault_arm(const char *directory, int which, int how, int value) {
    snprintf(root, sizeof root, "%s", directory);
    at = which; kind = how; number = value;
    memset(watched, 0, sizeof watched);
    if (shared) { atomic_store(&shared->count, 0); shared->what[0] = 0; }
}
void fault_share(void) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) shared = NULL;
}
int fault_count(void) { return shared ? atomic_load(&shared->count) : 0; }
const char *fault_what(void) { return shared ? shared->what : ""; }

static int is_below(const char *path) {
    size_t length = strlen(root);
    return length && path && !strncmp(path, root, length) && (path[length] == '/' || !path[length]);
}
static int is_path_below(int directory, const char *path) {
    char place[PATH_MAX], link[64];
    if (!root[0] || !path) return 0;
    if (path[0] == '/') return is_below(path);
    if (directory == AT_FDCWD) {
        if (!getcwd(place, sizeof place)) return 0;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
        ssize_t size = readlink(link, place, sizeof place - 1);
        if (size < 0) return 0;
        place[size] = 0;
    }
    return is_below(place);
}

/* Count one operation; 1 if it is to fail, with errno set, 2 if it is to be torn. */
static int operation(const char *name, const char *path) {
    if (!shared) return 0;
    int now = atomic_fetch_add(&shared->count, 1) + 1;
    if (!at || now != at) return 0;
    snprintf(shared->what, sizeof shared->what, "%s %s", name, path ? path : "");
    if (kind == SIGNAL) kill(getpid(), number);
    if (kind == FAIL) { errno = number; return 1; }
    return kind == TEAR ? 2 : 0;
}
#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define PATH_OPERATION(result, name, directory, path, call) \
    REAL(name); \
    if (is_path_below(directory, path)) { \
        int wrong = operation(#name, path); \
        if (wrong == 1) return -1; \
        if (wrong == 2) kill(getpid(), SIGKILL); \
    } \
    return call

static int opened(int descriptor, int flags, int below) {
    if (descriptor >= 0 && descriptor < (int)sizeof watched) watched[descriptor] = below && (flags & (O_WRONLY | O_RDWR));
    return descriptor;
}
#define OPEN(name, directory, ...) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
    REAL(name); \
    int below = is_path_below(directory, path); \
    if (below) { int wrong = operation(#name, path); if (wrong == 1) return -1; if (wrong == 2) kill(getpid(), SIGKILL); } \
    return opened(real(__VA_ARGS__, flags, mode), flags, below)

int open(const char *path, int flags, ...) { OPEN(open, AT_FDCWD, path); }
int open64(const char *path, int flags, ...) { OPEN(open64, AT_FDCWD, path); }
int openat(int directory, const char *path, int flags, ...) { OPEN(openat, directory, directory, path); }
int openat64(int directory, const char *path, int flags, ...) { OPEN(openat64, directory, directory, path); }

int rename(const char *from, const char *to) { PATH_OPERATION(int, rename, AT_FDCWD, to, real(from, to)); }
int renameat(int a, const char *from, int b, const char *to) { PATH_OPERATION(int, renameat, b, to, real(a, from, b, to)); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    PATH_OPERATION(int, renameat2, b, to, real(a, from, b, to, flags));
}
int link(const char *from, const char *to) { PATH_OPERATION(int, link, AT_FDCWD, to, real(from, to)); }
int symlink(const char *from, const char *to) { PATH_OPERATION(int, symlink, AT_FDCWD, to, real(from, to)); }
int mkdir(const char *path, mode_t mode) { PATH_OPERATION(int, mkdir, AT_FDCWD, path, real(path, mode)); }
int mkdirat(int directory, const char *path, mode_t mode) {
    PATH_OPERATION(int, mkdirat, directory, path, real(directory, path, mode));
}
int unlink(const char *path) { PATH_OPERATION(int, unlink, AT_FDCWD, path, real(path)); }
int unlinkat(int directory, const char *path, int flags) {
    PATH_OPERATION(int, unlinkat, directory, path, real(directory, path, flags));
}
int rmdir(const char *path) { PATH_OPERATION(int, rmdir, AT_FDCWD, path, real(path)); }
int chmod(const char *path, mode_t mode) { PATH_OPERATION(int, chmod, AT_FDCWD, path, real(path, mode)); }
int truncate(const char *path, off_t size) { PATH_OPERATION(int, truncate, AT_FDCWD, path, real(path, size)); }

static int is_watched(int descriptor) {
    return descriptor >= 0 && descriptor < (int)sizeof watched && watched[descriptor];
}
ssize_t write(int descriptor, const void *bytes, size_t size) {
    REAL(write);
    if (is_watched(descriptor)) {
        int wrong = operation("write", "");
        if (wrong == 1) return -1;
        if (wrong == 2) {
            ssize_t done = real(descriptor, bytes, size / 2);
            (void)done;
            kill(getpid(), SIGKILL);
        }
    }
    return real(descriptor, bytes, size);
}
#define DESCRIPTOR_OPERATION(name, call) \
    REAL(name); \
    if (is_watched(descriptor)) { \
        int wrong = operation(#name, ""); \
        if (wrong == 1) return -1; \
        if (wrong == 2) kill(getpid(), SIGKILL); \
    } \
    return call
int fsync(int descriptor) { DESCRIPTOR_OPERATION(fsync, real(descriptor)); }
int fdatasync(int descriptor) { DESCRIPTOR_OPERATION(fdatasync, real(descriptor)); }
int ftruncate(int descriptor, off_t size) { DESCRIPTOR_OPERATION(ftruncate, real(descriptor, size)); }
int ftruncate64(int descriptor, off_t size) { DESCRIPTOR_OPERATION(ftruncate64, real(descriptor, size)); }
int fchmod(int descriptor, mode_t mode) { DESCRIPTOR_OPERATION(fchmod, real(descriptor, mode)); }
int close(int descriptor) {
    REAL(close);
    if (descriptor >= 0 && descriptor < (int)sizeof watched) watched[descriptor] = 0;
    return real(descriptor);
}
