/// Waits until each block that Dispatch was given has ended. Where that can't be counted, for 2 ms.
void wait_for_blocks(void);
