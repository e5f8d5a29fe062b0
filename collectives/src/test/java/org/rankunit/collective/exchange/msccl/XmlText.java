package org.rankunit.collective.exchange.msccl;

import java.util.ArrayList;
import java.util.List;

/** Builds the text of a program, a step on each line. */
final class XmlText {

    private final StringBuilder text = new StringBuilder();
    private int blocks;
    private int steps;

    XmlText(String coll, String proto, int ranks, int chunks, boolean inPlace) {
        text.append(String.format(
                "<algo name=\"%s\" proto=\"%s\" nchannels=\"2\" nchunksperloop=\"%d\" ngpus=\"%d\" coll=\"%s\" inplace=\"%d\">%n",
                coll, proto, chunks, ranks, coll, inPlace ? 1 : 0));
    }

    XmlText gpu(int id, int inputs, int outputs, int scratch) {
        endOf("gpu");
        blocks = 0;
        text.append(String.format(
                "  <gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">%n", id, inputs, outputs, scratch));
        return this;
    }

    private void endOf(String element) {
        if (steps >= 0 && open.contains("tb")) {
            text.append("    </tb>\n");
            open.remove("tb");
        }
        if (element.equals("gpu")) {
            if (open.contains("gpu")) {
                text.append("  </gpu>\n");
            }
            open.remove("gpu");
            open.add("gpu");
        }
    }

    private final List<String> open = new ArrayList<>();

    XmlText block(int send, int recv, int channel) {
        endOf("tb");
        open.add("tb");
        steps = 0;
        text.append(String.format(
                "    <tb id=\"%d\" send=\"%d\" recv=\"%d\" chan=\"%d\">%n", blocks++, send, recv, channel));
        return this;
    }

    /** Add a step; places are such as {@code "i0"}. */
    XmlText step(String type, String from, String to, int count) {
        return step(type, from, to, count, -1, -1, false);
    }

    XmlText step(String type, String from, String to, int count, int block, int step, boolean hasDep) {
        text.append(String.format(
                "      <step s=\"%d\" type=\"%s\" srcbuf=\"%s\" srcoff=\"%s\" dstbuf=\"%s\" dstoff=\"%s\" cnt=\"%d\""
                        + " depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>%n",
                steps++,
                type,
                from.charAt(0),
                from.substring(1),
                to.charAt(0),
                to.substring(1),
                count,
                block,
                step,
                hasDep ? 1 : 0));
        return this;
    }

    @Override
    public String toString() {
        return text + (open.contains("tb") ? "    </tb>\n" : "") + "  </gpu>\n</algo>\n";
    }
}
