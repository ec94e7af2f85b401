#include "Malloc.h"
