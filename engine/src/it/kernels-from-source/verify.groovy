import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

// One kernel of the class path was compiled, once, though the tests ran twice.
def log = new File(basedir, 'build.log').text
assert log.count('rankunit: compiled ') == 1
assert log.contains('rankunit: compiled 1 kernel for a2a3sim in ')

['first', 'second'].each { run ->
    def suite = new XmlSlurper().parse(new File(basedir, "target/$run/surefire-reports/TEST-org.example.ScaleTest.xml"))
    assert suite.@tests == '2'
    assert suite.testcase.find { it.@name.text().startsWith('scalesByTheRank') }.children().isEmpty()

    // The one that does not compile fails the test that asks for it, with its place.
    def failed = suite.testcase.find { it.@name.text().startsWith('asksForAKernelThatDoesNotCompile') }
    def told = failed.error.text() + failed.failure.text()
    assert told.contains("kernel 'broken' does not compile for a2a3sim (")
    assert told.contains("kernels/aic/broken.cpp:4:22: error: 'missing' was not declared in this scope")

    def report = new JsonSlurper().parse(new File(basedir, "target/$run/rankunit/report.json"))
    assert report.schemaVersion == 3
    assert report.tests.size() == 2
    assert report.tests.every { it.milliseconds.compile >= 0 }
}

// What was compiled is a library with its own name, in a cache of this user.
def libraries = []
new File(basedir, 'target/cache/rankunit/kernels').eachFileRecurse { if (it.name.endsWith('.so')) libraries << it.name }
assert libraries == ['libscale.so']
