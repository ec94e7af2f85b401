# What test.sh and coverage.sh know of the tests: the suites whose loads have a deadline, which are run apart from
# those that need the processor.
TIMED='FaultTests|LimitTests|StreamTests|TrapTests|CancellationTests|ConnectionTests'
