/* Rows of tables whose code a build may be without: the pointer, or NULL. */
#ifndef SW_COMMON_SYSTEM_BUILT_H
#define SW_COMMON_SYSTEM_BUILT_H

#ifdef SW_HAVE_CUDA
#define SW_WITH_CUDA(pointer) (pointer)
#else
#define SW_WITH_CUDA(pointer) NULL
#endif

/* Strategies of papers that are kept for comparison (docs/papers.md): in no row of a build by `make PAPERS=`. */
#ifdef SW_HAVE_PAPERS
#define SW_WITH_PAPERS(pointer) (pointer)
enum { SW_HAS_PAPERS = 1 };
#else
#define SW_WITH_PAPERS(pointer) NULL
enum { SW_HAS_PAPERS = 0 };
#endif
#define SW_NO_PAPERS "this build is without the papers' strategies (make PAPERS=yes)"

#endif
