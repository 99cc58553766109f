package neotest

import (
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

const pom = `<project><modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>neo4j</artifactId><version>1</version><dependencies>
<dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>` + Version + `</version></dependency>
<dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>` + Version + `</version></dependency>
</dependencies></project>
`

// launchJars starts Neo4j with this machine's Java.
func launchJars(o Options) (*Server, func() error, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, nil, fmt.Errorf("%w: no java", errNone)
	}
	classes, err := classpath()
	if err != nil {
		return nil, nil, err
	}
	home, err := os.MkdirTemp("", "precedent-neo4j-")
	if err != nil {
		return nil, nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	for _, dir := range []string{"conf", "data", "logs", "run", "import", "plugins"} {
		if err := os.Mkdir(filepath.Join(home, dir), 0o700); err != nil {
			return nil, nil, err
		}
	}
	name := filepath.Base(home)
	stop, err := guard(append(o.run.outlast(name), "kill -9 $(cat "+shellWord(home)+"/pid)", "rm -rf "+shellWord(home))...)
	if err != nil {
		return nil, nil, err
	}
	i := &installation{java, classes, home, port, o, nil}
	if err := i.start(o.Config); err != nil {
		stop()
		return nil, nil, err
	}
	s := &Server{URI: "bolt://127.0.0.1:" + strconv.Itoa(port), name: name, stop: stop, installation: i}
	if o.Password != "" {
		s.Username, s.Password = "neo4j", "neo4j"
	}
	return s, i.gone, nil
}

// An installation is a folder in which Java runs Neo4j.
type installation struct {
	java, classes, home string
	port                int
	options             Options
	running             *process
}

// A process is one run of the server.
type process struct {
	*os.Process
	ended chan error // holds how it ended, once it has
}

// start runs the server with further lines of configuration.
func (i *installation) start(config []string) error {
	conf := append([]string{
		"server.default_listen_address=127.0.0.1",
		"server.bolt.listen_address=127.0.0.1:" + strconv.Itoa(i.port),
		"server.http.enabled=false",
		"dbms.security.auth_enabled=" + strconv.FormatBool(i.options.Password != ""),
		"dbms.usage_report.enabled=false",
		"server.memory.pagecache.size=128m",
		"server.memory.query_cache.per_db_cache_num_entries=10000", // planning costs more than running
		"db.shutdown_transaction_end_timeout=1s",
	}, config...)
	dir := filepath.Join(i.home, "conf")
	if err := os.WriteFile(filepath.Join(dir, "neo4j.conf"), []byte(strings.Join(conf, "\n")+"\n"), 0o600); err != nil {
		return err
	}
	args := []string{"-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m"} // C1 alone: up sooner on few cores
	for _, p := range []string{"java.nio", "java.io", "sun.nio.ch", "java.util.concurrent"} {
		args = append(args, "--add-opens=java.base/"+p+"=ALL-UNNAMED")
	}
	args = append(args, "-cp", i.classes, "org.neo4j.server.CommunityEntryPoint", "--home-dir="+i.home, "--config-dir="+dir)
	logs, err := os.Create(i.log())
	if err != nil {
		return err
	}
	defer logs.Close()
	cmd := exec.Command(i.java, args...)
	cmd.Stdout, cmd.Stderr = logs, logs
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting java: %w", err)
	}
	i.running = &process{cmd.Process, make(chan error, 1)}
	ended := i.running.ended
	go func() { ended <- cmd.Wait() }()
	return os.WriteFile(filepath.Join(i.home, "pid"), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
}

func (i *installation) log() string { return filepath.Join(i.home, "logs", "out.log") }

// gone returns an error once the server has ended.
func (i *installation) gone() error {
	select {
	case err := <-i.running.ended:
		i.running.ended <- err
		text, _ := os.ReadFile(i.log())
		return fmt.Errorf("the server ended (%v): %s", err, tail(string(text), 2000))
	default:
		return nil
	}
}

// shutdown ends the server as an operator would.
func (i *installation) shutdown() error {
	if err := i.running.Signal(os.Interrupt); err != nil {
		return err
	}
	select {
	case <-i.running.ended:
		return nil
	case <-time.After(startTimeout):
		return fmt.Errorf("not down after %v", startTimeout)
	}
}

// classpath returns Java's class path for Neo4j, resolving it once per machine.
func classpath() (string, error) {
	if dir := os.Getenv("NEO4J_JARS"); dir != "" {
		if text, err := os.ReadFile(filepath.Join(dir, "classpath")); err == nil {
			return strings.TrimSpace(string(text)), nil
		}
		if jars, _ := filepath.Glob(filepath.Join(dir, "neo4j-server-*.jar")); len(jars) > 0 {
			return filepath.Join(dir, "*"), nil
		}
		return "", fmt.Errorf("NEO4J_JARS=%s holds neither a file \"classpath\" nor the jars of Neo4j", dir)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "precedent-neo4j-"+Version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	file := filepath.Join(dir, "classpath")
	if text, err := os.ReadFile(file); err == nil && allExist(filepath.SplitList(string(text))) {
		return string(text), nil
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return "", fmt.Errorf("%w: java but no mvn", errNone)
	}
	if err := os.WriteFile(filepath.Join(dir, "pom.xml"), []byte(pom), 0o644); err != nil {
		return "", err
	}
	cmd := exec.Command(mvn, "-q", "-B", "dependency:build-classpath", "-Dmdep.outputFile="+file)
	cmd.Dir = dir
	fmt.Fprintf(os.Stderr, "resolving Neo4j %s with Maven (about a minute the first time)\n", Version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("resolving the jars of Neo4j: %w: %s", err, tail(string(out), 2000))
	}
	text, err := os.ReadFile(file)
	return string(text), err
}

func allExist(files []string) bool {
	for _, f := range files {
		if _, err := os.Stat(f); err != nil {
			return false
		}
	}
	return len(files) > 0
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// lockPath is the file that processes lock to have a server for themselves.
func lockPath(uri string) string {
	sum := sha256.Sum256([]byte(uri))
	return filepath.Join(os.TempDir(), fmt.Sprintf("precedent-neo4j-%d-%x.lock", os.Getuid(), sum[:8]))
}

func tail(s string, n int) string { return strings.TrimSpace(s[max(0, len(s)-n):]) }
