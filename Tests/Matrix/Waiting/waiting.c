// Stands for `dispatch_async`, and counts what it is given.

#define _GNU_SOURCE
#include "waiting.h"

#ifdef __linux__

#include <stdatomic.h>

// What the runtime of blocks and Dispatch promise of their binary interface.
struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(struct block *);
};
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *));

static atomic_long waiting;

long waiting_blocks(void) { return waiting; }

static void run(void *context) {
    struct block *block = context;
    block->invoke(block);
    _Block_release(block);
    waiting -= 1;
}

void dispatch_async(void *queue, void *block) {
    waiting += 1;
    dispatch_async_f(queue, _Block_copy(block), run);
}

#else

long waiting_blocks(void) { return -1; }

#endif
