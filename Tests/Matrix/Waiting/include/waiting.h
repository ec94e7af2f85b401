/// How many blocks given to `dispatch_async` have not ended, in all of this process.
///
/// On Linux, where the program's own `dispatch_async` stands before the library's; -1 elsewhere.
long waiting_blocks(void);
