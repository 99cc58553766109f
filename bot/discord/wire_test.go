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
