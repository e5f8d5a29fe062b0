open module org.example.tests {
    requires org.junit.jupiter.api;
    requires org.rankunit;
}
