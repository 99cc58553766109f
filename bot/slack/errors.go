package slack

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// meaning is what the core has to know of Slack's error codes
// (docs.slack.dev/reference/methods, each method's "Errors"). Others are faults of
// the moment.
var meaning = map[string]error{
	"message_not_found": bot.ErrGone, "channel_not_found": bot.ErrGone, "is_archived": bot.ErrGone, "thread_not_found": bot.ErrGone,
	"cant_update_message": bot.ErrGone, "edit_window_closed": bot.ErrGone, "user_not_found": bot.ErrGone, "no_such_subteam": bot.ErrGone,
	"user_disabled": bot.ErrGone, "is_inactive": bot.ErrGone, "not_found": bot.ErrGone,

	"used_url": bot.ErrExpired, "expired_url": bot.ErrExpired, "expired_trigger_id": bot.ErrExpired, "exchanged_trigger_id": bot.ErrExpired,
	"invalid_trigger_id": bot.ErrExpired, "invalid_trigger": bot.ErrExpired, "trigger_expired": bot.ErrExpired,
	"trigger_exchanged": bot.ErrExpired,

	"invalid_blocks": bot.ErrRejected, "invalid_blocks_format": bot.ErrRejected, "invalid_attachments": bot.ErrRejected,
	"msg_too_long": bot.ErrRejected, "msg_blocks_too_long": bot.ErrRejected, "no_text": bot.ErrRejected, "block_mismatch": bot.ErrRejected,
	"markdown_text_conflict": bot.ErrRejected, "too_many_attachments": bot.ErrRejected, "metadata_too_large": bot.ErrRejected,
	"invalid_metadata_format": bot.ErrRejected, "invalid_metadata_schema": bot.ErrRejected, "invalid_arguments": bot.ErrRejected,
	"view_too_large": bot.ErrRejected, "invalid_payload": bot.ErrRejected, "only_one_table_allowed": bot.ErrRejected,

	"not_in_channel": bot.ErrBarred, "missing_scope": bot.ErrBarred, "restricted_action": bot.ErrBarred, "no_permission": bot.ErrBarred,
	"ekm_access_denied": bot.ErrBarred, "access_denied": bot.ErrBarred, "team_access_not_granted": bot.ErrBarred,
	"user_not_in_channel": bot.ErrBarred, "messages_tab_disabled": bot.ErrBarred, "cannot_dm_bot": bot.ErrBarred,
	"not_allowed_token_type": bot.ErrBarred, "as_user_not_supported": bot.ErrBarred, "not_enabled": bot.ErrBarred,
	"unknown_method": bot.ErrBarred, "file_uploads_disabled": bot.ErrBarred, "storage_limit_reached": bot.ErrBarred,
}

// told is a network's error as the core is to know it, without addresses, which
// are secrets at times.
func told(err error) error {
	if err == nil {
		return nil
	}
	if limited, ok := errors.AsType[*slack.RateLimitedError](err); ok {
		return bot.Wait{For: limited.RetryAfter}
	}
	if refused, ok := errors.AsType[slack.SlackErrorResponse](err); ok {
		return refusal(refused.Err, refused.ResponseMetadata.Messages)
	}
	if status, ok := errors.AsType[slack.StatusCodeError](err); ok {
		return fmt.Errorf("slack answered HTTP %d", status.Code)
	}
	if broken, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("calling slack: %w", broken.Err)
	}
	return err
}

// refusal is an error code of Slack's, with its reasons.
func refusal(code string, reasons []string) error {
	words := code
	if len(reasons) > 0 {
		words += " (" + strings.Join(reasons, "; ") + ")"
	}
	means := meaning[code]
	if means == nil && strings.HasPrefix(code, "restricted_action") {
		means = bot.ErrBarred
	}
	if means == nil {
		return fmt.Errorf("slack refused: %s", words)
	}
	return fmt.Errorf("%w: %s", means, words)
}

// blind is what an error says of looking instead of posting.
func blind(err error) error {
	if err = told(err); errors.Is(err, bot.ErrBarred) {
		return fmt.Errorf("%w: %v", bot.ErrBlind, err)
	}
	return err
}

// wrongToken reports whether Slack will refuse a token until somebody changes it.
func wrongToken(err error) bool {
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	if !ok {
		return false
	}
	switch refused.Err {
	case "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "not_allowed_token_type", "missing_scope", "no_permission":
		return true
	}
	return false
}
