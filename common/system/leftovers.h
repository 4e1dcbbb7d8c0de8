/* Files that a program which is ended in the midst of its work takes with it: those under temporary names, locks. */
#ifndef SW_COMMON_SYSTEM_LEFTOVERS_H
#define SW_COMMON_SYSTEM_LEFTOVERS_H

/* From now on, until forgotten; the name is copied. Names beyond what there is room for stay, as after a kill. */
void sw_leftover_add(const char *path);
void sw_leftover_forget(const char *path);

/* In a signal handler. */
void sw_leftovers_remove(void);

#endif
