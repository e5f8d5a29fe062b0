package org.rankunit.engine.compile.source;

/** What a source is written for. Each kind has a folder of its own below {@code kernels}. */
public enum SourceKind {
    AIV("aiv", "RANKUNIT_CORE_AIV"),
    AIC("aic", "RANKUNIT_CORE_AIC"),
    ORCHESTRATION("orchestration", "RANKUNIT_ORCHESTRATION");

    private final String folder;
    private final String macro;

    SourceKind(String folder, String macro) {
        this.folder = folder;
        this.macro = macro;
    }

    public String folder() {
        return folder;
    }

    /** The macro that is defined when it is compiled. */
    public String macro() {
        return macro;
    }
}
