// What the C library says of its heap: Swift's Glibc has not all of it.
#include <malloc.h>
