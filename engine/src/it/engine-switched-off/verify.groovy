import groovy.xml.XmlSlurper

def suite = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.DeviceTest.xml'))
assert suite.testcase.size() >= 1
suite.testcase.each { test ->
    assert test.failure.size() + test.error.size() == 1
}

def log = new File(basedir, 'build.log').text
assert log.contains("The engine 'rankunit' did not claim it.")
assert log.contains('includeJUnit5Engines')
