package discordtest

import (
	"encoding/json"
	"fmt"
)

// A Surface is a place that a body is sent to; each has its own rules.
type Surface int

// Surfaces.
const (
	NewMessage     Surface = iota // POST a channel's messages, and a webhook's
	ChangedMessage                // PATCH either
	Callback                      // POST an interaction's callback
	OneCommand                    // POST or PATCH an application command
	AllCommands                   // PUT the application commands
	NewThread                     // POST a thread
)

// Check says what Discord would refuse in body, which is JSON ([]byte) or
// anything that encodes to it: a *discordgo.MessageSend, a
// *discordgo.InteractionResponse, a []*discordgo.ApplicationCommand. It knows
// the body alone: not its files, permissions, or what was sent before. The
// error is an *[Error].
func Check(s Surface, body any) error {
	text, ok := body.([]byte)
	if !ok {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return fmt.Errorf("encoding the body: %w", err)
		}
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return errJSON
	}
	return check(s, v)
}

func check(s Surface, v any) error {
	var bad problems
	f := field{v: v, bad: &bad}
	switch s {
	case NewMessage, ChangedMessage:
		checkMessage(f)
		if err := bad.refusal(); err != nil {
			return err
		}
		if s == NewMessage && blank(f) {
			return errEmptyMessage
		}
	case Callback:
		checkCallback(f)
		if err := bad.refusal(); err != nil {
			return err
		}
		if typ, _ := number(f.get("type").v); typ == callbackMessage && blank(f.get("data")) {
			return errEmptyMessage
		}
	case OneCommand:
		checkCommand(f)
	case AllCommands:
		checkCommands(f)
	case NewThread:
		checkThread(f)
	}
	return bad.refusal()
}

// Types of a callback.
const (
	callbackPong           = 1
	callbackMessage        = 4
	callbackDeferred       = 5
	callbackDeferredUpdate = 6
	callbackUpdate         = 7
	callbackChoices        = 8
	callbackModal          = 9
)

func checkCallback(f field) {
	t := f.get("type")
	if !f.object() || !t.required() {
		return
	}
	inner := f.get("data")
	switch t.oneOf(callbackPong, callbackMessage, callbackDeferred, callbackDeferredUpdate, callbackUpdate, callbackChoices, callbackModal) {
	case callbackMessage, callbackUpdate:
		checkMessage(inner)
	case callbackDeferred:
		inner.get("flags").integer(0, 1<<31-1)
	case callbackChoices:
		if inner.required() {
			checkChoices(inner.get("choices"), stringOption)
		}
	case callbackModal:
		if inner.required() {
			checkModal(inner)
		}
	}
}

// Thread limits, by "Start Thread".
const maxThreadName = 100

func checkThread(f field) {
	if !f.object() {
		return
	}
	if name := f.get("name"); name.required() {
		name.textBetween(1, maxThreadName)
	}
	f.get("auto_archive_duration").oneOf(60, 1440, 4320, 10080)
	f.get("rate_limit_per_user").integer(0, 21600)
	f.get("type").oneOf(threadAnnouncement, threadPublic, threadPrivate)
}
