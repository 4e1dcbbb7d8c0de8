/* What `make install` leaves, as a user finds it: headers, library, manual pages, jobs. `make test` installs into
 * $SW_BIN/installed; without that, and without a compiler ($SW_CC), there is nothing to test. */
#include "tests/test.h"

#include <glob.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], installed[PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    const char *bin = getenv("SW_BIN");
    snprintf(installed, sizeof installed, "%s/installed", bin != NULL ? bin : "build");
    snprintf(folder, sizeof folder, "/tmp/slipwave-install-XXXXXX");
    return mkdtemp(folder) == NULL || setenv("INSTALLED", installed, 1) != 0;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void need_installed(void)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/lib/libslipwave.so", installed);
    if (access(path, F_OK) != 0 || getenv("SW_CC") == NULL)
        skip();
}

/* In a shell, in the test's folder; $INSTALLED is the tree. */
static void shell(const char *format, ...)
{
    char line[2048], command[2304];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "cd %s && { %s; } >log 2>&1", folder, line);
    if (system(command) != 0) {
        snprintf(command, sizeof command, "head -c 2000 %s/log", folder);
        if (system(command) != 0)
            puts("no log");
        fail_msg("%s", line);
    }
}

/* Each by itself, in both languages. */
static void headers_compile_alone(void **state)
{
    (void)state;
    glob_t found;
    char pattern[PATH_MAX + 32];
    need_installed();
    const int cxx = system("c++ --version >/dev/null 2>&1") == 0;
    snprintf(pattern, sizeof pattern, "%s/include/slipwave/*.h", installed);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 3);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *header = found.gl_pathv[i];
        shell("cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I$INSTALLED/include -fsyntax-only -x c %s",
              header);
        if (cxx)
            shell("c++ -std=c++17 -Wall -Wextra -Werror -I$INSTALLED/include -fsyntax-only -x c++ %s",
                  header);
    }
    globfree(&found);
}

/* Nothing of libslipwave.so shows but what begins with sw_ or is a user subroutine, and that is in the headers. */
static void only_the_public_face_is_visible(void **state)
{
    (void)state;
    need_installed();
    shell("nm -D --defined-only $INSTALLED/lib/libslipwave.so | awk '{print $3}' | sort >visible; "
          "test $(wc -l <visible) -ge 15; ! grep -v '^sw_\\|^umat_$\\|^umat_user_$\\|^UMAT_USER$' visible; "
          "for s in $(cat visible); do grep -qw $s $INSTALLED/include/slipwave/*.h || { echo $s; exit 1; }; "
          "done");
}

/* A host program, against the installed tree alone, with either library. */
static void example_builds_and_runs(void **state)
{
    (void)state;
    need_installed();
    shell(
        "export PKG_CONFIG_PATH=$INSTALLED/lib/pkgconfig; "
        "examples=$INSTALLED/share/doc/slipwave/examples; for e in stress point; do example=$examples/$e.c; "
        "$SW_CC $example -o shared $(pkg-config --cflags --libs slipwave) -Wl,-rpath,$INSTALLED/lib && "
        "$SW_CC $example -o static $(pkg-config --cflags slipwave) $INSTALLED/lib/libslipwave.a "
        "$(pkg-config --static --libs slipwave | sed 's/-lslipwave//') && "
        "for p in shared static; do "
        "  ./$p $INSTALLED/share/slipwave/data/materials/copper-ofhc.yaml >$p.txt || exit 1; "
        "done; cmp shared.txt static.txt; test $(wc -l <shared.txt) = 10; "
        "! ./shared absent.yaml 2>error; grep -q 'absent.yaml: cannot be read' error || exit 1; done");
}

/* As other codes find them: by name in the library, whichever way that is written, or as an object beside the archive.
 * */
static void user_subroutines_are_found(void **state)
{
    (void)state;
    need_installed();
    shell("export PKG_CONFIG_PATH=$INSTALLED/lib/pkgconfig "
          "SLIPWAVE_MATERIALS=$INSTALLED/share/slipwave/data/points; "
          "driver=$INSTALLED/share/doc/slipwave/examples/umat_driver.c; "
          "$SW_CC $driver -o shared $(pkg-config --cflags --libs slipwave) -lm -Wl,-rpath,$INSTALLED/lib && "
          "ar x $INSTALLED/lib/libslipwave.a umat.o && "
          "$SW_CC $driver umat.o -o static $(pkg-config --cflags slipwave) $INSTALLED/lib/libslipwave.a "
          "$(pkg-config --static --libs slipwave | sed 's/-lslipwave//') && "
          "for p in shared static; do ./$p COPPER >$p.txt || exit 1; done; cmp shared.txt static.txt && "
          "grep -q '^0.20 .* MPa' shared.txt && ! ./shared ABSENT 2>error; grep -q 'absent.yaml: cannot' "
          "error && "
          "nm -D $INSTALLED/lib/libSLIPWAVE.so | grep -q ' T UMAT_USER$'");
}

/* Every job, from anywhere, writing into the working folder; databases and results that some need are made there,
 * smaller than the jobs say. Long ones are interrupted, after all that they name has been read or found missing. */
static void jobs_run_where_they_are(void **state)
{
    (void)state;
    need_installed();
    shell(
        "export data=$INSTALLED/share/slipwave/data PATH=$INSTALLED/bin:$PATH; "
        "for g in 16:16,16,16,12 32:20,20,20,12 64:24,24,24,12 128:32,32,32,24; do "
        "  slipwave-db generate -q $data/materials/copper-ofhc.yaml -o copper-${g%%%%:*}.h5 --grid ${g#*:} "
        "    --terms all || exit 1; "
        "done; for e in 0.005 0.01 0.02 0.04 0.08; do "
        "  slipwave-db generate -q $data/materials/copper-ofhc.yaml -o increment-$e.h5 --grid 16,16,16,12 "
        "    --terms all --strain-increment $e || exit 1; "
        "done; for r in 1 1000; do "
        "  slipwave-db generate -q $data/materials/copper-ofhc.yaml -o rate-$r.h5 --grid 16,16,16,12 "
        "    --terms all --strain-rate $r || exit 1; "
        "done; slipwave-db generate -q $data/materials/aluminium.yaml -o aluminium-64.h5 --grid 24,24,24,12 "
        "--terms all && slipwave-db generate -q $data/materials/tantalum.yaml -o tantalum-64.h5 --grid "
        "16,16,16,12 "
        "--terms all && slipwave kwn -q $data/jobs/kwn-ageing-6082.yaml --classes 64 && "
        "slipwave taylor -q $data/jobs/aged-sheet.yaml --count 100 -o aged-sheet.h5 && "
        "slipwave dem -q $data/jobs/dem-calibration-packing.yaml && "
        "sed 's/particles: 1500/particles: 200/' $data/jobs/dem-membrane-packing.yaml >small.yaml && "
        "slipwave dem -q small.yaml && "
        "ls $data/jobs/*.yaml | xargs -P 2 -I JOB sh -c '"
        "  name=$(basename JOB .yaml); "
        "  case $name in kwn-map-*) command=\"kwn map\";; kwn-*|fem-*|dem-*|sweep-*|forming-*) "
        "command=${name%%%%-*};; "
        "  *) command=taylor;; esac; "
        "  timeout -s INT 0.5 slipwave $command -q JOB -o run-$name.h5 >$name.log 2>&1; status=$?; "
        "  case $status in 0|124|130) ;; *) cat $name.log; exit 1;; esac' && "
        "slipwave taylor -q $data/jobs/simple-shear.yaml --count 20 && test -s simple-shear.h5 && "
        "slipwave kwn -q $data/jobs/kwn-ageing-6082.yaml --classes 64 && test -s kwn-ageing-6082.h5 && "
        "slipwave fem -q $data/jobs/fem-cube.yaml --device cpu && test -s fem-cube.h5");
}

/* A page and completion for each command, from the tables that read their options. */
static void manual_pages_are_there(void **state)
{
    (void)state;
    need_installed();
    shell("cd $INSTALLED/share/man/man1 && for p in slipwave slipwave-db; do "
          "  for c in $($INSTALLED/bin/$p help commands | tr ' ' -); do "
          "    grep -q '^.SH OPTIONS' $p-$c.1 || { echo $p-$c.1; exit 1; }; "
          "  done; grep -q '^.SH COMMANDS' $p.1 || exit 1; "
          "  bash -n $INSTALLED/share/bash-completion/completions/$p || exit 1; done");
}

/* What Tab offers after a line's last word, or part of one. */
static void words_are_completed(void **state)
{
    (void)state;
    need_installed();
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"taylor --device c", "cpu cuda"},
        {"taylor --device = cu", "cuda"},
        {"taylor -s i", "iterative"},
        {"taylor --resu", "--resume"},
        {"pl", "plot"},
        {"kwn ''", "map"},
        {"kwn --res", "--resume"},
        {"kwn map --res", ""}, /* which it refuses */
        {"kwn map --stra", "--strategy"},
        {"kwn map --strategy f", "fused"},
        {"help k", "kwn"},
        {"help pl", "plot"},
        {"help kwn ''", "text keys man alloy map"},
        {"help kwn map a", "alloy"},
        {"help taylor m", "man material"},
        {"plot ''", ""}, /* files */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        shell("bash -c \". $INSTALLED/share/bash-completion/completions/slipwave; COMP_WORDS=(slipwave %s); "
              "COMP_CWORD=\\$((\\${#COMP_WORDS[@]} - 1)); _slipwave; echo \\\"\\${COMPREPLY[*]}\\\"; "
              "test \\\"\\${COMPREPLY[*]}\\\" = '%s'\"",
              cases[i].line, cases[i].words);
}

/* The commands in Python, by their names and as those of `slipwave`. */
static void scripts_are_on_the_path(void **state)
{
    (void)state;
    const char *python = getenv("PYTHON");
    need_installed();
    if (python == NULL || *python == '\0')
        skip();
    shell("export PATH=$INSTALLED/bin:/usr/bin:/bin; "
          "slipwave taylor -q $INSTALLED/share/slipwave/data/jobs/simple-shear.yaml --count 20 -o run.h5 && "
          "slipwave-plot stress-strain run.h5 -o curve.png && test -s curve.png && "
          "slipwave plot stress-strain run.h5 -o curve.svg && test -s curve.svg && "
          "slipwave-compare run.h5 --reference run.h5 | grep -q '^grid .* 0.00%%' && "
          "slipwave help plot | grep -q '^usage: slipwave-plot FILE' && slipwave calibrate --help | grep -q "
          "-- --packing && "
          "! slipwave-calibrate absent.yaml -o out --hide a=1 2>error; test $(wc -l <error) = 1 && "
          "! ls $INSTALLED/share/slipwave/scripts | grep -x 'dev\\|check_layers.py'");
}

/* No link of an installed document leads nowhere. */
static void links_of_documents_resolve(void **state)
{
    (void)state;
    need_installed();
    shell("cd $INSTALLED/share/doc/slipwave && test -x scripts/generate.slurm && find . -name '*.md' "
          ">$OLDPWD/pages && "
          "grep -q tutorial.md $OLDPWD/pages && while read -r page; do "
          "  grep -o ']([^)]*)' $page | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^$\\|^[a-z]*:' | "
          "  while read -r link; do test -e $(dirname $page)/$link || echo $page: $link; done; "
          "done <$OLDPWD/pages >$OLDPWD/broken; ! grep . $OLDPWD/broken");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_compile_alone),      cmocka_unit_test(only_the_public_face_is_visible),
        cmocka_unit_test(example_builds_and_runs),    cmocka_unit_test(jobs_run_where_they_are),
        cmocka_unit_test(manual_pages_are_there),     cmocka_unit_test(scripts_are_on_the_path),
        cmocka_unit_test(links_of_documents_resolve), cmocka_unit_test(words_are_completed),
        cmocka_unit_test(user_subroutines_are_found),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
