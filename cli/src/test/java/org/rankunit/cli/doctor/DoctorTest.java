package org.rankunit.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.cli.doctor.Doctor.Diagnosis;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

@Tag("unit")
class DoctorTest {

    @Test
    void findingsAreSaidOnALineEachWithAdviceBelow() {
        List<Diagnosis> all = List.of(
                new Diagnosis("Java", Finding.ok("17.0.15")),
                new Diagnosis("CANN", Finding.warn("no libhccl.so", "Install it")),
                new Diagnosis("Pool folder", Finding.fail("/x: it is\nnot a folder", "Set rankunit.pool-dir")));

        assertThat(Doctor.lines(all))
                .containsExactly(
                        "OK    Java         17.0.15",
                        "WARN  CANN         no libhccl.so",
                        "                   -> Install it",
                        "FAIL  Pool folder  /x: it is not a folder",
                        "                   -> Set rankunit.pool-dir",
                        "1 OK, 1 WARN, 1 FAIL");
    }

    @Test
    void aMachineOfWhichNothingIsKnownStillGetsAllFindings(@TempDir Path nothing) {
        Host host = new Host(nothing, Map.of(), name -> name.equals("java.io.tmpdir") ? "/" : null, 1);

        List<Diagnosis> all = new Doctor(host, Doctor.Pool.none("no pool")).examine();

        assertThat(all).extracting(Diagnosis::subject).doesNotHaveDuplicates().contains("Java", "Limits", "Cores");
        assertThat(all).noneMatch(each -> each.finding().what().startsWith("this check could not be made"));
    }
}
