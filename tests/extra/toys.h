/* What a newcomer adds to the lists of lattices, of laws and of homogenizations: a line each. Included first in all files of this build. */
#define SW_LATTICE_EXTRA(X) X(toy)
#define SW_LAW_EXTRA(X) X(toy)
#define SW_HOMOGENIZATION_EXTRA(X) X(toy)
#define SW_LAW_EXTRA_FILE "tests/extra/toy_law.h"
