/* What a deck says that is not computed, or makes no sense: file, line, keyword, reason. */
#include "decks.h"

#include <string.h>

#define LOADED(load) BODY STATIC(load)
#define TOP_FACE "*SURFACE, NAME=S\nE, S2\n"
#define COUPLED "*NODE\n9, .5, .5, 2.\n*COUPLING, REF NODE=9, SURFACE=S\n"
#define SHELL                                                      \
    CUBE_NODES "*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL \
               "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n.1\n"
#define ONE "*CLOAD\n5, 3, 1.\n"

static const refusal cases[] = {
    {"", "deck.inp: has no keyword"},
    {"1, 2, 3\n", "deck.inp: has no keyword"},
    {BODY, "deck.inp: has no *STEP"},
    {BODY "*STEP\n*STATIC\n", "deck.inp:21: *STEP: is not ended: need *END STEP"},
    {BODY "*STEP\n*END STEP\n", "deck.inp:21: *STEP: has no procedure: need *STATIC or *VISCO"},
    {BODY "*STEP\n*FREQUENCY\n3\n*END STEP\n", "*FREQUENCY: is no static step"},
    {BODY ONE STATIC(""), "*CLOAD: has to stand in a step"},
    {LOADED("*NODE\n9\n"), "deck.inp:23: *NODE: has to stand before the first step"},
    {LOADED("*CLOD\n5, 3, 1.\n"), "deck.inp:23: *CLOD: is not known: did you mean *CLOAD?"},
    {LOADED("*CONTACT PAIR, INTERACTION=I\nA, B\n"), "*CONTACT PAIR: has to stand before the first step"},
    {LOADED("*CLOAD, TIME DELAY=1.\n5, 3, 1.\n"), "*CLOAD: TIME DELAY needs AMPLITUDE="},
    {CUBE_NODES "*ELEMENT, TYPE=C3D8, DLOAD\n1, 1, 2, 3, 4, 5, 6, 7, 8\n",
     "*ELEMENT: DLOAD: faces that load another mesh"},
    {CUBE_NODES "*ELEMENT, TYPE=C3D8R, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*SECTION CONTROLS, NAME=C, "
                "HOURGLASS=STIFFNESS\n" STATIC(""),
     "*SECTION CONTROLS: elements of type C3D8R are there"},
    {LOADED("*CLOAD, FOLLOWER\n5, 3, 1.\n"), "*CLOAD: parameter FOLLOWER is not supported"},
    {LOADED("*CLOAD\nTOP, 3, 1.\n"), "deck.inp:24: *CLOAD: there is no node set 'TOP'"},
    {LOADED("*CLOAD\nE, 3, 1.\n"), "there is no node set 'E', but an element set of this name"},
    {LOADED("*CLOAD\n99, 3, 1.\n"), "deck.inp:24: *CLOAD: there is no node 99"},
    {LOADED("*CLOAD\n5, 4, 1.\n"),
     "deck.inp:24: *CLOAD: component 4 of node 5 is 1, but it has no rotations"},
    {LOADED("*CLOAD\n5, 7, 1.\n"), "'5, 7, 1.': need a node or set, component from 1 to 6, force"},
    {LOADED("*CLOAD\n5, 3, nan\n"), "deck.inp:24: *CLOAD: 'nan' in field 3: need a number"},
    {LOADED("*CLOAD\n5, 3, 1e999\n"), "'1e999' in field 3: need a finite number"},
    {LOADED("*CLOAD, AMPLITUDE=A\n5, 3, 1.\n"), "*CLOAD: there is no amplitude 'A'"},
    {LOADED("*DLOAD\nE, P7, 1.\n"), "*DLOAD: load P7 is not computed"},
    {LOADED("*DLOAD\nE, P, 1.\n"), "element 1 of type C3D8 has no face of P"},
    {LOADED("*DLOAD\nE, GRAV, 9.81, 0, 0, -1\n"), "*DLOAD: element 1: its material STEEL has no density"},
    {LOADED("*RESTART, READ\n"),
     "*RESTART: READ: other runs' results are not read: *INCLUDE, INPUT=THEIR DECK"},
    {BODY "*BOUNDARY\n1, 11, 11, 5.\n" STATIC(""), "component from 1 to 6"},
    {CUBE_NODES "*NODE\n5, 0, 0, 2\n", "deck.inp:11: *NODE: node 5 is there already, at 0, 0, 1"},
    {CUBE_NODES "*NODE\n-5, 0, 0, 2\n", "node -5: need a number from 1 on"},
    {CUBE_NODES "*NODE\n99999999999\n", "'99999999999' in field 1: need a whole number"},
    {CUBE "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 8\n",
     "deck.inp:13: *ELEMENT: element 1 is there already"},
    {CUBE_NODES "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 88\n" STATIC(""),
     "*ELEMENT: there is no node 88"},
    {CUBE_NODES "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7\n", "8 fields: need a number and 8 nodes"},
    {CUBE_NODES "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 8, 9\n", "more than 9 fields"},
    {CUBE_NODES "*ELEMENT, TYPE=C3D9\n1, 1\n", "*ELEMENT: elements of type C3D9 are not computed"},
    {CUBE STEEL STATIC(""),
     "deck.inp:11: *ELEMENT: element 1 of type C3D8 has no section, and so no material"},
    {BODY "*NODE\n9, 2, 2, 2\n*ELEMENT, TYPE=T3D2\n2, 7, 9\n" STATIC(""),
     "*ELEMENT: element 2 of type T3D2 has no section, and so no material"},
    {CUBE SECTION STATIC(""), "*SOLID SECTION: there is no material 'STEEL'"},
    {CUBE "*MATERIAL, NAME=STEEL\n" SECTION STATIC(""),
     "deck.inp:12: material STEEL: no elasticity is given"},
    {"*ELASTIC\n1., .3\n", "*ELASTIC: belongs to a material: need *MATERIAL before it"},
    {"*MATERIAL, NAME=A\n*PLASTIC\n1., .1\n",
     "deck.inp:3: *PLASTIC: plastic strain 0.1: need 0 in the first row"},
    {"*MATERIAL, NAME=A\n*PLASTIC\n1., 0.\n2., 0.\n", "plastic strain 0: need it to ascend"},
    {"*MATERIAL, NAME=SINGLE_CRYSTAL\n*USER MATERIAL, CONSTANTS=1\n1.\n",
     "a material that CalculiX has built in"},
    {"*MATERIAL, NAME=MINE\n*USER MATERIAL, CONSTANTS=1\n1.\n", "MINE is of a subroutine, which is not"},
    {"*MATERIAL, NAME=A\n*DRUCKER PRAGER\n1., 1.\n", "*DRUCKER PRAGER: this material is not computed"},
    {"*MATERIAL, NAME=A\n*HYPERELASTIC, POLYNOMIAL, N=4\n1., 1.\n",
     "*HYPERELASTIC: N=4: need a whole number from 1 to 3"},
    {"*AMPLITUDE, NAME=A\n0., 1., -1., 2.\n", "time -1 after 0: need them ascending"},
    {"*PART, NAME=A\n*NODE\n1\n*ASSEMBLY, NAME=B\n", "deck.inp:1: *PART: is not ended: need *END PART"},
    {"*ASSEMBLY, NAME=B\n*INSTANCE, NAME=I, PART=P\n", "*INSTANCE: there is no part 'P'"},
    {BODY "*COUPLING, REF NODE=1, SURFACE=S\n" STATIC(""), "*COUPLING: there is no surface 'S'"},
    {BODY TOP_FACE "*COUPLING, SURFACE=S\n" STATIC(""), "*COUPLING: needs REFNODE="},
    {BODY TOP_FACE "*COUPLING, REF NODE=1, SURFACE=S\n" STATIC(""),
     "deck.inp:23: *COUPLING: couples nothing: need *KINEMATIC or *DISTRIBUTING after it"},
    {BODY TOP_FACE
     "*COUPLING, REF NODE=1, SURFACE=S\n*COUPLING, REF NODE=2, SURFACE=S\n*KINEMATIC\n" STATIC(""),
     "deck.inp:23: *COUPLING: couples nothing"},
    {BODY TOP_FACE "*COUPLING, REF NODE=1, SURFACE=S, FOO=1\n*KINEMATIC\n" STATIC(""), "parameter FOO"},
    {BODY TOP_FACE COUPLED "*DISTRIBUTING, WEIGHTING METHOD=LINEAR\n" STATIC(""),
     "WEIGHTINGMETHOD=LINEAR is not computed: need UNIFORM"},
    {BODY TOP_FACE COUPLED "*DISTRIBUTING, COUPLING=STRUCTURAL\n" STATIC(""),
     "COUPLING=STRUCTURAL is not computed: need CONTINUUM"},
    {BODY TOP_FACE COUPLED "*KINEMATIC, FOO\n" STATIC(""), "*KINEMATIC: parameter FOO is not supported"},
    {BODY "*ELEMENT, TYPE=SPRINGA\n2, 1, 7\n" STATIC(""),
     "deck.inp:22: *ELEMENT: element 2 of type SPRINGA has no *SPRING or *GAP"},
    {BODY "*ELEMENT, TYPE=SPRINGA, ELSET=P\n2, 1, 7\n*SPRING, ELSET=P, RTOL=1.\n1.\n" STATIC(""),
     "*SPRING: parameter RTOL"},
    {BODY "*MASS, ELSET=E\n1.\n" STATIC(""), "*MASS: element 1 is of type C3D8: need MASS"},
    {BODY "*ELEMENT, TYPE=MASS, ELSET=M\n2, 7\n*MASS, ELSET=M, TYPE=ANISOTROPIC\n1., 2., 3.\n" STATIC(""),
     "*MASS: TYPE=ANISOTROPIC is not computed: need ISOTROPIC"},
    {BODY TOP_FACE "*TIE, NAME=T\nS, S\n" STATIC(""), "*TIE: surface S is tied to itself"},
    {BODY TOP_FACE "*SURFACE, NAME=R\nE, S2\n*TIE, NAME=T\nS, R\n" STATIC(""),
     "*TIE: ties nothing: the slave nodes are the master surface's own"},
    {BODY TOP_FACE "*TIE, NAME=T, NO ROTATION\nS, S\n" STATIC(""), "*TIE: parameter NOROTATION"},
    {BODY "*MPC\nBEAM, 5, 5\n" STATIC(""), "deck.inp:22: *MPC: BEAM: node 5 stands there twice"},
    {BODY "*MPC\nPLANE, 1, 2, 3, 2\n" STATIC(""), "*MPC: PLANE: node 2 stands there twice"},
    {BODY "*MPC, USER\nTIE, 5, 6\n" STATIC(""), "*MPC: parameter USER is not supported: need none"},
    {BODY "*EQUATION\n2\n5, 1, 1., ALL, 1, -1.\n" STATIC(""),
     "its first term has one node, another 8: need the set of nodes first"},
    {BODY "*EQUATION, FOO\n2\n5, 1, 1., 6, 1, -1.\n" STATIC(""), "*EQUATION: parameter FOO"},
    {BODY "*RIGID BODY, NSET=ALL, REF NODE=1, POSITION=CENTER OF MASS\n" STATIC(""),
     "*RIGID BODY: POSITION=CENTER OF MASS is not computed: need INPUT"},
    {BODY "*RIGID BODY, NSET=ALL, REFNOD=1\n" STATIC(""), "*RIGID BODY: parameter REFNOD is not supported"},
    {BODY "*TRANSFORM, NSET=ALL, TYPE=C\n1., 1., 1., 1., 1., 1.\n" STATIC(""),
     "deck.inp:22: *TRANSFORM: its two points are one"},
    {BODY "*TRANSFORM, NSET=ALL\n1., 0, 0, 2., 0, 0\n" STATIC(""),
     "deck.inp:22: *TRANSFORM: its two points and the origin lie on a line"},
    {BODY "*TRANSFORM, NSET=ALL, NAME=A\n1., 0, 0, 0., 1, 0\n" STATIC(""), "*TRANSFORM: parameter NAME"},
    {BODY "*NORMAL, FOO\n1, 1, 0, 0, 1\n" STATIC(""), "*NORMAL: parameter FOO"},
    {BODY "*NODAL THICKNESS, FOO\n1, 1.\n" STATIC(""), "*NODAL THICKNESS: parameter FOO"},
    {CUBE STEEL "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n1.\n" HELD STATIC(""),
     "deck.inp:15: *SHELL SECTION: element 1 is of type C3D8: need another section"},
    {CUBE STEEL "*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=RECT\n1., 1.\n" HELD STATIC(""),
     "*BEAM SECTION: element 1 is of type C3D8"},
    {CUBE_NODES "*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL SECTION STATIC(""),
     "*SOLID SECTION: element 1 is of type S4: need another section"},
    {LOADED("*NODE PRINT, NSETT=ALL\nU\n"), "*NODE PRINT: parameter NSETT is not supported"},
    {LOADED("*EL PRINT, NSET=ALL\nS\n"), "*EL PRINT: parameter NSET is not supported"},
    {LOADED("*NODE PRINT, NSET=ALL, TOTALS=MAYBE\nU\n"), "*NODE PRINT: TOTALS=MAYBE: need YES, ONLY or NO"},
    {LOADED("*NODE PRINT, NSET=ALL, GLOBAL=MAYBE\nU\n"), "*NODE PRINT: GLOBAL=MAYBE: need YES or NO"},
    {BODY "*STEP, NLGEOM=OFF\n*STATIC\n*END STEP\n", "*STEP: NLGEOM=OFF: need YES or NO"},
    {BODY "*STEP, NLGEOM=NOO\n*STATIC\n*END STEP\n", "*STEP: NLGEOM=NOO: need YES or NO"},
    {CUBE "*MATERIAL, NAME=STEEL\n*HYPERELASTIC, NEO HOOKE\n1., .1\n" SECTION HELD
          "*STEP, PERTURBATION\n*STATIC\n*END STEP\n",
     "PERTURBATION is linear: "},
    {BODY "*SPRING, ELSET=S, NONLINEAR\n\n-1., -1.\n1., 2.\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n9, 1, 7\n*STEP, "
          "PERTURBATION\n*STATIC\n*END STEP\n",
     "PERTURBATION is linear: a spring by a table"},
    {BODY "*STEP, PERTURBATION\n*STATIC\n*END STEP\n*STEP\n*STATIC\n*END STEP\n", "nothing has happened yet"},
    {BODY "*STEP, PERTURBATION\n*VISCO\n*END STEP\n", "PERTURBATION is linear: need *STATIC"},
    {CUBE_NODES "*ELEMENT, TYPE=CPE4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL
                "*DENSITY\n1.\n" SECTION STATIC("*DLOAD\nE, GRAV, 9., 0., 0., 1.\n"),
     "a load across the plane element 1"},
    {BODY "*STEP, NLGEOM, PERTURBATION\n*STATIC\n*END STEP\n", "PERTURBATION is linear: NLGEOM with it"},
    {BODY "*STEP, INC=0\n*STATIC\n*END STEP\n", "*STEP: INC=0: need a whole number, 1 or more"},
    {BODY "*STEP\n*STATIC, DIRECT=NO\n*END STEP\n", "*STATIC: DIRECT=NO is not computed"},
    {BODY "*STEP\n*STATIC\n.1, 1., .5, .01\n*END STEP\n",
     "deck.inp:23: *STATIC: least increment 0.5: need at most the first increment 0.1 and the largest 0.01"},
    {"*AMPLITUDE, NAME=A, TIME=TOTL\n0., 0., 1., 1.\n", "TIME=TOTL is not computed: need TOTAL TIME"},
    {"*MATERIAL, NAME=A\n*ELASTIC, TYPE=ISOO\n1., .3\n", "*ELASTIC: TYPE=ISOO is not computed"},
    {"*MATERIAL, NAME=A\n*EXPANSION, TYPE=ISOO\n1.\n", "*EXPANSION: TYPE=ISOO: need ISO"},
    {BODY "*INITIAL CONDITIONS, TYPE=FOO\nALL, 0.\n" STATIC(""),
     "*INITIAL CONDITIONS: TYPE=FOO is not computed"},
    {BODY "*INITIAL CONDITIONS, TYPE=TEMPERATURE\n" STATIC(""), "*INITIAL CONDITIONS: 0 data lines"},
    {BODY "*NSET, NSET=A\n*BOUNDARY\nA, 1, 3\n" STATIC(""), "deck.inp:23: *BOUNDARY: node set A is empty"},
    {BODY "*NSET, NSET=A\nA\n*BOUNDARY\nA, 1, 3\n" STATIC(""), "*BOUNDARY: node set A is empty"},
    {BODY "*NSET, NSET=A\nB\n*NSET, NSET=B\nA\n*BOUNDARY\nA, 1, 3\n" STATIC(""),
     "*BOUNDARY: node set A is empty"},
    {BODY "*SURFACE, NAME=S\n" STATIC(""), "*SURFACE: surface S is empty"},
    {BODY "*NSET, NSET=A\n*TRANSFORM, NSET=A\n1., 0, 0, 0., 1, 0\n" STATIC(""),
     "*TRANSFORM: node set A is empty"},
    {BODY "*TRANSFORM, NSET=A\n1., 0, 0, 0., 1, 0\n" STATIC(""), "*TRANSFORM: there is no node set 'A'"},
    {BODY "*NSET, NSET=A\n*RIGID BODY, NSET=A, REF NODE=1\n" STATIC(""), "*RIGID BODY: NSET=A is empty"},
    {BODY "*ELSET, ELSET=A\n*SPRING, ELSET=A\n\n1.\n" STATIC(""), "*SPRING: element set A is empty"},
    {BODY "*NSET, NSET=A\n" STATIC("*NODE PRINT, NSET=A\nU\n"), "*NODE PRINT: node set A is empty"},
    {BODY "*EQUATION\n2\n7, 1, 1., 6, 1\n" STATIC(""),
     "deck.inp:23: *EQUATION: needs a coefficient in field 6"},
    {BODY "*ELEMENT, TYPE=SPRING1, ELSET=P\n2, 7\n*SPRING, ELSET=P\n1\n, 5.\n" STATIC(""),
     "deck.inp:25: *SPRING: needs a stiffness in field 1"},
    {BODY "*ELEMENT, TYPE=SPRINGA, ELSET=P\n2, 1, 7\n*SPRING, ELSET=P, NONLINEAR\n0., 0.\n2.\n" STATIC(""),
     "deck.inp:25: *SPRING: needs an elongation in field 2"},
    {BODY "*ELEMENT, TYPE=MASS, ELSET=M\n2, 7\n*MASS, ELSET=M\n, 5.\n" STATIC(""),
     "deck.inp:24: *MASS: needs a mass in field 1"},
    {BODY "*ELEMENT, TYPE=MASS, ELSET=M\n2, 7\n" STATIC("*DLOAD\nM, GRAV, 10., 0, 0, -1.\n"),
     "deck.inp:22: *ELEMENT: element 2 of type MASS has no *MASS"},
    {"*AMPLITUDE, NAME=A\n0., 0., , 1.\n", "deck.inp:2: *AMPLITUDE: needs a time in field 3"},
    {"*AMPLITUDE, NAME=A\n0., 0., 1.\n", "deck.inp:2: *AMPLITUDE: needs a value in field 4"},
    {BODY "*ELEMENT, TYPE=SFM3D4, ELSET=SKIN\n2, 5, 6, 7, 8\n*SURFACE, NAME=S\nSKIN, SPOS\n" STATIC(
         "*DSLOAD\nS, P, 1.\n"),
     "deck.inp:22: *ELEMENT: element 2 of type SFM3D4 carries a load, which is not computed"},
    {BODY
     "*ELEMENT, TYPE=DCOUP3D, ELSET=D\n2, 8\n*DISTRIBUTING COUPLING, ELSET=D\n5, 1.\n6, -1.\n" STATIC(""),
     "deck.inp:23: *DISTRIBUTING COUPLING: the sum of its weights is 0: need more than 0"},
    {SHELL "*SURFACE, NAME=S\n1, E2\n1, SPOS\n*NODE\n9, 3.\n*COUPLING, REF NODE=9, "
           "SURFACE=S\n*DISTRIBUTING\n" STATIC(""),
     "*COUPLING: surface S has faces and edges: need one of them"},
    {SHELL "*SURFACE, NAME=S\n1, E5\n" STATIC(""), "*SURFACE: element 1 of type S4 has no face E5"},
    {"*MATERIAL, NAME=A\n*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS, NUMBER BACKSTRESSES=1x\n100., "
     "10., 1.\n",
     "NUMBERBACKSTRESSES=1x: need a whole number from 1 to 10"},
    {"*MATERIAL, NAME=A\n*EXPANSION, ZERO=20K\n1e-5\n", "*EXPANSION: ZERO=20K: need a number"},
    {"*AMPLITUDE, NAME=A, SHIFTX=1..\n0., 0.\n", "*AMPLITUDE: SHIFTX=1..: need a number"},
    {LOADED("*NODE PRINT, NSET=ALL, FREQUENCY=2.5\nU\n"), "FREQUENCY=2.5: need a whole number, 0 or more"},
    {CUBE_NODES "*NCOPY, CHANGE NUMBER=1e2, OLD SET=ALL, SHIFT\n1.\n",
     "*NCOPY: CHANGENUMBER=1e2: need a whole number"},
    {"*MATERIAL, NAME=@A\n*USER MATERIAL, CONSTANTS=1\n5., 20.\n*USER MATERIAL, CONSTANTS=1\n5.\n",
     "deck.inp:4: *USER MATERIAL: is there already"},
    {"*MATERIAL, NAME=@A\n*USER MATERIAL, CONSTANTS=1\n5., 6., 7.\n",
     "deck.inp:3: *USER MATERIAL: more than 2 numbers"},
    {LOADED("*CLOAD\n1099511627781, 3, 1.\n"), "*CLOAD: there is no node 1099511627781"},
    {BODY TOP_FACE "*ORIENTATION, NAME=O\nD\n*DISTRIBUTION, NAME=D\n, 1., 0., 0., 0., 1., 0.\n*COUPLING, REF "
                   "NODE=1, SURFACE=S, ORIENTATION=O\n*KINEMATIC\n" STATIC(""),
     "*COUPLING: ORIENTATION=O goes from element to element: nodes have none"},
    {BODY "*SURFACE, NAME=L\nE, S3\n*SURFACE, NAME=R\nE, S5\n*TIE, NAME=T, CYCLIC SYMMETRY\nR, L\n*CYCLIC "
          "SYMMETRY "
          "MODEL, N=6x, TIE=T\n0., 0., 0., 0., 0., 1.\n" STATIC(""),
     "*CYCLIC SYMMETRY MODEL: N=6x: need a number"},
    {LOADED("*MODEL, TYPE=ELEMENT, REMOVE\n"), "*MODEL: is not known"},
    {BODY "*EQUATION\n2\n5, 7, 1., 6, 1, -1.\n" STATIC(""),
     "*EQUATION: component 7: 1 to 3 are displacements"},
    {BODY "*NSET, NSET=A\n5, 6\n*NSET, NSET=B\n1, 2, 3\n*EQUATION\n2\nB, 1, 1., A, 1, -1.\n" STATIC(""),
     "*EQUATION: term 2 has 2 nodes, another 3"},
    {"*MATERIAL, NAME=A\n*PLASTIC, HARDENING=JOHNSON COOK\n1., 1., 1.\n*RATE DEPENDENT, TYPE=COWPER\n1., "
     "1.\n",
     "*RATE DEPENDENT: TYPE=COWPER is not computed: need POWER LAW, JOHNSON COOK or YIELD RATIO"},
    {CUBE STEEL "*PLASTIC\n100., 0.\n*CYCLIC HARDENING, PARAMETERS\n100., 30., 7.\n" SECTION HELD STATIC(""),
     "cyclic hardening: need combined hardening in *PLASTIC"}, /* it would be left out */
    {CUBE STEEL "*PLASTIC, HARDENING=JOHNSON COOK\n250., 400., .3, 1., 1500., 300.\n"
                "*CYCLIC HARDENING, PARAMETERS\n100., 30., 7.\n" SECTION HELD STATIC(""),
     "hardening of Johnson and Cook beside cyclic or combined hardening: need it alone"},
    {"*MATERIAL, NAME=A\n*RATE DEPENDENT, TYPE=YIELD RATIO\n2., 0.\n",
     "*RATE DEPENDENT: ratio 2 at rate 0: need 1"},
    {"*MATERIAL, NAME=A\n*RATE DEPENDENT, TYPE=YIELD RATIO\n1., 1.\n", "rate of plastic strain 1: need 0"},
    {"*MATERIAL, NAME=A\n*RATE DEPENDENT\n1., 1.\n*RATE DEPENDENT\n1., 1.\n", "is there already"},
    {"*MATERIAL, NAME=A\n*POTENTIAL\n1., 1., 0.\n", "*POTENTIAL: ratio 0: need more than 0"},
    {"*MATERIAL, NAME=A\n*POTENTIAL, TYPE=BARLAT\n1.\n",
     "TYPE=BARLAT is not computed: need HILL, or FUNCTION="},
    {"*MATERIAL, NAME=A\n*POTENTIAL, FUNCTION=yld91\n1.\n",
     "FUNCTION=yld91: need hill48, yld2000_2d or yld2004_18p"},
    {"*MATERIAL, NAME=A\n*POTENTIAL, FILE=no.h5\n", "FILE= has functions by name: need FUNCTION="},
    {"*MATERIAL, NAME=A\n*POTENTIAL, FUNCTION=hill48, FILE=no.h5\n", "*POTENTIAL: FILE=no.h5: no.h5"},
    {"*MATERIAL, NAME=A\n*POTENTIAL, FUNCTION=yld2000_2d\n8., 1., 1.\n",
     "*POTENTIAL: 3 numbers: yld2000_2d needs 9"},
    {"*MATERIAL, NAME=A\n*PLASTIC\n, 0.\n", "*PLASTIC: ', 0.': need stress, plastic strain and temperature"},
    {"*MATERIAL, NAME=A\n*PLASTIC\n1., 0., 20., 3.\n", "*PLASTIC: '1., 0., 20., 3.': need stress"},
    {BODY "*NORMAL\nE, ALL, 0, 0, 1\n" STATIC(""), "*NORMAL: need one element and one node"},
    {BODY "*INITIAL CONDITIONS, TYPE=STRESS\n1, 1, 5., 5., 5.\n" STATIC(""),
     "*INITIAL CONDITIONS: '1, 1, 5., 5., 5.': need an element, a point and six components"},
    {CUBE "*ELGEN\n1, 0, 1\n", "*ELGEN: '1, 0, 1': need numbers of elements of 1 or more"},
    {BODY "*ORIENTATION, NAME=O\nD\n*DISTRIBUTION, NAME=D\n1, 1., 0., 0., 0., 1., 0.\n, 1., 0., 0., 0., 1., "
          "0.\n" STATIC(""),
     "*DISTRIBUTION: names no element: the first line alone is that of all others"},
    {"*MATERIAL, NAME=A\n*PLASTIC, RATE=1.\n1., 0.\n",
     "*PLASTIC: RATE=1: curves by rate are not computed: need 0, or *RATE DEPENDENT"},
    {"*NODE\n1\n2, 1.\n*NSET, NSET=A\n1\n*NSET, NSET=B\n2\n*NFILL, BIAS=0.\nA, B, 4, 1\n",
     "*NFILL: BIAS=0: need 0.001"},
    {LOADED("*DSLOAD, FOLLOWER=MAYBE\nS, P, 1.\n"), "*DSLOAD: FOLLOWER=MAYBE: need YES or NO"},
    {"*\n", "a line with a star needs a keyword"},
};

static void refusals_say_where_and_why(void **state)
{
    (void)state;
    REFUSE_DECKS(cases);
}

/* What Abaqus/CAE writes, of no effect in what is computed. */
static void words_without_effect_are_taken(void **state)
{
    (void)state;
    static const char *const decks[] = {
        CUBE STEEL "*PLASTIC, RATE=0.\n250., 0.\n*USER OUTPUT VARIABLES\n2,\n" SECTION HELD STATIC(""),
        BODY "*INITIAL CONDITIONS, TYPE=FIELD, VARIABLE=1\nALL, 3.\n" STATIC("*FIELD, VARIABLE=1\nALL, 1.\n"),
        BODY TOP_FACE STATIC("*DSLOAD, FOLLOWER=NO, CONSTANT RESULTANT=YES\nS, TRVEC, 1., 0., 1., 0.\n"),
        BODY TOP_FACE STATIC("*DSLOAD\nS, TRVEC, 1., 0., 1., 0.\n")};
    for (size_t k = 0; k < sizeof decks / sizeof *decks; k++) {
        sw_deck *deck;
        const sw_structure_problem *problem;
        CHECK_OK(try_deck(decks[k], SW_DECK_ABAQUS, &deck, &problem));
        sw_deck_free(deck);
    }
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    sw_deck *deck;
    FILE *file = fopen(deck_path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 4096; i++)
        fputc(i * 7 % 256, file);
    fclose(file);
    assert_int_equal(sw_deck_read(deck_path, -1, &deck), SW_ERR_INPUT);
    assert_null(deck);
    unlink(deck_path);
    assert_int_equal(sw_deck_read(deck_path, -1, &deck), SW_ERR_IO);
    assert_int_equal(sw_deck_read(".", -1, &deck), SW_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_say_where_and_why),
        cmocka_unit_test(words_without_effect_are_taken),
        cmocka_unit_test(what_is_no_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
