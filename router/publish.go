package router

import (
	"context"
	"encoding/json"
	"strings"
)

// publish turns an event into news. Before the session hears of a death,
// everybody who waits for the dead is answered.
func (r *Router) publish(ctx context.Context, d *desk, p Packet) error {
	switch p.Type {
	case "tabListChanged":
		return r.tell(ctx, TabListChanged{Epoch: r.epoch})
	case "target-available-form":
		t, err := p.target()
		if err != nil {
			return err
		}
		d.mourn(d.available(p.From, t))
		return r.tell(ctx, TargetAvailable{Epoch: r.epoch, Watcher: p.From, Target: t})
	case "target-destroyed-form":
		t, err := p.target()
		if err != nil {
			return err
		}
		d.mourn(d.destroyed(t))
		return r.tell(ctx, TargetDestroyed{Epoch: r.epoch, Watcher: p.From, Actor: t.Actor})
	case "descriptor-destroyed":
		d.mourn(d.closed(p.From))
		return r.tell(ctx, DescriptorDestroyed{Epoch: r.epoch, Actor: p.From})
	case "forwardingCancelled":
		return r.cancelled(ctx, d, p)
	case "resources-available-array", "resources-updated-array", "resources-destroyed-array":
		change := strings.TrimSuffix(strings.TrimPrefix(p.Type, "resources-"), "-array")
		return r.resources(ctx, p, change)
	case "frameUpdate", "tabNavigated", "workerListChanged":
		return nil // Firefox's habits; what they say is known better from elsewhere
	default:
		d.unmatched.add(p)
		return nil
	}
}

// mourn fails what is pending at dead actors, and counts among the dead those
// whose late replies could otherwise be taken for others.
func (d *desk) mourn(dead []ActorID) {
	if len(dead) == 0 {
		return
	}
	died := make(map[ActorID]struct{}, len(dead))
	for _, a := range dead {
		died[a] = struct{}{}
	}
	d.bury(d.bereave(func(a ActorID) bool { _, ok := died[a]; return ok }))
}

// cancelled handles the end of a whole content process, as far as one watcher
// or descriptor looked into it.
func (r *Router) cancelled(ctx context.Context, d *desk, p Packet) error {
	var body struct {
		Prefix string `json:"prefix"`
	}
	if err := p.Decode(&body); err != nil {
		return err
	}
	d.mourn(d.roster.cancelled(body.Prefix))
	d.bury(d.bereave(func(a ActorID) bool { return below(a, body.Prefix) }))
	return r.tell(ctx, ForwardingCancelled{Epoch: r.epoch, Prefix: body.Prefix})
}

// resources publishes each member of a batch, in order.
func (r *Router) resources(ctx context.Context, p Packet, change string) error {
	batch, err := p.resources()
	if err != nil {
		return err
	}
	for _, one := range batch {
		var n News = Resource{Epoch: r.epoch, From: p.From, Kind: one.kind, Change: change, Raw: one.raw}
		if one.kind == "document-event" && change == "available" {
			if n, err = p.documentEvent(r.epoch, one.raw); err != nil {
				return err
			}
		}
		if err := r.tell(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// tell waits until the session has the news.
func (r *Router) tell(ctx context.Context, n News) error {
	select {
	case r.news <- n:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// target decodes the target that an event is about.
func (p Packet) target() (Target, error) {
	var body struct {
		Target json.RawMessage `json:"target"`
	}
	if err := p.Decode(&body); err != nil {
		return Target{}, err
	}
	return ParseTarget(body.Target)
}

// resource is one member of a batch.
type resource struct {
	kind string
	raw  json.RawMessage
}

// resources decodes a batch: [[kind, [resource, …]], …].
func (p Packet) resources() ([]resource, error) {
	var body struct {
		Array [][2]json.RawMessage `json:"array"`
	}
	if err := p.Decode(&body); err != nil {
		return nil, err
	}
	var all []resource
	for _, group := range body.Array {
		var members []json.RawMessage
		if err := (Packet{From: p.From, Raw: group[1]}).Decode(&members); err != nil {
			return nil, err
		}
		kind := text(group[0])
		for _, raw := range members {
			all = append(all, resource{kind, raw})
		}
	}
	return all, nil
}

func (p Packet) documentEvent(epoch int, raw json.RawMessage) (News, error) {
	var e struct {
		Name              string  `json:"name"`
		URL               string  `json:"url"`
		NewURI            *string `json:"newURI"`
		Title             string  `json:"title"`
		BrowsingContextID int64   `json:"browsingContextID"`
		InnerWindowID     int64   `json:"innerWindowId"`
	}
	if err := (Packet{From: p.From, Raw: raw}).Decode(&e); err != nil {
		return nil, err
	}
	if e.NewURI != nil {
		e.URL = *e.NewURI
	}
	return DocumentEvent{
		Epoch: epoch, From: p.From, Name: e.Name, URL: e.URL, Title: e.Title,
		BrowsingContextID: e.BrowsingContextID, InnerWindowID: e.InnerWindowID,
	}, nil
}
