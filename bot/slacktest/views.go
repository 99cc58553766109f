package slacktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"
)

// A View is a modal or home tab that a person sees.
type View struct {
	ID, User string
	Hash     string
	External string
	JSON     json.RawMessage            // as the bot gave it, ids filled in
	Errors   map[string]string          // shown on inputs by block_id, after a submission
	Values   map[string]json.RawMessage // what was last submitted, by block_id
}

// Modal is the top modal that a person sees.
func (s *Server) Modal(user string) (View, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stack := s.stacks[user]
	if len(stack) == 0 {
		return View{}, false
	}
	return *s.modals[stack[len(stack)-1]], true
}

// AwaitModal waits until a person sees a modal.
func (s *Server) AwaitModal(user string) (v View) {
	s.t.Helper()
	s.Await("modal of "+user, func() (ok bool) { v, ok = s.Modal(user); return ok })
	return v
}

// Home is the home tab that the bot drew for a person.
func (s *Server) Home(user string) (View, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.homes[user]; v != nil {
		return *v, true
	}
	return View{}, false
}

// Texts are the texts of the view's blocks.
func (v View) Texts() []Text { return TextsOf(v.blocks()) }

func (v View) blocks() json.RawMessage {
	var in struct{ Blocks json.RawMessage }
	json.Unmarshal(v.JSON, &in)
	return in.Blocks
}

func (v *View) wire(s *Server) map[string]any {
	var out map[string]any
	json.Unmarshal(v.JSON, &out)
	maps.Copy(out, map[string]any{"id": v.ID, "team_id": s.TeamID, "app_id": s.AppID, "bot_id": s.BotID, "hash": v.Hash,
		"root_view_id": v.ID, "app_installed_team_id": s.TeamID})
	for _, k := range []string{"private_metadata", "callback_id", "external_id"} {
		if out[k] == nil {
			out[k] = ""
		}
	}
	values := map[string]any{}
	for block, raw := range v.Values {
		values[block] = raw
	}
	out["state"] = map[string]any{"values": values}
	return out
}

func (g *grammar) view(raw json.RawMessage) []Problem {
	var v map[string]any
	if json.Unmarshal(raw, &v) != nil {
		return []Problem{{"must provide an object", "/view"}}
	}
	l := g.lim
	if len(raw) > l.ViewSize {
		g.wrong("/view", "view_too_large")
	}
	blocks := func(g *grammar, b any, at string) { g.blockList(b, at) }
	fields := map[string]check{"blocks": blocks, "private_metadata": text(0, l.PrivateMetadata), "callback_id": text(0, l.CallbackID),
		"external_id": text(0, l.CallbackID)}
	switch v["type"] {
	case "home":
		g.on = OnHome
		g.object(rule{required: []string{"blocks"}, fields: fields}, v, "/view")
	case "modal":
		g.on = OnModal
		title := textObject(l.ModalTitle, false)
		for _, name := range []string{"title", "submit", "close"} {
			fields[name] = title
		}
		for _, name := range []string{"clear_on_close", "notify_on_close", "submit_disabled"} {
			fields[name] = boolean
		}
		g.object(rule{required: []string{"title", "blocks"}, fields: fields}, v, "/view")
		list, _ := v["blocks"].([]any)
		asks := slices.ContainsFunc(list, func(b any) bool { m, _ := b.(map[string]any); return m["type"] == "input" })
		if asks && v["submit"] == nil {
			g.wrong("/view", "missing required field: submit")
		}
	default:
		g.wrong("/view/type", "must be a valid enum value")
	}
	return g.problems
}

// drawn is a view as a request gives it, or why not.
func (s *Server) drawn(raw json.RawMessage, kind, user string) (*View, reply) {
	problems := newGrammar(s.lim).view(raw)
	var in map[string]json.RawMessage
	json.Unmarshal(raw, &in)
	if len(problems) == 0 && string(in["type"]) != `"`+kind+`"` {
		problems = []Problem{{"must be a valid enum value", "/view/type"}}
	}
	if len(problems) > 0 {
		if problems[0].Text == "view_too_large" {
			return nil, refuse("view_too_large")
		}
		return nil, refuseWith("invalid_arguments", problems)
	}
	if named := s.named(in["blocks"]); named != nil {
		in["blocks"] = named
	}
	v := &View{User: user, Hash: s.id("hash."), Values: map[string]json.RawMessage{}}
	json.Unmarshal(in["external_id"], &v.External)
	for _, other := range s.modals {
		if v.External != "" && other.External == v.External && other.User == user {
			return nil, refuse("duplicate_external_id")
		}
	}
	v.JSON, _ = json.Marshal(in)
	return v, nil
}

// triggered is who the request's trigger id lets the bot show a modal to.
func (r *request) triggered() (user string, bad reply) {
	t := r.s.triggers[r.str("trigger_id")]
	switch {
	case t == nil:
		return "", refuse("invalid_trigger_id")
	case t.used:
		return "", refuse("exchanged_trigger_id")
	case time.Now().After(t.ends):
		return "", refuse("expired_trigger_id")
	}
	return t.user, nil
}

func openView(r *request) reply { return r.showModal(false) }
func pushView(r *request) reply { return r.showModal(true) }

func (r *request) showModal(push bool) reply {
	s := r.s
	user, bad := r.triggered()
	if bad != nil {
		return bad
	}
	v, bad := s.drawn(r.raw("view"), "modal", user)
	if bad != nil {
		return bad
	}
	if push && len(s.stacks[user]) >= s.lim.ModalStack {
		return refuse("push_limit_reached")
	}
	if !push {
		s.dismiss(user)
	}
	s.triggers[r.str("trigger_id")].used = true
	s.stack(v)
	return reply{"view": v.wire(s)}
}

func (s *Server) stack(v *View) {
	v.ID = s.id("V")
	s.modals[v.ID] = v
	s.stacks[v.User] = append(s.stacks[v.User], v.ID)
}

// dismiss closes all of a person's modals.
func (s *Server) dismiss(user string) {
	for _, id := range s.stacks[user] {
		delete(s.modals, id)
	}
	delete(s.stacks, user)
}

func updateView(r *request) reply {
	s := r.s
	old := s.modals[r.str("view_id")]
	for _, v := range s.modals {
		if ext := r.str("external_id"); ext != "" && v.External == ext {
			old = v
		}
	}
	if old == nil {
		return refuse("not_found")
	}
	if h := r.str("hash"); h != "" && h != old.Hash {
		return refuse("hash_conflict")
	}
	if bad := s.redraw(old, r.raw("view")); bad != nil {
		return bad
	}
	return reply{"view": old.wire(s)}
}

func (s *Server) redraw(old *View, raw json.RawMessage) reply {
	external := old.External
	old.External = ""
	v, bad := s.drawn(raw, "modal", old.User)
	if bad != nil {
		old.External = external
		return bad
	}
	v.ID, v.Values = old.ID, old.Values
	*old = *v
	return nil
}

func publishView(r *request) reply {
	s, user := r.s, r.str("user_id")
	old := s.homes[user]
	switch {
	case s.users[user] == nil:
		return refuse("user_not_found")
	case r.str("hash") != "" && old != nil && r.str("hash") != old.Hash:
		return refuse("hash_conflict")
	}
	v, bad := s.drawn(r.raw("view"), "home", user)
	if bad != nil {
		return bad
	}
	if v.ID = s.id("V"); old != nil {
		v.ID = old.ID
	}
	s.homes[user] = v
	return reply{"view": v.wire(s)}
}

// Submit fills in a person's top modal, by block_id or action_id, and submits it.
// It fails the test where Slack wouldn't let the person: a required input empty,
// a text too long or short, a name that no input has. What the bot answers is
// done: errors, update, push, clear, or the modal closes.
func (s *Server) Submit(user string, values map[string]string) (d *Delivery) {
	s.t.Helper()
	why := "there is no modal"
	s.change(func() {
		stack := s.stacks[user]
		if len(stack) == 0 {
			return
		}
		v := s.modals[stack[len(stack)-1]]
		if why = v.fill(values); why != "" {
			return
		}
		v.Errors = nil
		payload := s.interaction("view_submission", user)
		payload["view"], payload["response_urls"] = v.wire(s), []any{}
		d = s.queue(&Delivery{Kind: "interactive", accepts: true, payload: payload, answered: func(answer json.RawMessage) { s.submitted(v, answer) }})
	})
	if d == nil {
		s.t.Fatalf("%s can't submit: %s; the workspace shows\n%s", user, why, s.Show())
	}
	return d
}

// fill sets the inputs' state, and says why Slack would not submit it.
func (v *View) fill(values map[string]string) (why string) {
	var list []map[string]any
	json.Unmarshal(v.blocks(), &list)
	used := 0
	for _, b := range list {
		if b["type"] != "input" {
			continue
		}
		e, _ := b["element"].(map[string]any)
		block, action := fmt.Sprint(b["block_id"]), fmt.Sprint(e["action_id"])
		value, given := values[block]
		if !given {
			value, given = values[action]
		}
		if given {
			used++
		} else if initial, ok := e["initial_value"].(string); ok {
			value = initial
		} else if o, ok := e["initial_option"].(map[string]any); ok {
			value, _ = o["value"].(string)
		}
		n := float64(utf8.RuneCountInString(value))
		most, capped := e["max_length"].(float64)
		least, _ := e["min_length"].(float64)
		switch {
		case value == "" && b["optional"] != true:
			return "input " + block + " is empty"
		case value != "" && (capped && n > most || n < least):
			return fmt.Sprintf("input %s must have %v to %v characters", block, least, most)
		}
		state, ok := choose(e, value)
		if !ok {
			return "input " + block + " has no option " + value
		}
		raw, _ := json.Marshal(map[string]any{action: state})
		v.Values[block] = raw
	}
	if used < len(values) {
		return fmt.Sprintf("its inputs aren't those of %v", values)
	}
	return ""
}

// submitted does what the bot answered to a submission.
func (s *Server) submitted(v *View, answer json.RawMessage) {
	var in struct {
		Action string            `json:"response_action"`
		Errors map[string]string `json:"errors"`
		View   json.RawMessage   `json:"view"`
	}
	if len(answer) > 0 && json.Unmarshal(answer, &in) != nil {
		in.Action = "unreadable"
	}
	var bad reply
	switch in.Action {
	case "":
		s.stacks[v.User] = slices.DeleteFunc(s.stacks[v.User], func(id string) bool { return id == v.ID })
		delete(s.modals, v.ID)
	case "clear":
		s.dismiss(v.User)
	case "errors":
		for block := range in.Errors {
			if _, ok := v.Values[block]; !ok {
				bad = refuse("errors for what is no input: " + block)
			}
		}
		if len(in.Errors) == 0 {
			bad = refuse("errors without any")
		}
		v.Errors = in.Errors
	case "update":
		bad = s.redraw(v, in.View)
	case "push":
		var next *View
		if next, bad = s.drawn(in.View, "modal", v.User); bad == nil {
			s.stack(next)
		}
	default:
		bad = refuse("response_action " + in.Action)
	}
	if bad != nil {
		s.violate("ack", fmt.Sprint(bad["error"]), fmt.Sprint(bad["response_metadata"]), true)
	}
}

// CloseModal has a person close the top modal; Slack tells the app if the view
// asked for that.
func (s *Server) CloseModal(user string) (d *Delivery) {
	s.change(func() {
		stack := s.stacks[user]
		if len(stack) == 0 {
			return
		}
		v := s.modals[stack[len(stack)-1]]
		s.stacks[user] = stack[:len(stack)-1]
		delete(s.modals, v.ID)
		var in struct {
			Notify bool `json:"notify_on_close"`
		}
		if json.Unmarshal(v.JSON, &in); in.Notify {
			payload := s.interaction("view_closed", user)
			payload["view"], payload["is_cleared"] = v.wire(s), false
			d = s.queue(&Delivery{Kind: "interactive", payload: payload})
		}
	})
	return d
}
