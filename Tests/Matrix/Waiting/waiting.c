// Stands for `dispatch_async`, and counts what it is given.

#define _GNU_SOURCE
#include "waiting.h"

#ifdef __linux__

#include <pthread.h>

// What the runtime of blocks and Dispatch promise of their binary interface.
struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(struct block *);
};
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static long waiting;

static void add(long count) {
    pthread_mutex_lock(&lock);
    waiting += count;
    if (waiting == 0) pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
}

void wait_for_blocks(void) {
    pthread_mutex_lock(&lock);
    while (waiting != 0) pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
}

static void run(void *context) {
    struct block *block = context;
    block->invoke(block);
    _Block_release(block);
    add(-1);
}

void dispatch_async(void *queue, void *block) {
    add(1);
    dispatch_async_f(queue, _Block_copy(block), run);
}

#else

#include <unistd.h>

void wait_for_blocks(void) { usleep(2000); }

#endif
