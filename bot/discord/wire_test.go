package discord

import (
	"encoding/json"
	"maps"
	"testing"
)

// A form that was sent, word for word as Discord's reference has it ("Label
// Interaction Response Structure"): the fake's modals send no selects.
func TestSelectComesBack(t *testing.T) {
	var i interaction
	err := json.Unmarshal([]byte(`{"type":5,"id":"1","token":"t","channel_id":"2","user":{"id":"3"},"data":{"custom_id":"why|1","components":[
		{"type":18,"id":1,"component":{"type":3,"id":2,"custom_id":"why","values":["query"]}},
		{"type":18,"id":3,"component":{"type":3,"id":4,"custom_id":"other","values":[]}},
		{"type":18,"id":5,"component":{"type":4,"id":6,"custom_id":"note","value":"wrong year"}},
		{"type":1,"id":7,"components":[{"type":4,"id":8,"custom_id":"old","value":"as before labels"}]}]}}`), &i)
	if err != nil {
		t.Fatal(err)
	}
	d := &Discord{}
	d.start()
	h, answer, ok := d.heardBy(i)
	want := map[string]string{"why": "query", "other": "", "note": "wrong year", "old": "as before labels"}
	if !ok || h.Button != "why|1" || !maps.Equal(h.Fields, want) || answer.Type != deferMessage || !h.Private || h.Shown == nil {
		t.Errorf("heard %+v, answered %+v", h, answer)
	}
}

// What a channel's own overwrites say of who may see it, as GUILD_CREATE has them.
func TestClosedChannels(t *testing.T) {
	for text, want := range map[string]bool{
		`{"id": "2", "guild_id": "1"}`: false,
		`{"id": "2", "guild_id": "1", "permission_overwrites": [{"id": "1", "type": 0, "allow": "0", "deny": "1024"}]}`:             true,
		`{"id": "2", "guild_id": "1", "permission_overwrites": [{"id": "1", "type": 0, "allow": "0", "deny": "9007199254742016"}]}`: true,
		`{"id": "2", "guild_id": "1", "permission_overwrites": [{"id": "1", "type": 0, "allow": "1024", "deny": "2048"}]}`:          false,
		`{"id": "2", "guild_id": "1", "permission_overwrites": [{"id": "7", "type": 0, "allow": "0", "deny": "1024"}]}`:             false,
		`{"id": "2", "guild_id": "1", "permission_overwrites": [{"id": "1", "type": 0, "allow": "0", "deny": "not a number"}]}`:     false,
		`{"id": "2", "guild_id": "1", "type": 12}`: true,
	} {
		var c channel
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		if c.closed() != want {
			t.Errorf("%s: closed is %v", text, !want)
		}
	}
	d := &Discord{}
	d.start()
	var parent channel
	if err := json.Unmarshal([]byte(`{"id": "2", "guild_id": "1", "permission_overwrites": [{"id": "1", "deny": "1024"}]}`), &parent); err != nil {
		t.Fatal(err)
	}
	d.rooms.add("1", parent)
	if !d.closed(channel{ID: "3", Guild: "1", Type: 11, Parent: "2"}) || d.closed(channel{ID: "3", Guild: "1", Type: 11, Parent: "4"}) {
		t.Error("a thread isn't as its channel is")
	}
}
