// Stands for Apple's module of this name.
@_exported import OpenCombine
