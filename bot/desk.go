package bot

import "context"

// A Desk is where all that people do on chats comes in and is answered.
type Desk struct{}

// Hear keeps what a person did and has it answered. Once it returns without an
// error, that outlives the death of the process: the network may be told that it
// arrived. What was heard before, by its ID, is heard no second time.
func (d *Desk) Hear(ctx context.Context, h Heard) error { return nil }

// Form returns the form that a button opens, filled in for the person who
// pressed it; ok is false for a button that opens none. It answers in
// milliseconds: networks give a person's press three seconds to open one. The
// press is to be heard as well, and first.
func (d *Desk) Form(ctx context.Context, h Heard) (f Form, ok bool) { return Form{}, false }

// Suggest returns at most n questions that verified, public cases answer and
// that typed begins or is part of, best first.
func (d *Desk) Suggest(ctx context.Context, where Place, typed, language string, n int) []string {
	return nil
}

// Seen returns the last message that was heard in each channel of a network, by
// the network's own ids; a Chat reads on from there after it was cut off.
func (d *Desk) Seen(ctx context.Context, chat string) (map[string]string, error) { return nil, nil }

// Saw notes the last message that was heard in a channel.
func (d *Desk) Saw(ctx context.Context, chat, channel, message string) error { return nil }

// Recent returns where the bot's latest answers on a network stand, newest
// first, n at most: where reactions may have been missed.
func (d *Desk) Recent(ctx context.Context, chat string, n int) ([]Place, error) { return nil, nil }
