/// Begins to keep each place of the program that runs, once, in the order in which it first runs.
void trace_begin(void);
/// Prints the kept places as addresses in the program's file, one a line.
void trace_end(void);
