#!/bin/bash
# CPU against GPU of decks by algebraic multigrid: displacements, memcheck, times. Run at the root after a whole build.
B=build; O=/tmp/c39-gpu; mkdir -p $O
python3 - <<'PY'
import sys; sys.path.insert(0, 'scripts/dev')
from compare_solids_calculix import deck
from pathlib import Path
for case, way, n in (('block', 'elastic', 1500), ('block', 'elastic', 100000), ('hole', 'elastic', 100000), ('block', 'nlgeom', 20000), ('thin', 'nlgeom', 20000)):
    Path(f'/tmp/c39-gpu/{case}-{way}-{n}.inp').write_text(deck(case, way, n)[0])
PY
timeout 60 compute-sanitizer --tool memcheck $B/slipwave fem $O/block-elastic-1500.inp --linear cg --preconditioner amg --device cuda -q -o $O/m.h5 2>&1 | tail -2
for d in block-elastic-100000 hole-elastic-100000 block-nlgeom-20000 thin-nlgeom-20000; do
  for how in "--preconditioner amg --device cpu" "--preconditioner amg --device cuda" "--preconditioner block_jacobi --device cuda"; do
    [ "$d" = thin-nlgeom-20000 ] && [ "$how" = "--preconditioner block_jacobi --device cuda" ] && continue
    s=$(date +%s.%N); timeout 100 $B/slipwave fem $O/$d.inp --dialect calculix --linear cg $how -o $O/$d-$(echo $how | tr -d ' -').h5 2>&1 | tail -2 | head -1
    echo "$d $how: $(echo "$(date +%s.%N) - $s" | bc) s"
  done
  python3 - $O/$d <<'PY'
import sys, h5py, numpy as np
u = [h5py.File(f'{sys.argv[1]}-preconditioneramgdevice{k}.h5')['prints/0001/value'][()].ravel()[-3:] for k in ('cpu', 'cuda')]
print('reaction, largest difference over size', np.abs(u[0] - u[1]).max() / np.abs(u[0]).max())
PY
done
rm -rf $O
