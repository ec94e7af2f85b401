/// Kills this process when so many more bytes have been written to files: within a write, or before or
/// after a call that changes a folder, which counts as 64 bytes.
void kill_after(long bytes);

/// Kills this process at one of the next calls that open, write, flush, rename, link, shorten or remove a
/// file: the call of this number, counted from 1. A write is cut off in its middle; another call is made
/// or not made before the end, by the parity of the number.
void kill_at_call(long number);

/// Lets so many of these calls fail with a code such as ENOSPC, from the call of this number on. A write
/// with ENOSPC writes half of its bytes first, as on a disk that gets full.
void fail_from_call(long number, int code, long count);

/// How many of these calls there were since one of these functions was called.
long calls_counted(void);
