package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// An exchange is one HTTP request and its response. It is the HTTP client that
// go-openai is given, since that library reads bodies without limit, drops the
// headers of errors, and leaves a temperature of 0 out.
type exchange struct {
	http            *http.Client
	limit           int64 // longest response body, in bytes
	zeroTemperature bool  // whether "temperature": 0 is added to the request

	sent   bool
	status int // 0 while there is no response
	header http.Header
	body   []byte
	err    error // why there is no whole response
}

var errTooLong = errors.New("response body too long")

// Do sends req and reads the whole response.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	x.sent = true
	if x.zeroTemperature {
		if x.err = addZeroTemperature(req); x.err != nil {
			return nil, x.err
		}
	}
	resp, err := x.http.Do(req)
	if err != nil {
		x.err = err
		return nil, err
	}
	defer resp.Body.Close()
	x.status, x.header = resp.StatusCode, resp.Header
	if resp.ContentLength > x.limit {
		x.err = errTooLong
		return nil, x.err
	}
	x.body, x.err = io.ReadAll(io.LimitReader(resp.Body, x.limit+1))
	if x.err == nil && int64(len(x.body)) > x.limit {
		x.err = errTooLong
	}
	if x.err != nil {
		return nil, x.err
	}
	resp.Body = io.NopCloser(bytes.NewReader(x.body))
	return resp, nil
}

// addZeroTemperature puts "temperature": 0 first in the request's JSON object.
func addZeroTemperature(req *http.Request) error {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	body = append([]byte(`{"temperature":0,`), bytes.TrimPrefix(body, []byte("{"))...)
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.ContentLength = int64(len(body))
	return nil
}

// retryAfter reads how long the endpoint asks to wait: retry-after-ms as OpenAI
// and Azure send it, else Retry-After in seconds or as a date (RFC 9110, section
// 10.2.3). 0 when it doesn't ask.
func (x *exchange) retryAfter(now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(x.header.Get("Retry-After-Ms"), 64); err == nil {
		return seconds(ms / 1000)
	}
	value := x.header.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return seconds(s)
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// longestAsked caps what an endpoint can ask for, so that no number overflows.
const longestAsked = 365 * 24 * time.Hour

func seconds(s float64) time.Duration {
	if !(s > 0) { // NaN too
		return 0
	}
	return time.Duration(min(s, longestAsked.Seconds()) * float64(time.Second))
}
