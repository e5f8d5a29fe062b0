import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper
import java.util.zip.ZipFile

// JUnit and AssertJ are the user's own; of us and ours this reaches the project, and nothing else.
def reached = new File(basedir, 'target/tree.txt').readLines().drop(1)
        .collect { it.replaceFirst(/^[^a-z]*/, '').split(':')[0..1].join(':') }
def junits = reached.findAll { it.startsWith('org.junit') }
assert (reached - junits).sort() == [
    'net.bytebuddy:byte-buddy',
    'net.java.dev.jna:jna',
    'org.apiguardian:apiguardian-api',
    'org.assertj:assertj-core',
    'org.opentest4j:opentest4j',
    'org.rankunit:rankunit-annotations',
    'org.rankunit:rankunit-collectives',
    'org.rankunit:rankunit-device-pool',
    'org.rankunit:rankunit-engine',
    'org.rankunit:rankunit-native-comm',
    'org.slf4j:slf4j-api',
]
assert junits.sort() == [
    'org.junit.jupiter:junit-jupiter',
    'org.junit.jupiter:junit-jupiter-api',
    'org.junit.jupiter:junit-jupiter-engine',
    'org.junit.jupiter:junit-jupiter-params',
    'org.junit.platform:junit-platform-commons',
    'org.junit.platform:junit-platform-engine',
]

// Every jar of ours has our licence in it; the one that holds Jackson and ASM has their notices and the licences of what they hold.
def jars = []
new File(localRepositoryPath, 'org/rankunit').eachFileRecurse {
    if (it.name.endsWith('.jar')) jars << it
}
assert jars.size() >= 4
def held = jars.collectEntries { jar -> [jar.name.split('-0')[0], new ZipFile(jar).withCloseable { it.entries().toList()*.name }] }
assert held.values().every { 'META-INF/LICENSE' in it }
def engine = held['rankunit-engine']
assert engine.count { it == 'META-INF/LICENSE' } == 1
assert engine.containsAll(['META-INF/NOTICE', 'META-INF/FastDoubleParser-LICENSE', 'META-INF/Schubfach-LICENSE', 'META-INF/ASM-LICENSE'])
assert held.values().flatten().findAll { it.startsWith('com/') || it.startsWith('picocli/') } == []

// What passes says nothing but that.
def lines = new File(basedir, 'build.log').readLines()
def told = lines.subList(lines.findIndexOf { it.contains(' T E S T S') } + 2, lines.findIndexOf { it.contains('] Results:') })
assert told.findAll { !it.startsWith('[INFO]') } == []

def suite = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.FirstTest.xml'))
assert suite.@tests == '1'
assert suite.@failures == '0'
assert suite.@errors == '0'
assert suite.@skipped == '0'
assert suite.testcase.'system-out'.text() == ''
assert suite.testcase.'system-err'.text() == ''
def report = new JsonSlurper().parse(new File(basedir, 'target/rankunit/report.json'))
assert report.tests*.ranks*.outcome == [['passed', 'passed']]
