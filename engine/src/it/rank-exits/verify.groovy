import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def suite = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.ExitTest.xml'))
assert suite.@tests == '1'
def told = suite.testcase.failure.text() + suite.testcase.error.text()
assert told.contains('rank 1')
assert told =~ /on device \d+ exited with code 7/
// Known when it happens, not when some time-out has passed.
assert suite.testcase.@time.toDouble() < 20

def report = new JsonSlurper().parse(new File(basedir, 'target/rankunit/report.json'))
assert report.tests*.result == ['failed']
assert report.tests[0].ranks[1].device in report.tests[0].devices
