package slack

import (
	"context"
	"fmt"
	"slices"
	"time"

	"precedent/bot"
)

// groupFor is how long the members of a user group are believed.
const groupFor = 5 * time.Minute

type group struct {
	users []string
	until time.Time
}

// Member tells whether a user is in a Slack user group (S…), as it was five
// minutes ago at most. It needs the scope usergroups:read.
func (s *Slack) Member(ctx context.Context, _ bot.Place, user, id string) (bool, error) {
	s.mu.Lock()
	known := s.groups[id]
	s.mu.Unlock()
	if !time.Now().Before(known.until) {
		users, err := s.client().GetUserGroupMembersContext(ctx, id)
		if err != nil {
			return false, fmt.Errorf("reading the user group %s: %w", id, s.without(err))
		}
		known = group{users, time.Now().Add(groupFor)}
		s.mu.Lock()
		if s.groups == nil {
			s.groups = map[string]group{}
		}
		s.groups[id] = known
		s.mu.Unlock()
	}
	return slices.Contains(known.users, user), nil
}
