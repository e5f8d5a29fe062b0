package org.rankunit.engine.cases;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Two tests, and one fault that strikes one rank once, at a moment that system properties say. */
@DeviceCount({2, 3, 4, 8})
@TestMethodOrder(MethodOrderer.MethodName.class)
public class ChaosCase {

    /** When the fault strikes. */
    public enum Moment {
        BEFORE_ALL,
        BEFORE_EACH,
        BODY,
        BETWEEN_BARRIERS,
        VERIFY,
        AFTER_EACH,
        AFTER_ALL
    }

    public static final String FAULT = "chaos.fault";
    public static final String MOMENT = "chaos.moment";
    public static final String RANK = "chaos.rank";
    public static final String ONCE = "chaos.once";

    @BeforeAll
    static void open(RankContext rank) throws IOException {
        reached(Moment.BEFORE_ALL, rank);
        rank.barrier();
    }

    @BeforeEach
    void prepare(RankContext rank) throws IOException {
        reached(Moment.BEFORE_EACH, rank);
    }

    @Test
    void first(RankContext rank) throws IOException {
        work(rank);
    }

    @Test
    void second(RankContext rank) throws IOException {
        work(rank);
    }

    private static void work(RankContext rank) throws IOException {
        reached(Moment.BODY, rank);
        rank.barrier();
        reached(Moment.BETWEEN_BARRIERS, rank);
        rank.barrier();
        reached(Moment.VERIFY, rank);
    }

    @AfterEach
    void cleanUp(RankContext rank) throws IOException {
        reached(Moment.AFTER_EACH, rank);
        rank.barrier();
    }

    @AfterAll
    static void close(RankContext rank) throws IOException {
        reached(Moment.AFTER_ALL, rank);
        rank.barrier();
    }

    private static void reached(Moment moment, RankContext rank) throws IOException {
        if (rank.rank() == Integer.getInteger(RANK, -1) && moment.name().equals(System.getProperty(MOMENT))) {
            try {
                Files.createFile(Path.of(System.getProperty(ONCE)));
            } catch (FileAlreadyExistsException e) {
                return;
            }
            Fault.valueOf(System.getProperty(FAULT)).strike();
        }
    }
}
