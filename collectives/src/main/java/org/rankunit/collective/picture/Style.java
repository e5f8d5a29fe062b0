package org.rankunit.collective.picture;

/** How pictures look, in light and in dark. */
final class Style {

    /** Colours of the picture of its own: a page may have others. */
    static final String COLOURS = """
            .cp { --cp-back: #ffffff; --cp-text: #1c2128; --cp-dim: #57606a; --cp-band: #eef1f5; --cp-line: #d8dce2;
              --cp-inside: #0a58b8; --cp-between: #b35900; --cp-local: #6d5bb8; --cp-bad: #c4162a; --cp-light: 86%; --cp-sat: 65%;
              --cp-new: #1c2128; --cp-bad-back: #fbdadd; background: #ffffff }
            @media (prefers-color-scheme: dark) { .cp { --cp-back: #0e1217; --cp-text: #dfe4ea; --cp-dim: #98a3b0;
              --cp-band: #1a2029; --cp-line: #2d3540; --cp-inside: #76b3f7; --cp-between: #f0a35c; --cp-local: #a99be8;
              --cp-bad: #ff8079; --cp-light: 26%; --cp-sat: 40%; --cp-new: #dfe4ea; --cp-bad-back: #4a1d22; background: #0e1217 } }
            """;

    /** Everything else; it knows colours by their names alone. */
    static final String RULES = """
            .cp text { font: 11px system-ui, "DejaVu Sans", sans-serif; fill: var(--cp-text) }
            .cp .head { font-size: 15px; font-weight: 650 } .cp .part { font-size: 12px; font-weight: 650 }
            .cp .name, .cp .time { fill: var(--cp-dim) } .cp .end { text-anchor: end } .cp .rank { font-weight: 600 }
            .cp .mid, .cp .label, .cp .held { text-anchor: middle } .cp .told { fill: var(--cp-bad) }
            .cp .band { fill: var(--cp-band) } .cp .grid { stroke: var(--cp-line); stroke-width: 1; stroke-dasharray: 2 3; fill: none }
            .cp .inside { --c: var(--cp-inside) } .cp .between { --c: var(--cp-between) } .cp .local { --c: var(--cp-local) }
            .cp .stuck, .cp .missing, .cp g.bad { --c: var(--cp-bad) }
            .cp .bar { fill: var(--cp-back); stroke: var(--c); stroke-width: 1.2; rx: 2px } .cp .sum .bar { stroke-width: 2.4 }
            .cp .line { fill: none; stroke: var(--c); stroke-width: 1.7 } .cp .tip { fill: var(--c) }
            .cp .read .line { stroke-dasharray: 5 3 } .cp .bad .bar { stroke-width: 2.6 }
            .cp .missing .line { stroke-width: 2.4; stroke-dasharray: 2 4 }
            .cp .missing .label, .cp .stuck .label { fill: var(--cp-bad); font-weight: 600 }
            .cp .post { fill: var(--cp-dim) } .cp .wait { fill: var(--cp-back); stroke: var(--cp-dim); stroke-width: 0.8 }
            .cp .post.bad { fill: var(--cp-bad) } .cp .wait.bad { stroke: var(--cp-bad); stroke-width: 2 }
            .cp .signal { fill: none; stroke: var(--cp-dim); stroke-width: 0.8; opacity: 0.35 }
            .cp .transfer:hover .line, .cp .missing:hover .line { stroke-width: 3.4 }
            .cp .cell { stroke: var(--cp-line); stroke-width: 1; fill: hsl(var(--h, 212) var(--cp-sat) var(--cp-light)) }
            .cp .cell.none { fill: none } .cp .cell.all { --h: 130 } .cp .cell.new { stroke: var(--cp-new); stroke-width: 1.3 }
            .cp .cell.bad { fill: var(--cp-bad-back); stroke: var(--cp-bad); stroke-width: 2 }
            .cp .l1 { fill-opacity: 0.3 } .cp .l2 { fill-opacity: 0.38 } .cp .l3 { fill-opacity: 0.5 } .cp .l4 { fill-opacity: 0.6 }
            .cp .l5 { fill-opacity: 0.7 } .cp .l6 { fill-opacity: 0.8 } .cp .l7 { fill-opacity: 0.9 }
            .cp .s0 { --h: 212 } .cp .s1 { --h: 28 } .cp .s2 { --h: 145 } .cp .s3 { --h: 285 } .cp .s4 { --h: 52 } .cp .s5 { --h: 178 }
            .cp .s6 { --h: 340 } .cp .s7 { --h: 250 } .cp .s8 { --h: 85 } .cp .s9 { --h: 5 } .cp .s10 { --h: 195 } .cp .s11 { --h: 312 }
            .cp .s12 { --h: 115 } .cp .s13 { --h: 40 } .cp .s14 { --h: 232 } .cp .s15 { --h: 162 }
            """;

    private Style() {}
}
