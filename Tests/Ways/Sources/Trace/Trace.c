#include "Trace.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

// The compiler calls these two functions because of `-sanitize-coverage=edge,trace-pc-guard`: the
// first at the start, with a guard for each place of the code, and the second at each place.

enum { limit = 1 << 18 };

static uintptr_t places[limit];
static _Atomic uint32_t count;
static _Atomic int is_tracing;
extern const char __executable_start;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *end) {
    for (uint32_t *guard = start; guard < end; guard++) *guard = 1;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    if (!is_tracing || !*guard) return;
    *guard = 0;
    uint32_t index = count++;
    if (index < limit) places[index] = (uintptr_t)__builtin_return_address(0);
}

void trace_begin(void) { is_tracing = 1; }

void trace_end(void) {
    is_tracing = 0;
    for (uint32_t index = 0; index < count && index < limit; index++)
        printf("0x%lx\n", (unsigned long)(places[index] - (uintptr_t)&__executable_start - 1));
}
