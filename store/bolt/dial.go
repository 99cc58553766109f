package bolt

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"reflect"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// dial connects to a server, encrypted where the URI says so, and bounds what
// the driver then reads from it.
func (g *Graph) dial(ctx context.Context, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: g.config.Connect}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	_, security, encrypted := strings.Cut(strings.SplitN(g.config.URI, ":", 2)[0], "+")
	if !encrypted {
		return &metered{Conn: conn}, nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		conn.Close()
		return nil, err
	}
	secured := tls.Client(conn, &tls.Config{ServerName: host, InsecureSkipVerify: security == "ssc", MinVersion: tls.VersionTLS12})
	if err := secured.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return &metered{Conn: secured}, nil
}

// connectBy makes driver connect by dial alone. It has no setting for that
// (v5.28.4), so this sets what its own tests set; an error says that another
// version of it has no such thing.
func connectBy(driver neo4j.DriverWithContext, dial func(context.Context, string) (net.Conn, error)) error {
	errOther := errors.New("this version of the Neo4j driver can't be told how to connect")
	d := reflect.ValueOf(driver)
	if d.Kind() != reflect.Pointer || d.Elem().Kind() != reflect.Struct {
		return errOther
	}
	connector := d.Elem().FieldByName("connector")
	if connector.Kind() != reflect.Struct {
		return errOther
	}
	connector = reflect.NewAt(connector.Type(), connector.Addr().UnsafePointer()).Elem()
	supply, plain := connector.FieldByName("SupplyConnection"), connector.FieldByName("SkipEncryption")
	if !supply.IsValid() || supply.Type() != reflect.TypeFor[func(context.Context, string) (net.Conn, error)]() || plain.Kind() != reflect.Bool {
		return errOther
	}
	supply.Set(reflect.ValueOf(dial))
	plain.SetBool(true) // dial has done it
	return nil
}
