package slack

import (
	"bytes"
	"context"
	"fmt"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// Attach uploads a file into the message's thread. It needs the scope files:write.
// Slack has no files that only one person in a channel sees: beside such a message
// it fails with ErrBarred.
func (s *Slack) Attach(ctx context.Context, at bot.Place, f bot.File) error {
	if at.User != "" || at.Home {
		return fmt.Errorf("attaching a file: %w: others would see it", bot.ErrBarred)
	}
	if len(f.Body) == 0 || f.Name == "" {
		return fmt.Errorf("attaching a file: %w: it is empty or without a name", bot.ErrRejected)
	}
	_, err := s.client().UploadFileContext(ctx, slack.UploadFileParameters{Reader: bytes.NewReader(f.Body), FileSize: len(f.Body),
		Filename: f.Name, Title: f.Name, AltTxt: line(f.Alt), Channel: at.Channel, ThreadTimestamp: at.Thread})
	if err != nil {
		return fmt.Errorf("attaching a file: %w", s.without(err))
	}
	return nil
}
