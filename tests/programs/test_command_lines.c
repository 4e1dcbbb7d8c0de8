/* What both programs say of themselves. */
#include "programs.h"

static const bad_case bad_cases[] = {
    COMMAND("slipwave-db: unknown command", "slipwave-db create", "unknown command 'create'",
            "need one of generate, inspect, validate"),
    COMMAND("slipwave: unknown command", "slipwave tailor", "unknown command 'tailor'",
            "did you mean 'taylor'?"),
    COMMAND("slipwave: unknown command near a separate one", "slipwave plt", "unknown command 'plt'",
            "did you mean 'plot'?"),
    COMMAND("option misspelt", "slipwave taylor job.yaml --termz 3", "unknown option '--termz'",
            "did you mean '--terms'?"),
    COMMAND("unknown letter", "slipwave taylor job.yaml -z", "unknown option '-z'", "--help"),
    COMMAND("option without its value", "slipwave taylor job.yaml --terms", "'--terms' needs a value"),
    COMMAND("option with a value", "slipwave taylor job.yaml --quiet=3", "takes no value"),
    COMMAND("two files", "slipwave taylor a.yaml b.yaml", "one job file at a time: a.yaml, b.yaml"),
    COMMAND("no file", "slipwave taylor", "taylor needs a job file"),
    COMMAND("help: unknown command", "slipwave help tailor", "unknown command 'tailor'"),
    COMMAND("help: unknown form", "slipwave help taylor pdf", "need one of text, keys, man, material"),
    COMMAND("help: unknown file", "slipwave help kwn metal", "need one of text, keys, man, alloy"),
};

static void versions_and_help(void **state)
{
    (void)state;
    static const struct {
        const char *command, *part[3];
    } cases[] = {
        {"slipwave -h", {"kwn map ", "plot ", "calibrate "}},
        {"slipwave help taylor man", {"between states kept in FILE.partial", "in s (60)"}},
        {"slipwave help man", {"\\fBplot\\fR", "slipwave\\-calibrate"}},
        {"slipwave-db --version", {"slipwave-db " SW_VERSION "\n"}},
        {"slipwave --version", {"slipwave " SW_VERSION "\n"}},
        {"slipwave-db --help", {"generate ", "inspect ", "validate "}},
        {"slipwave --help", {"taylor ", "certify ", "sweep "}},
        {"slipwave-db generate --help",
         {"Usage: slipwave-db generate", "--grid=N1,N2,N3,N4", "MATERIAL.yaml"}},
        {"slipwave-db inspect --help", {"Usage: slipwave-db inspect", "DB.h5"}},
        {"slipwave-db validate --help", {"Usage: slipwave-db validate", "--points=N", "DB.h5"}},
        {"slipwave taylor --help", {"Usage: slipwave taylor", "--solver=NAME", "JOB.yaml"}},
        {"slipwave certify --help", {"Usage: slipwave certify", "--crystals=N", "DB.h5"}},
        {"slipwave taylor --usage", {"Usage: slipwave taylor", "[--solver=NAME]"}},
        {"slipwave taylor -h", {"Usage: slipwave taylor", "--solver=NAME", "JOB.yaml"}},
        {"slipwave -h", {"taylor ", "certify ", "sweep "}},
        {"slipwave help", {"taylor ", "certify ", "sweep "}},
        {"slipwave help kwn alloy", {"with law `classical`; with sites `dislocations` (needed) |"}},
        {"slipwave help fem keys",
         {"auto of a deck: direct up to 5,000 unknowns", "friction, crystals), else block_jacobi |"}},
        {"slipwave help taylor", {"Usage: slipwave taylor", "--solver=NAME", "JOB.yaml"}},
        {"slipwave help taylor keys", {"| `solver` | terms, grid, ", "| `loading[].duration` |"}},
        {"slipwave help taylor man", {".TH \"slipwave\\-taylor\" 1", "\\-\\-solver", ".SH KEYS"}},
        {"slipwave help kwn alloy", {"| `phases[].nucleation.law` | none, classical or arrhenius |"}},
        {"slipwave help point keys", {"| `crystals.count` |", "| `largest_strain_increment` |"}},
        {"slipwave help kwn map", {"Usage: slipwave kwn map", "MAP.yaml"}},
        {"slipwave help kwn man", {".SH KEYS OF THE FILE", ".SH KEYS OF A FILE: alloy", "solutes[]"}},
        {"slipwave help man", {".TH \"slipwave\" 1", "\\fBsweep\\fR"}},
        {"slipwave help completion", {"complete -o default -F _slipwave slipwave", "--solver"}},
        {"slipwave-db help generate material", {"| `hardening.law` | ", "| `elasticity.C11` | Pa, from"}},
        {"slipwave-db help generate material keys", {"| `hardening.law` | "}},
        {"slipwave-db help generate man", {".SH KEYS OF A FILE: material", "saturation_resistance"}},
        {"slipwave-db help generate", {"Usage: slipwave-db generate", "--grid=N1,N2,N3,N4"}},
    };
    result r;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_well(cases[i].command, &r);
        for (int k = 0; k < 3 && cases[i].part[k] != NULL; k++)
            if (strstr(r.out, cases[i].part[k]) == NULL)
                fail_msg("%s: no '%s' in '%s'", cases[i].command, cases[i].part[k], r.out);
    }
    run("slipwave", &r); /* no command: the list of them, on stderr */
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "taylor "));
}

int main(void)
{
    static const struct CMUnitTest others[] = {cmocka_unit_test(versions_and_help)};
    return RUN_CASES(bad_cases, others);
}
