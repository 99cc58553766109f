package neotest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// launchDocker starts Neo4j as a container.
func launchDocker(o Options) (*Server, func() error, error) {
	docker, err := exec.LookPath("docker")
	if err != nil {
		return nil, nil, fmt.Errorf("%w: no docker", errNone)
	}
	if err := exec.Command(docker, "version").Run(); err != nil {
		return nil, nil, fmt.Errorf("%w: docker without an engine", errNone)
	}
	port, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	name := fmt.Sprintf("precedent-neo4j-%d-%d", os.Getpid(), time.Now().UnixNano())
	s, auth := &Server{name: name}, "none"
	if o.Password != "" {
		s.Username, s.Password = "neo4j", o.Password
		auth = s.Username + "/" + s.Password
	}
	bolt := fmt.Sprintf("127.0.0.1:%d", port)
	args := []string{"run", "--detach", "--rm", "--name", name, "--publish", bolt + ":7687",
		"--env", "NEO4J_AUTH=" + auth, "--env", "NEO4J_server_bolt_advertised__address=" + bolt}
	for _, line := range o.Config {
		key, value, _ := strings.Cut(line, "=")
		key = strings.ReplaceAll(strings.ReplaceAll(key, "_", "__"), ".", "_")
		args = append(args, "--env", "NEO4J_"+key+"="+value)
	}
	if out, err := exec.Command(docker, append(args, "neo4j:"+Version+"-community")...).CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("starting a container: %w: %s", err, tail(string(out), 2000))
	}
	s.URI = "bolt://" + bolt
	s.stop, err = guard(append(o.run.outlast(name), shellWord(docker)+" rm --force "+name)...)
	if err != nil {
		exec.Command(docker, "rm", "--force", name).Run()
		return nil, nil, err
	}
	gone := func() error {
		if exec.Command(docker, "inspect", name).Run() != nil {
			return errors.New("the container ended: see `docker run neo4j:" + Version + "-community`")
		}
		return nil
	}
	return s, gone, nil
}
