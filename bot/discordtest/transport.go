package discordtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Transport sends what discordgo means for Discord's API to apiURL, such as
// "https://discord.com/api/v9" or "http://127.0.0.1:8080/api/v10": the version
// in apiURL, where it has one, takes the place of the library's. Other hosts
// are left alone. next is what carries the requests; nil is
// http.DefaultTransport. It fails on an apiURL that isn't an http or https
// address.
func Transport(apiURL string, next http.RoundTripper) (http.RoundTripper, error) {
	to, err := url.Parse(apiURL)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil, fmt.Errorf("DISCORD_API_URL is %q: give an address such as https://discord.com/api/v9", apiURL)
	}
	if next == nil {
		next = http.DefaultTransport
	}
	return elsewhere{to, next}, nil
}

type elsewhere struct {
	to   *url.URL
	next http.RoundTripper
}

func (t elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), "/api/v")
	if r.URL.Host != "discord.com" || !ok {
		return t.next.RoundTrip(r)
	}
	_, rest, _ = strings.Cut(rest, "/")
	path := strings.TrimSuffix(t.to.Path, "/") + "/" + rest
	r = r.Clone(r.Context())
	r.Host, r.URL.Scheme, r.URL.Host = "", t.to.Scheme, t.to.Host
	r.URL.RawPath = path
	if plain, err := url.PathUnescape(path); err == nil {
		r.URL.Path = plain
	}
	return t.next.RoundTrip(r)
}
