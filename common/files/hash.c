#include "hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t sw_hash(uint64_t h, const void *data, size_t size)
{
    const char *bytes = data;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        h = (h ^ word) * UINT64_C(1099511628211);
        h ^= h >> 29; /* high bits reach low ones, too */
    }
    return h;
}

void sw_hash_text(uint64_t h, char text[SW_HASH_TEXT]) { snprintf(text, SW_HASH_TEXT, "%016" PRIx64, h); }
