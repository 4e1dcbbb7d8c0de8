/* A line on stderr when a program ends otherwise than by its main(): libraries that find no memory crash (HDF5 while it
 * starts), abort (FFTW) or exit (HDF5, OpenMP), some without a word. The status, and a core file, are theirs. */
#ifndef SW_COMMON_SYSTEM_LAST_WORDS_H
#define SW_COMMON_SYSTEM_LAST_WORDS_H

/* Between these two an end is not ours. `program` begins the line; it is kept, not copied. */
void sw_last_words_begin(const char *program);
void sw_last_words_end(void);
/* Whether --resume may go on from something; not, unless told. */
void sw_last_words_resume(int can);

/* In a signal handler that ends the program because it was asked to stop: a line, unless another process has told why all end, which
 * by_another, called there, knows. */
void sw_last_words_unless(int (*by_another)(void));
void sw_last_words_interrupted(void);

#endif
