import groovy.xml.XmlSlurper

def suite = { version ->
    new XmlSlurper().parse(new File(basedir, "target/surefire-$version/surefire-reports/TEST-org.example.DeviceTest.xml"))
}
def log = new File(basedir, 'build.log').text

// Its launcher would log that no engine can discover anything, run no test, and be green.
def refused = suite('2.22.2')
assert refused.testcase.size() == 1
assert refused.testcase.error.@message.text().contains('Surefire 2.22.2, which is too old for RankUnit')
assert refused.testcase.error.@message.text().contains('Set the version of maven-surefire-plugin in the pom to 3.5.6')

def told = suite('3.0.0')
assert told.@tests == '1'
assert told.@failures == '0'
assert told.@errors == '0'
assert log.count('rankunit: this build runs its tests with Surefire 3.0.0, and RankUnit is tested with 3.5.6 and newer.') == 1
