/// Kills this process when so many more bytes have been written to files: within a write, or before or
/// after a call that changes a folder, which counts as 64 bytes.
void kill_after(long bytes);
