import java.nio.channels.FileChannel
import java.nio.file.StandardOpenOption

def log = new File(basedir, 'build.log').text
assert log.contains('There was a timeout')

// The ranks end by themselves when the process of the tests is gone, and take with them what they have started.
def target = new File(basedir, 'target')
def started = (0..1).collectMany { new File(target, "processes-of-rank-$it").text.split(' ') as List }
assert started.size() == 4
def living = { pid ->
    def stat = new File("/proc/$pid/stat")
    // A process that has ended, and that nobody has asked for, is a zombie.
    try { stat.exists() && !(stat.text =~ /\) [ZX] /) } catch (IOException e) { false }
}
def deadline = System.nanoTime() + 30_000_000_000L
while (started.any(living) && System.nanoTime() < deadline) {
    Thread.onSpinWait()
}
assert started.findAll(living) == []

// The kernel has freed the devices.
def locks = new File(target, 'pool/a2a3sim').listFiles().findAll { it.name.endsWith('.lock') }
assert locks.size() >= 2
for (file in locks) {
    FileChannel.open(file.toPath(), StandardOpenOption.WRITE).withCloseable { assert it.tryLock() != null }
}
