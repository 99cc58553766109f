package discordtest

import (
	"maps"
	"slices"
)

// A command is as the bot registered it, with what Discord adds.
type command map[string]any

func (c command) kind() int {
	n, _ := number(c["type"])
	return int(n)
}

func (s *Server) commandsOf(q *Request) (guild string, err error) {
	if q.value("application") != s.AppID {
		return "", errUnknownApplication
	}
	guild = q.value("guild")
	if guild != "" && s.guilds[guild] == nil {
		return "", errMissingAccess
	}
	return guild, nil
}

// registered completes a checked body.
func (s *Server) registered(guild, id string, body map[string]any) command {
	c := command(maps.Clone(body))
	if c["type"] == nil || c["type"] == 0.0 {
		c["type"] = float64(chatCommand)
	}
	if id == "" {
		id = s.newID()
	}
	c["id"], c["application_id"], c["version"] = id, s.AppID, s.newID()
	if guild != "" {
		c["guild_id"] = guild
	}
	if c["description"] == nil {
		c["description"] = ""
	}
	return c
}

func (s *Server) listCommands(q *Request) (answer, error) {
	guild, err := s.commandsOf(q)
	if err != nil {
		return refuse(err)
	}
	return ok(emptied(s.commands[guild]))
}

func (s *Server) createCommand(q *Request) (answer, error) {
	f, err := q.checked(OneCommand)
	if err != nil {
		return refuse(err)
	}
	guild, err := s.commandsOf(q)
	if err != nil {
		return refuse(err)
	}
	body := f.v.(map[string]any)
	c := s.registered(guild, "", body)
	all := s.commands[guild]
	n := 0
	for i, old := range all {
		if old.kind() != c.kind() {
			continue
		}
		n++
		if old["name"] == c["name"] { // one of the same name and type is replaced
			c["id"] = old["id"]
			all[i] = c
			return ok(c)
		}
	}
	if n >= mostCommands(c.kind()) {
		return refuse(errTooManyCommands)
	}
	s.commands[guild] = append(all, c)
	return answer{201, c}, nil
}

func (s *Server) replaceCommands(q *Request) (answer, error) {
	if q.Body == nil {
		q.Body = []any{}
	}
	f, err := q.checked(AllCommands)
	if err != nil {
		return refuse(err)
	}
	guild, err := s.commandsOf(q)
	if err != nil {
		return refuse(err)
	}
	old := s.commands[guild]
	all := []command{}
	for _, body := range objects(f.v) {
		c := s.registered(guild, "", body)
		i := slices.IndexFunc(old, func(o command) bool { return o["name"] == c["name"] && o.kind() == c.kind() })
		if i >= 0 {
			c["id"] = old[i]["id"]
		}
		all = append(all, c)
	}
	s.commands[guild] = all
	return ok(all)
}

func (s *Server) oneCommand(q *Request) (guild string, i int, err error) {
	guild, err = s.commandsOf(q)
	if err != nil {
		return "", 0, err
	}
	i = slices.IndexFunc(s.commands[guild], func(c command) bool { return c["id"] == q.value("command") })
	if i < 0 {
		return "", 0, errUnknownCommand
	}
	return guild, i, nil
}

func (s *Server) getCommand(q *Request) (answer, error) {
	guild, i, err := s.oneCommand(q)
	if err != nil {
		return refuse(err)
	}
	return ok(s.commands[guild][i])
}

func (s *Server) editCommand(q *Request) (answer, error) {
	guild, i, err := s.oneCommand(q)
	if err != nil {
		return refuse(err)
	}
	whole := maps.Clone(s.commands[guild][i])
	body, _ := q.Body.(map[string]any)
	maps.Copy(whole, body)
	if err := check(OneCommand, map[string]any(whole)); err != nil {
		return refuse(err)
	}
	s.commands[guild][i] = s.registered(guild, q.value("command"), whole)
	return ok(s.commands[guild][i])
}

func (s *Server) deleteCommand(q *Request) (answer, error) {
	guild, i, err := s.oneCommand(q)
	if err != nil {
		return refuse(err)
	}
	s.commands[guild] = slices.Delete(slices.Clone(s.commands[guild]), i, i+1)
	return nothing()
}

// Commands gives what the bot registered for a guild, or with "" everywhere:
// the JSON it sent, with what Discord adds.
func (s *Server) Commands(guild string) []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []map[string]any
	for _, c := range s.commands[guild] {
		out = append(out, maps.Clone(c))
	}
	return out
}

// visible finds a command that a person has in a channel: the guild's own, or
// a global one whose contexts include the place; s.mu is held.
func (s *Server) visible(c *Channel, name string, kind int) command {
	place := 0.0
	if c.Type == dmChannel {
		place = 1
	}
	for _, guild := range []string{c.Guild, ""} {
		for _, cmd := range s.commands[guild] {
			contexts, limited := cmd["contexts"].([]any)
			here := slices.Contains(contexts, any(place)) || !limited && (place == 0 || cmd["dm_permission"] != false)
			if cmd["name"] == name && cmd.kind() == kind && here {
				return cmd
			}
		}
	}
	return nil
}
