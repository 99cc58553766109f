package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// An Error is a refusal as Discord words it.
type Error struct {
	Status  int            `json:"-"` // HTTP
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Errors  map[string]any `json:"errors,omitempty"` // with code 50035: where and why

	Problems []Problem `json:"-"` // the same, in a row
}

// A Problem is one fault of a body.
type Problem struct {
	Path    string // "data.components.0.components.1.label"
	Code    string // "BASE_TYPE_MAX_LENGTH"
	Message string
}

func (p Problem) String() string { return fmt.Sprintf("%s[%s]: %s", p.Path, p.Code, p.Message) }

func (e *Error) Error() string {
	lines := []string{fmt.Sprintf("%d %s (%d)", e.Status, e.Message, e.Code)}
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "; ")
}

// Refusals, by Discord's table of JSON error codes.
var (
	errUnauthorized       = &Error{Status: http.StatusUnauthorized, Message: "401: Unauthorized"}
	errNotFound           = &Error{Status: http.StatusNotFound, Message: "404: Not Found"}
	errMethod             = &Error{Status: http.StatusMethodNotAllowed, Message: "405: Method Not Allowed"}
	errUnknownApplication = &Error{Status: http.StatusNotFound, Code: 10002, Message: "Unknown Application"}
	errUnknownChannel     = &Error{Status: http.StatusNotFound, Code: 10003, Message: "Unknown Channel"}
	errUnknownGuild       = &Error{Status: http.StatusNotFound, Code: 10004, Message: "Unknown Guild"}
	errUnknownMember      = &Error{Status: http.StatusNotFound, Code: 10007, Message: "Unknown Member"}
	errUnknownMessage     = &Error{Status: http.StatusNotFound, Code: 10008, Message: "Unknown Message"}
	errUnknownUser        = &Error{Status: http.StatusNotFound, Code: 10013, Message: "Unknown User"}
	errUnknownEmoji       = &Error{Status: http.StatusBadRequest, Code: 10014, Message: "Unknown Emoji"}
	errUnknownWebhook     = &Error{Status: http.StatusNotFound, Code: 10015, Message: "Unknown Webhook"}
	errUnknownInteraction = &Error{Status: http.StatusNotFound, Code: 10062, Message: "Unknown interaction"}
	errUnknownCommand     = &Error{Status: http.StatusNotFound, Code: 10063, Message: "Unknown application command"}
	errTooManyReactions   = &Error{Status: http.StatusBadRequest, Code: 30010, Message: "Maximum number of reactions reached (20)"}
	errTooManyCommands    = &Error{Status: http.StatusBadRequest, Code: 30032, Message: "Maximum number of application commands reached (100)"}
	errTooLarge           = &Error{Status: http.StatusRequestEntityTooLarge, Code: 40005, Message: "Request entity too large"}
	errAcknowledged       = &Error{Status: http.StatusBadRequest, Code: 40060, Message: "Interaction has already been acknowledged."}
	errMissingAccess      = &Error{Status: http.StatusForbidden, Code: 50001, Message: "Missing Access"}
	errNotYours           = &Error{Status: http.StatusForbidden, Code: 50005, Message: "Cannot edit a message authored by another user"}
	errEmptyMessage       = &Error{Status: http.StatusBadRequest, Code: 50006, Message: "Cannot send an empty message"}
	errCannotSend         = &Error{Status: http.StatusForbidden, Code: 50007, Message: "Cannot send messages to this user"}
	errMissingPermissions = &Error{Status: http.StatusForbidden, Code: 50013, Message: "Missing Permissions"}
	errChannelType        = &Error{Status: http.StatusBadRequest, Code: 50024, Message: "Cannot execute action on this channel type"}
	errWebhookToken       = &Error{Status: http.StatusUnauthorized, Code: 50027, Message: "Invalid Webhook Token"}
	errVersion            = &Error{Status: http.StatusBadRequest, Code: 50041, Message: "Invalid API version provided"}
	errArchived           = &Error{Status: http.StatusBadRequest, Code: 50083, Message: "Thread is archived"}
	errJSON               = &Error{Status: http.StatusBadRequest, Code: 50109, Message: "The request body contains invalid JSON."}
	errThreadExists       = &Error{Status: http.StatusBadRequest, Code: 160004, Message: "A thread has already been created for this message"}
)

// problems gathers the faults of one body.
type problems []Problem

func (p *problems) add(path, code, format string, args ...any) {
	*p = append(*p, Problem{path, code, fmt.Sprintf(format, args...)})
}

// refusal is nil when there are none. The type is error so that a nil one
// compares equal to nil.
func (p problems) refusal() error {
	if len(p) == 0 {
		return nil
	}
	tree := map[string]any{}
	for _, one := range p {
		at := tree
		if one.Path != "" {
			for key := range strings.SplitSeq(one.Path, ".") {
				next, ok := at[key].(map[string]any)
				if !ok {
					next = map[string]any{}
					at[key] = next
				}
				at = next
			}
		}
		list, _ := at["_errors"].([]any)
		at["_errors"] = append(list, map[string]any{"code": one.Code, "message": one.Message})
	}
	return &Error{Status: http.StatusBadRequest, Code: 50035, Message: "Invalid Form Body", Errors: tree, Problems: slices.Clone(p)}
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("discordtest: encoding %T: %v", v, err)) // only the fake's own values come here
	}
	return b
}
