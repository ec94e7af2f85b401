# What test.py and coverage.sh know of the tests: the suites whose loads have a deadline, which are run apart from
# those that need the processor.
TIMED='FaultTests|LimitTests|StreamTests|TrapTests|CancellationTests|ConnectionTests'
# How many tests run at a time. With all 450 loads of FaultTests at once, a test waited eleven seconds for its turn.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=64
