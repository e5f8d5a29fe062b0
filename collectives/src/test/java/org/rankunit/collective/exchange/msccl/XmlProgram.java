package org.rankunit.collective.exchange.msccl;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The elements of a file as they are, for tests alone: read by another parser, and not checked. */
final class XmlProgram {

    /** A step; numbers are those of the attributes. */
    record Step(
            String type,
            String srcbuf,
            int srcoff,
            String dstbuf,
            int dstoff,
            int cnt,
            int depid,
            int deps,
            int hasdep) {

        boolean isNop() {
            return type.equals("nop");
        }

        boolean receives() {
            return type.startsWith("r") && !type.equals("re");
        }

        boolean sends() {
            return type.endsWith("s");
        }

        boolean reads() {
            return List.of("s", "rrs", "rrc", "rrcs", "cpy", "re").contains(type);
        }

        boolean writes() {
            return List.of("r", "rcs", "rrc", "rrcs", "cpy", "re").contains(type);
        }

        boolean reduces() {
            return type.startsWith("rr") || type.equals("re");
        }
    }

    record Block(int rank, int id, int send, int recv, int chan, List<Step> steps) {}

    record Gpu(int inputs, int outputs, int scratch, List<Block> blocks) {}

    final String coll;
    final String proto;
    final int chunks;
    final boolean inPlace;
    final List<Gpu> gpus = new ArrayList<>();

    XmlProgram(String text) {
        Element algo = parsed(text).getDocumentElement();
        coll = algo.getAttribute("coll").replace("_", "");
        proto = algo.getAttribute("proto");
        chunks = number(algo, "nchunksperloop");
        inPlace = number(algo, "inplace") == 1;
        for (Element gpu : children(algo)) {
            List<Block> blocks = new ArrayList<>();
            for (Element tb : children(gpu)) {
                List<Step> steps = children(tb).stream().map(XmlProgram::step).toList();
                blocks.add(new Block(
                        number(gpu, "id"),
                        number(tb, "id"),
                        number(tb, "send"),
                        number(tb, "recv"),
                        number(tb, "chan"),
                        steps));
            }
            gpus.add(new Gpu(number(gpu, "i_chunks"), number(gpu, "o_chunks"), number(gpu, "s_chunks"), blocks));
        }
    }

    private static Document parsed(String text) {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static List<Element> children(Element parent) {
        List<Element> children = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }

    private static Step step(Element step) {
        return new Step(
                step.getAttribute("type"),
                step.getAttribute("srcbuf"),
                number(step, "srcoff"),
                step.getAttribute("dstbuf"),
                number(step, "dstoff"),
                number(step, "cnt"),
                number(step, "depid"),
                number(step, "deps"),
                number(step, "hasdep"));
    }

    private static int number(Element element, String attribute) {
        return Integer.parseInt(element.getAttribute(attribute));
    }

    /** Write the program again, with other steps. */
    String text() {
        XmlText text = new XmlText(coll, proto, gpus.size(), chunks, inPlace);
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            Gpu each = gpus.get(gpu);
            text.gpu(gpu, each.inputs(), each.outputs(), each.scratch());
            for (Block block : each.blocks()) {
                text.block(block.send(), block.recv(), block.chan());
                for (Step step : block.steps()) {
                    text.step(
                            step.type(),
                            step.srcbuf() + step.srcoff(),
                            step.dstbuf() + step.dstoff(),
                            step.cnt(),
                            step.depid(),
                            step.deps(),
                            step.hasdep() == 1);
                }
            }
        }
        return text.toString();
    }
}
