/* Whether two things are the same, by 64 bits: of what a run depends on, and of saved states. Not against those
 * who want it to fail. */
#ifndef SW_COMMON_FILES_HASH_H
#define SW_COMMON_FILES_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SW_HASH_START UINT64_C(14695981039346656037)

/* Go on from h, at first SW_HASH_START, with `size` bytes: Fowler, Noll and Vo's FNV-1a by words of 8 bytes, the
 * last one filled up with zeros. */
uint64_t sw_hash(uint64_t h, const void *data, size_t size);

/* In hexadecimal. */
enum { SW_HASH_TEXT = 17 };
void sw_hash_text(uint64_t h, char text[SW_HASH_TEXT]);

#endif
