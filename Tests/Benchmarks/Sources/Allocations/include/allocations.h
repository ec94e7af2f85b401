#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/// How often this thread has asked for memory; always 0 where it can't be counted.
long allocations(void);

#endif
