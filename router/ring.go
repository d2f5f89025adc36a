package router

import "time"

// kept is how many summaries of unmatched packets are remembered.
const kept = 100

// ring holds the last summaries of packets that nobody waited for.
type ring struct {
	last  []Summary // at most kept
	next  int       // where the next one goes, once last is full
	total int       // ever
}

func (r *ring) add(p Packet) {
	s := Summary{At: time.Now(), From: word(string(p.From)), Type: word(p.Type), Error: word(p.Error), Bytes: len(p.Raw)}
	r.total++
	if len(r.last) < kept {
		r.last = append(r.last, s)
		return
	}
	r.last[r.next] = s
	r.next = (r.next + 1) % kept
}

// all returns a copy, oldest first.
func (r *ring) all() []Summary {
	return append(append(make([]Summary, 0, len(r.last)), r.last[r.next:]...), r.last[:r.next]...)
}
