package slacktest

import "time"

// Limits are what the workspace holds the bot to. Lengths are in characters
// (Unicode code points) unless a field says otherwise.
type Limits struct {
	// Messages (docs.slack.dev: chat.postMessage, chat.update, message metadata).

	AdvisedText int // longer texts are posted, but Slack asks for files instead: 4,000
	MaxText     int // longer texts are cut in chat.postMessage: 40,000
	MaxUpdate   int // longer texts are refused by chat.update, msg_too_long: 4,000
	MaxMetadata int // bytes of a message's metadata: 16 KB
	MaxAttached int // attachments of a message: 100

	// Blocks (docs.slack.dev/reference/block-kit).

	MessageBlocks   int // 50
	ViewBlocks      int // 100, in modals and home tabs
	SectionText     int // 3,000, and every text object without a shorter limit
	SectionFields   int // 10
	FieldText       int // 2,000
	HeaderText      int // 150
	ContextElements int // 10
	ActionElements  int // 25
	FeedbackButtons int // elements of context_actions: 5
	MarkdownText    int // 12,000, together in one message
	ImageText       int // title and alt_text: 2,000
	ImageURL        int // 3,000
	BlockID         int // 255
	InputLabel      int // label and hint: 2,000

	// BlocksText is how much all blocks of one message may hold: their text plus
	// BlockCost for each. Slack answers msg_blocks_too_long beyond. The
	// documentation has no such limit; the numbers fit what slackapi/bolt-js#2509
	// measured: 13,297 characters in one block, 13,172 beside a divider.
	BlocksText int // 13,422
	BlockCost  int // 125

	// Tables (docs.slack.dev/reference/block-kit/blocks/table-block).

	TableRows    int // 100, the first included
	TableColumns int // 20
	Tables       int // of one message: 1
	TableText    int // of all cells of a message: 10,000; in no reference page, but in what callers met

	// Elements.

	ActionID         int // 255
	ButtonText       int // 75
	ButtonValue      int // 2,000
	ButtonURL        int // 3,000
	Placeholder      int // 150
	InputLength      int // the highest min_length and max_length: 3,000
	OptionText       int // text, description: 75
	OptionValue      int // 150
	SelectOptions    int // 100
	ChoiceOptions    int // of checkboxes and radio buttons: 10
	OverflowOptions  int // 5
	ConfirmTitle     int // 100
	ConfirmText      int // 300
	ConfirmButton    int // 30
	ConversationKind int // kinds that a conversation filter names: 4

	// Views (docs.slack.dev/reference/views).

	ModalTitle      int // title, submit, close: 24
	PrivateMetadata int // 3,000
	CallbackID      int // 255
	ModalStack      int // views.push beyond it: push_limit_reached: 3
	ViewSize        int // bytes: 250 KB

	// Deliveries.

	AckWithin  time.Duration // 3 s
	AckPayload int           // bytes of a Socket Mode answer from which it is dropped silently: 20 KB
	Sockets    int           // open at once: 10
	Trigger    time.Duration // a trigger id lives: 3 s
	Respond    time.Duration // a response URL lives: 30 min
	RespondUse int           // and may be used: 5 times

	// Rates (docs.slack.dev/apis/web-api/rate-limits), over all channels except posts.

	PostEvery time.Duration // a post to one channel: 1 s
	PostBurst int           // posts to one channel at once; Slack promises only "short bursts": 4
	Tiers     [5]int        // calls a minute of one method by tier, 1 to 4: 1, 20, 50, 100
}

// Published are Slack's limits.
func Published() Limits {
	return Limits{
		AdvisedText: 4_000, MaxText: 40_000, MaxUpdate: 4_000, MaxMetadata: 16 << 10, MaxAttached: 100,
		MessageBlocks: 50, ViewBlocks: 100, SectionText: 3_000, SectionFields: 10, FieldText: 2_000,
		HeaderText: 150, ContextElements: 10, ActionElements: 25, FeedbackButtons: 5, MarkdownText: 12_000,
		ImageText: 2_000, ImageURL: 3_000, BlockID: 255, InputLabel: 2_000, BlocksText: 13_422, BlockCost: 125,
		TableRows: 100, TableColumns: 20, Tables: 1, TableText: 10_000,
		ActionID: 255, ButtonText: 75, ButtonValue: 2_000, ButtonURL: 3_000, Placeholder: 150, InputLength: 3_000,
		OptionText: 75, OptionValue: 150, SelectOptions: 100, ChoiceOptions: 10, OverflowOptions: 5,
		ConfirmTitle: 100, ConfirmText: 300, ConfirmButton: 30, ConversationKind: 4,
		ModalTitle: 24, PrivateMetadata: 3_000, CallbackID: 255, ModalStack: 3, ViewSize: 250 << 10,
		AckWithin: 3 * time.Second, AckPayload: 20 << 10, Sockets: 10,
		Trigger: 3 * time.Second, Respond: 30 * time.Minute, RespondUse: 5,
		PostEvery: time.Second, PostBurst: 4, Tiers: [5]int{1: 1, 2: 20, 3: 50, 4: 100},
	}
}

// A Violation is a request that Slack would not have wanted.
type Violation struct {
	Method  string // Web API method, "ack", "response_url" or "upload"
	Error   string // Slack's error code; for what Slack accepts, what it would do
	Detail  string
	Refused bool // the request had no effect
	At      time.Time
}

func (v Violation) String() string { return v.Method + ": " + v.Error + " (" + v.Detail + ")" }

// Violations are the requests that broke a limit, a shape or a rate, oldest
// first. Answers that a test ordered with [Server.Fail] are none.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Violation(nil), s.violations...)
}

func (s *Server) violate(method, code, detail string, refused bool) {
	s.violations = append(s.violations, Violation{method, code, detail, refused, time.Now()})
}
