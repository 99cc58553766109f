package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/urfave/cli/v3"
)

// healthTime is how long a program that serves may take to say that it runs.
const healthTime = 3 * time.Second

// healthAddr is where the image serves.
const healthAddr = "127.0.0.1:8080"

// health asks a program that serves on this machine whether it runs: in an image
// without a shell nothing else can.
func (p *program) health(ctx context.Context, cmd *cli.Command) error {
	if err := noArgs(cmd); err != nil {
		return err
	}
	addr := cmd.String("http")
	if addr == "" {
		addr = healthAddr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return usagef("%q is no address: %w; use one such as %s", addr, err, healthAddr)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return usagef("%q is no address: %w", addr, err)
	}
	direct := &http.Client{Transport: &http.Transport{}} // through no proxy
	said, err := direct.Do(r)
	if err != nil {
		return broke("asking whether it runs", err)
	}
	said.Body.Close()
	if said.StatusCode != http.StatusOK {
		return broke("asking whether it runs", fmt.Errorf("it says %s", said.Status))
	}
	return nil
}
