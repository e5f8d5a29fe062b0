import groovy.json.JsonSlurper
import java.util.zip.ZipFile

def jar = new File(basedir, 'target/rankunit-cli.jar')
def entries = new ZipFile(jar).withCloseable { it.entries().toList()*.name }

// What it is made of, and nothing of JUnit.
def roots = entries.findAll { it.endsWith('.class') }.collect { it.tokenize('/')[0..<2].findAll { !it.contains('.') }.join('/') }
assert roots.unique().sort() == ['com/sun', 'org/apiguardian', 'org/rankunit', 'org/slf4j', 'picocli']
assert entries.count { it == 'META-INF/LICENSE' } == 1
assert entries.containsAll(['META-INF/THIRD-PARTY.txt', 'META-INF/AL2.0', 'META-INF/LGPL2.1', 'META-INF/LICENSE.txt', 'META-INF/NOTICE', 'META-INF/Schubfach-LICENSE'])
assert entries.any { it ==~ 'linux-[^/]*/librankunit_sim\\.so' }

// Commands find all that they use. Of these four only constants are used, which the compiler has copied.
def jdeps = [new File(System.getProperty('java.home'), 'bin/jdeps').path, '--multi-release', 'base', '--missing-deps', jar.path].execute()
def missing = jdeps.text.readLines().findAll { it.startsWith('   ') }.collect { it.tokenize()[2] }
assert jdeps.waitFor() == 0
assert missing.findAll { !it.startsWith('org.jspecify.annotations.') }.unique().sort() == [
    'org.rankunit.DeviceCount', 'org.rankunit.Rounds', 'org.rankunit.golden.compare.Comparison', 'org.slf4j.event.EventConstants',
]

def java = new File(System.getProperty('java.home'), 'bin/java').path
def pool = new File(basedir, 'target/pool').path
def rankunit = { String... arguments ->
    def process = ([java, '-jar', jar.path] + arguments.toList()).execute()
    def out = new StringBuilder()
    def err = new StringBuilder()
    process.waitForProcessOutput(out, err)
    [code: process.exitValue(), out: out.toString(), err: err.toString()]
}
def said = { String... arguments ->
    def result = rankunit(arguments)
    assert result.err == ''
    assert result.code == 0
    result.out
}

assert said('--version').startsWith('rankunit ')
assert said('devices', '--platform', 'a2a3sim', '--simulator-devices', '2', '--pool-dir', pool).readLines() == [
    'DEVICE  PLATFORM  HEALTH  STATE  TEST  SINCE',
    '0       a2a3sim   ok      free',
    '1       a2a3sim   ok      free',
    '',
    'No request is waiting.',
]
def listing = new JsonSlurper().parseText(said('devices', '--json', '--platform', 'a5sim', '--pool-dir', pool))
assert listing.devices*.state == ['free'] * 16
assert said('probe', '0', '--platform', 'a2a3sim', '--pool-dir', pool).readLines() == [
    'device 0 of a2a3sim: sound', '1 sound, 0 failed, 0 held',
]
assert said('clear', '0', '--platform', 'a2a3sim', '--pool-dir', pool).trim() == 'device 0 of a2a3sim: was sound'
assert said('doctor', '--pool-dir', pool).contains('OK    Simulator')

// The headers of kernels are in the jar.
def kernels = new File(basedir, 'target/kernels/aiv')
kernels.mkdirs()
new File(kernels, 'nop.cpp').text = '#include <rankunit/kernel.h>\nRANKUNIT_KERNEL int nop(const uint64_t *, int) { return 0; }\n'
def environment = System.getenv().collect { name, value -> "$name=$value".toString() } + "XDG_CACHE_HOME=$basedir/target/cache".toString()
def compiling = [java, '-jar', jar.path, 'compile', '--platform', 'a2a3sim', kernels.parent].execute(environment, null)
assert compiling.text ==~ /nop a2a3sim: compiled in \d+ ms\n1 compiled, 0 cached, 0 errors\n/
// Its output ends a moment before it does.
assert compiling.waitFor(60, java.util.concurrent.TimeUnit.SECONDS)
assert compiling.exitValue() == 0

assert said('generate-completion').contains('complete -F')
assert rankunit().code == 2
