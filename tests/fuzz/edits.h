/* Edits of an HDF5 file, as bytes: what another program, or a disk, could have made of it. HDF5 itself is not at stake,
 * so files stay ones that it can read: objects vanish, change their type, rank, length, what they hold.
 *
 * An edit is six bytes: what to do, to which object, two that say where, two that say what with. Those that do not apply
 * do nothing. */
#ifndef SW_TESTS_FUZZ_EDITS_H
#define SW_TESTS_FUZZ_EDITS_H

#include <stddef.h>
#include <stdint.h>

enum {
    SW_EDIT_VALUE,     /* a number of a dataset becomes one of `values` */
    SW_EDIT_ALL,       /* all of them */
    SW_EDIT_REMOVE,    /* it is gone */
    SW_EDIT_SHAPE,     /* other lengths, the rank too */
    SW_EDIT_TYPE,      /* it holds texts, integers, ... */
    SW_EDIT_LINK,      /* a link to nothing, to itself, to the root; a group; a null dataset */
    SW_EDIT_ATTRIBUTE, /* of an object: gone, a text, a number, many, a null one */
    SW_EDIT_NUMBER,    /* of an attribute of numbers becomes one of `values` */
    SW_EDIT_LETTER,    /* of an attribute's text */
    SW_EDITS,
    SW_EDIT_SIZE = 6
};

/* How many objects a file has, which is kept in memory, as they can be edited; 0: it cannot be read. */
int sw_edits_open(const char *base);
void sw_edits_close(void);

/* base -> path, with edits [size / SW_EDIT_SIZE]; without the seal that base may have. */
void sw_edits_apply(const char *base, const char *path, const uint8_t *edit, size_t size);

/* Of all datasets and attributes of a file but those that say how long something took; 0: it cannot be read. */
uint64_t sw_edits_digest(const char *path);

#endif
