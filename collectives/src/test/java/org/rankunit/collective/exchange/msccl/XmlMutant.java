package org.rankunit.collective.exchange.msccl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A program with a step left out, doubled, exchanged or made to do something else. It may still be right. */
final class XmlMutant {

    private static final List<String> TYPES = List.of("s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop");
    private static final List<String> BUFFERS = List.of("i", "o", "s");

    private XmlMutant() {}

    static String of(String text, Random random) {
        XmlProgram program = new XmlProgram(text);
        while (true) {
            int gpu = random.nextInt(program.gpus.size());
            XmlProgram.Gpu old = program.gpus.get(gpu);
            int number = random.nextInt(old.blocks().size());
            XmlProgram.Block block = old.blocks().get(number);
            if (!block.steps().isEmpty()) {
                List<XmlProgram.Step> steps = new ArrayList<>(block.steps());
                mutate(steps, old.blocks().size(), random);
                List<XmlProgram.Block> blocks = new ArrayList<>(old.blocks());
                blocks.set(
                        number,
                        new XmlProgram.Block(
                                block.rank(), block.id(), block.send(), block.recv(), block.chan(), steps));
                program.gpus.set(gpu, new XmlProgram.Gpu(old.inputs(), old.outputs(), old.scratch(), blocks));
                return program.text();
            }
        }
    }

    private static void mutate(List<XmlProgram.Step> steps, int blocks, Random random) {
        int at = random.nextInt(steps.size());
        XmlProgram.Step s = steps.get(at);
        int other = random.nextInt(steps.size());
        switch (random.nextInt(14)) {
            case 0 -> steps.remove(at);
            case 1 -> steps.add(at, s);
            case 2 -> Collections.swap(steps, at, other);
            case 3, 4 -> steps.set(at, with(s, s.type(), s.srcoff(), s.dstoff(), s.cnt(), -1, -1, s.hasdep()));
            case 5 ->
                steps.set(
                        at, with(s, s.type(), random.nextInt(4), s.dstoff(), s.cnt(), s.depid(), s.deps(), s.hasdep()));
            case 6 ->
                steps.set(
                        at, with(s, s.type(), s.srcoff(), random.nextInt(4), s.cnt(), s.depid(), s.deps(), s.hasdep()));
            case 7 -> {
                XmlProgram.Step o = steps.get(other);
                steps.set(at, with(s, s.type(), o.srcoff(), o.dstoff(), s.cnt(), s.depid(), s.deps(), s.hasdep()));
                steps.set(other, with(o, o.type(), s.srcoff(), s.dstoff(), o.cnt(), o.depid(), o.deps(), o.hasdep()));
            }
            case 8 -> {
                String type = TYPES.get(random.nextInt(TYPES.size()));
                steps.set(at, with(s, type, s.srcoff(), s.dstoff(), s.cnt(), s.depid(), s.deps(), s.hasdep()));
            }
            case 9 ->
                steps.set(at, with(s, s.type(), s.srcoff(), s.dstoff(), s.cnt(), s.depid(), s.deps(), 1 - s.hasdep()));
            case 10 ->
                steps.set(
                        at,
                        with(
                                s,
                                s.type(),
                                s.srcoff(),
                                s.dstoff(),
                                1 + random.nextInt(2),
                                s.depid(),
                                s.deps(),
                                s.hasdep()));
            case 11, 12 ->
                steps.set(
                        at,
                        with(
                                s,
                                s.type(),
                                s.srcoff(),
                                s.dstoff(),
                                s.cnt(),
                                random.nextInt(blocks),
                                random.nextInt(3),
                                s.hasdep()));
            default -> {
                String from = BUFFERS.get(random.nextInt(3));
                String to = BUFFERS.get(random.nextInt(3));
                steps.set(
                        at,
                        new XmlProgram.Step(
                                s.type(), from, s.srcoff(), to, s.dstoff(), s.cnt(), s.depid(), s.deps(), s.hasdep()));
            }
        }
    }

    private static XmlProgram.Step with(
            XmlProgram.Step s, String type, int srcoff, int dstoff, int cnt, int depid, int deps, int hasdep) {
        return new XmlProgram.Step(type, s.srcbuf(), srcoff, s.dstbuf(), dstoff, cnt, depid, deps, hasdep);
    }
}
