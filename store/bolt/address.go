package bolt

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// ErrAddress reports a [Config.URI] that can't be the address of a Neo4j, so
// that nothing was asked of any server. Its text says how one is written.
var ErrAddress = errors.New("no address of a Neo4j")

// schemes are those of the driver (Neo4j Go Driver Manual 5, "Connection URI").
var schemes = []string{"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"}

// checkAddress returns nil or an error that wraps ErrAddress, without the
// password that uri may hold.
func checkAddress(uri string) error {
	written := fmt.Sprintf("it looks like neo4j://host:7687 (schemes %s)", strings.Join(schemes, ", "))
	u, err := url.Parse(uri)
	if err == nil && u.User != nil {
		return fmt.Errorf("%w: the URI holds a user or a password; leave them out and set NEO4J_USERNAME and NEO4J_PASSWORD", ErrAddress)
	}
	if err != nil && strings.Contains(uri, "@") {
		return fmt.Errorf("%w: the URI can't be read; %s", ErrAddress, written)
	}
	why := ""
	switch {
	case err != nil || uri == "":
	case !slices.Contains(schemes, u.Scheme):
		why = fmt.Sprintf(" has the scheme %q", u.Scheme)
	case u.Hostname() == "":
		why = " names no host"
	case u.Port() != "" && !isPort(u.Port()):
		why = " has a port outside 1 to 65535"
	case u.RawQuery != "" && strings.HasPrefix(u.Scheme, "bolt"):
		why = " has a part behind ?, which only neo4j:// takes"
	default:
		return nil
	}
	return fmt.Errorf("%w: %q%s; %s", ErrAddress, uri, why, written)
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}
