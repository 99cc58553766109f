package model_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"precedent/engine/model"
)

type parameter struct {
	Name  string `json:"name" description:"without the $"`
	Value any    `json:"value"`
}

// draft has every kind of field a reply can have.
type draft struct {
	Because    string      `json:"because"`
	Kind       string      `json:"kind" enum:"query,clarify,refuse"`
	Query      string      `json:"query"`
	Parameters []parameter `json:"parameters"`
	Limit      int         `json:"limit"`
	Sure       *float64    `json:"sure"`
	Yes        bool        `json:"yes"`
	Words      []string    `json:"words,omitempty" enum:"a,b"`
	hidden     int
}

func TestSchema(t *testing.T) {
	const want = `{
  "type": "object",
  "properties": {
    "because": {
      "type": "string"
    },
    "kind": {
      "type": "string",
      "enum": [
        "query",
        "clarify",
        "refuse"
      ]
    },
    "query": {
      "type": "string"
    },
    "parameters": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "name": {
            "description": "without the $",
            "type": "string"
          },
          "value": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "number"
              },
              {
                "type": "boolean"
              },
              {
                "type": "null"
              },
              {
                "type": "array",
                "items": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "number"
                    }
                  ]
                }
              }
            ]
          }
        },
        "required": [
          "name",
          "value"
        ],
        "additionalProperties": false
      }
    },
    "limit": {
      "type": "integer"
    },
    "sure": {
      "anyOf": [
        {
          "type": "number"
        },
        {
          "type": "null"
        }
      ]
    },
    "yes": {
      "type": "boolean"
    },
    "words": {
      "type": "array",
      "items": {
        "type": "string",
        "enum": [
          "a",
          "b"
        ]
      }
    }
  },
  "required": [
    "because",
    "kind",
    "query",
    "parameters",
    "limit",
    "sure",
    "yes",
    "words"
  ],
  "additionalProperties": false
}`
	raw, err := model.Schema(&draft{hidden: 1})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Errorf("schema:\n%s\nwant:\n%s", got.String(), want)
	}
}

type node struct {
	Next *node `json:"next"`
}

type odd struct{ json.RawMessage }

type base struct {
	ID json.Number `json:"id"`
}

func TestSchemaOfEmbedded(t *testing.T) {
	type whole struct {
		base
		Note string `json:"note<>"`
	}
	got, err := model.Schema(whole{})
	const want = `{"type":"object","properties":{"id":{"type":"number"},"note<>":{"type":"string"}},"required":["id","note<>"],"additionalProperties":false}`
	var same bytes.Buffer
	json.Compact(&same, got)
	if err != nil || strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(same.String()) != want {
		t.Errorf("Schema = %s, %v", got, err)
	}
}

func TestSchemaOfWhatCannotBeAReply(t *testing.T) {
	for _, test := range []struct {
		name string
		v    any
		says string
	}{
		{"nil", nil, "from a struct"},
		{"text", "a", "from a struct"},
		{"no fields", struct{}{}, "no fields"},
		{"map", struct{ M map[string]any }{}, "list of pairs {name, value}"},
		{"recursive", node{}, "recursive"},
		{"own JSON", odd{}, "its own JSON"},
		{"function", struct{ F func() }{}, "JSON can't hold"},
		{"bytes", struct{ B []byte }{}, "base64"},
		{"interface", struct{ E error }{}, "interface"},
		{"quoted number", struct {
			N int `json:",string"`
		}{}, "leave it out"},
		{"enum of numbers", struct {
			N int `enum:"1,2"`
		}{}, "enum is for strings"},
		{"twice", struct {
			A string `json:"x"`
			B string `json:"X"`
		}{}, "two fields"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := model.Schema(test.v); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one with %q", err, test.says)
			}
		})
	}
}
