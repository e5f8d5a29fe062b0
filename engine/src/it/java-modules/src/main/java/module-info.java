module org.example.modules {
    requires java.sql;
    requires org.slf4j;
}
