// Package neotest runs a real Neo4j for tests and fills it from the CSV
// folders that the embedded graph reads.
//
// It takes the first of these that it finds:
//
//   - NEO4J_TEST_URI (with NEO4J_TEST_USERNAME and NEO4J_TEST_PASSWORD): a
//     server that is already up. Its graph is erased. Test binaries take
//     turns on it.
//   - Java 17 and the jars of Neo4j [Version]: those named by NEO4J_JARS (a
//     folder of jars, or one with a file "classpath"), else what Maven
//     resolves. The first time on a machine Maven downloads about 110 MB.
//   - Docker with a running engine.
//
// Without any of them a test is skipped, and a line on standard error says
// so; where CI=true it fails. A server ends with the process that started it,
// also when that process is killed. Start reading at server.go.
package neotest
