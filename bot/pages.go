package bot

import (
	"container/list"
	"sync"

	"precedent/engine"
)

// Bounds of the rows kept for "next".
const (
	keptAnswers = 200
	keptRows    = 20_000
)

// pages keep the rows of the latest answers, so that the next of them can be
// shown without reading the graph again. The zero value is ready.
type pages struct {
	mu    sync.Mutex
	byID  map[string]*list.Element
	order list.List // of page, oldest first
	rows  int
}

type page struct {
	answer    string
	columns   []string
	rows      [][]any
	truncated bool
}

// keep keeps the rows of an answer.
func (p *pages) keep(answer string, columns []string, rows engine.Rows, truncated bool) {
	if len(rows) > keptRows {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil {
		p.byID = make(map[string]*list.Element)
	}
	if p.byID[answer] != nil {
		return
	}
	p.byID[answer] = p.order.PushBack(page{answer, columns, rows, truncated})
	for p.rows += len(rows); len(p.byID) > keptAnswers || p.rows > keptRows; {
		oldest := p.order.Remove(p.order.Front()).(page)
		delete(p.byID, oldest.answer)
		p.rows -= len(oldest.rows)
	}
}

func (p *pages) of(answer string) (page, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.byID[answer]; e != nil {
		return e.Value.(page), true
	}
	return page{}, false
}
