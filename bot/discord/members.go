package discord

import (
	"context"
	"slices"
	"sync"
	"time"

	"precedent/bot"
)

const memberFor = time.Minute // a role that was given or taken is known so much later at most

// members remember people's roles for a while.
type members struct {
	mu    sync.Mutex
	known map[string]member
}

type member struct {
	roles []string
	until time.Time
}

// Member tells whether user has the role group in the guild where.Team, as of a
// minute ago at most.
func (d *Discord) Member(ctx context.Context, where bot.Place, user, group string) (bool, error) {
	d.start()
	if where.Team == "" {
		return false, nil
	}
	key, now := where.Team+"/"+user, time.Now()
	d.members.mu.Lock()
	m, ok := d.members.known[key]
	d.members.mu.Unlock()
	if !ok && !isID(user) {
		return false, nil
	}
	if !ok || now.After(m.until) {
		var answer struct{ Roles []string }
		err := d.rest.do(ctx, request{method: "GET", path: "/guilds/" + where.Team + "/members/" + user, bucket: "members " + where.Team}, &answer)
		if err != nil && !answered(err, codeUnknownMember, codeUnknownUser) {
			return false, err
		}
		m = member{answer.Roles, now.Add(memberFor)}
		d.members.keep(key, m, now)
	}
	return slices.Contains(m.roles, group), nil
}

// told notes roles that came along with what somebody did.
func (ms *members) told(guild, user string, roles []string) {
	if guild != "" && user != "" {
		now := time.Now()
		ms.keep(guild+"/"+user, member{roles, now.Add(memberFor)}, now)
	}
}

func (ms *members) keep(key string, m member, now time.Time) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if len(ms.known) > 1000 || ms.known == nil {
		fresh := map[string]member{}
		for k, old := range ms.known {
			if now.Before(old.until) {
				fresh[k] = old
			}
		}
		ms.known = fresh
	}
	ms.known[key] = m
}
