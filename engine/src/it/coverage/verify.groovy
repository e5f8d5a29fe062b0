// JaCoCo's agent was inherited by the ranks, which wrote what they covered at their orderly end.
def rows = new File(basedir, 'target/site/jacoco/jacoco.csv').readLines()*.split(',')
def columns = rows[0] as List
def covered = rows.drop(1).collectEntries { row ->
    [row[columns.indexOf('CLASS')], [row[columns.indexOf('LINE_MISSED')], row[columns.indexOf('LINE_COVERED')]]]
}
assert covered == [Ring: ['1', '2']]
