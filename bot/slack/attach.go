package slack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// uploadsMost is how many files are remembered whose sharing is in doubt.
const uploadsMost = 1000

// Attach uploads a file into the message's thread. It needs the scope files:write.
// Slack has no files that only one person in a channel sees: beside such a message
// it fails with ErrBarred. Tried again after a call that failed without saying whether
// it did its work, it puts up no second: it looks for the file where it may, and else
// shares the same one.
func (s *Slack) Attach(ctx context.Context, at bot.Place, f bot.File) error {
	if at.User != "" || at.Home {
		return fmt.Errorf("attaching a file: %w: others would see it", bot.ErrBarred)
	}
	if len(f.Body) == 0 || f.Name == "" {
		return fmt.Errorf("attaching a file: %w: it is empty or without a name", bot.ErrRejected)
	}
	key := fmt.Sprintf("%s/%s/%s/%x", at.Channel, at.Message, f.Name, sha256.Sum256(f.Body))
	s.mu.Lock()
	id := s.uploads[key]
	s.mu.Unlock()
	again := id != ""
	if again && s.shared(ctx, at, id) {
		return nil
	}
	if !again {
		var err error
		if id, err = s.upload(ctx, f); err != nil {
			return fmt.Errorf("attaching a file: %w", s.without(err))
		}
		s.mu.Lock()
		if s.uploads == nil || len(s.uploads) >= uploadsMost {
			s.uploads = map[string]string{}
		}
		s.uploads[key] = id
		s.mu.Unlock()
	}
	_, err := s.client().CompleteUploadExternalContext(ctx, slack.CompleteUploadExternalParameters{
		Files: []slack.FileSummary{{ID: id, Title: f.Name}}, Channel: at.Channel, ThreadTimestamp: at.Thread})
	if no, refused := errors.AsType[slack.SlackErrorResponse](err); refused && again && completed(no.Err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("attaching a file: %w", s.without(err))
	}
	return nil
}

// upload brings a file to Slack, where nobody sees it yet.
func (s *Slack) upload(ctx context.Context, f bot.File) (id string, err error) {
	to, err := s.client().GetUploadURLExternalContext(ctx, slack.GetUploadURLExternalParameters{FileName: f.Name, FileSize: len(f.Body), AltTxt: line(f.Alt)})
	if err != nil {
		return "", err
	}
	err = s.client().UploadToURL(ctx, slack.UploadToURLParameters{UploadURL: to.UploadURL, Reader: bytes.NewReader(f.Body), Filename: f.Name})
	return to.FileID, err
}

// completed tells whether Slack says of a file that is there that it can't be shared
// once more.
func completed(code string) bool {
	return code == "file_already_completed" || code == "file_not_found" || code == "invalid_arguments"
}

// shared tells whether the file is seen to be in the message's thread; it looks where
// the bot may.
func (s *Slack) shared(ctx context.Context, at bot.Place, id string) bool {
	me, err := s.identify(ctx)
	if err != nil || !me.mayRead(at.Channel) {
		return false
	}
	for m, err := range s.around(ctx, at) {
		if err != nil {
			return false
		}
		if m.User == me.user && slices.ContainsFunc(m.Files, func(f slack.File) bool { return f.ID == id }) {
			return true
		}
	}
	return false
}
