package faultproxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Direction is the way of a packet.
type Direction int

// The directions.
const (
	ToFirefox Direction = iota
	ToServer
)

// Everything is how much of a packet passes before the fault, when all does.
const Everything = -1

// Rule waits for packets, one after the other, and then lets a fault happen,
// once.
type Rule struct {
	Steps []Step
	Pass  int           // bytes of the last step's frame that pass before the fault
	Wait  time.Duration // between that and the fault
	Fault Fault
}

// Step is a packet to wait for.
type Step struct {
	Dir   Direction
	Match func(packet []byte) bool
}

// Proxy is a proxy in front of one port.
type Proxy struct {
	Port int // where it listens, on 127.0.0.1

	target   string
	listener net.Listener
	wait     sync.WaitGroup

	mu       sync.Mutex
	rule     *Rule
	step     int
	fired    chan struct{}
	conns    map[*conn]bool
	dials    int
	limit    int            // bytes from Firefox after which the next connection is cut; -1: none
	impostor func(net.Conn) // answers in Firefox's place
	shut     bool
}

// Start begins to serve in front of a port of 127.0.0.1.
func Start(tb testing.TB, target int) *Proxy {
	tb.Helper()
	l, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{
		Port: l.Addr().(*net.TCPAddr).Port, target: net.JoinHostPort("127.0.0.1", strconv.Itoa(target)),
		listener: l, conns: map[*conn]bool{}, limit: -1,
	}
	p.wait.Go(p.accept)
	tb.Cleanup(p.Close)
	return p
}

// Close ends everything and waits for it.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.shut = true
	p.mu.Unlock()
	_ = p.listener.Close()
	p.Hit(Cut)
	p.wait.Wait()
}

// Arm sets the one rule, in place of another, and returns a channel that is
// closed when its fault has happened.
func (p *Proxy) Arm(r Rule) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule, p.step, p.fired = &r, 0, make(chan struct{})
	return p.fired
}

// Disarm takes the rule away.
func (p *Proxy) Disarm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule = nil
}

// Hit lets a fault happen now, to all connections.
func (p *Proxy) Hit(f Fault) {
	p.mu.Lock()
	var all []*conn
	for c := range p.conns {
		all = append(all, c)
	}
	p.mu.Unlock()
	for _, c := range all {
		f.do(c)
	}
}

// CutNextAfter cuts the next connection behind so many bytes from Firefox.
func (p *Proxy) CutNextAfter(bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = bytes
}

// Impostor lets another program answer at the port; nil brings Firefox back.
// serve returns to close.
func (p *Proxy) Impostor(serve func(net.Conn)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.impostor = serve
}

// Dials is the number of connections that the proxy has taken.
func (p *Proxy) Dials() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dials
}

// Open is the number of connections that are open.
func (p *Proxy) Open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.conns)
}

func (p *Proxy) accept() {
	for {
		server, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.dials++
		impostor := p.impostor
		p.mu.Unlock()
		if impostor != nil {
			p.wait.Go(func() { defer func() { _ = server.Close() }(); impostor(server) })
			continue
		}
		p.wait.Go(func() { p.serve(server.(*net.TCPConn)) })
	}
}

// serve moves the bytes of one connection until either side ends.
func (p *Proxy) serve(server *net.TCPConn) {
	firefox, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(context.Background(), "tcp", p.target)
	if err != nil { // what a client of the port would have met
		_ = server.SetLinger(0)
		_ = server.Close()
		return
	}
	c := &conn{proxy: p, server: server, firefox: firefox.(*net.TCPConn), over: make(chan struct{}), limit: -1}
	p.mu.Lock()
	if p.shut {
		p.mu.Unlock()
		c.end()
		return
	}
	p.conns[c] = true
	c.limit, p.limit = p.limit, -1
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { c.pump(ToFirefox, server, c.firefox) })
	both.Go(func() { c.pump(ToServer, c.firefox, server) })
	both.Wait()
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
}

// conn is one connection through the proxy.
type conn struct {
	proxy   *Proxy
	server  *net.TCPConn
	firefox *net.TCPConn
	once    sync.Once
	over    chan struct{}
	limit   int // bytes to the server before the cut; -1: none

	mu    sync.Mutex // of shape
	shape shape
	out   sync.Mutex // of writes to the server
}

// shape is what is wrong with a connection that goes on.
type shape struct {
	stallIn, stallOut bool
	delay             time.Duration
	piece             int // bytes at a time; 0: all
	pause             time.Duration
}

func (c *conn) set(change func(*shape)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.shape)
}

func (c *conn) get() shape {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shape
}

// end closes both sides.
func (c *conn) end() {
	c.once.Do(func() { close(c.over) })
	_ = c.server.Close()
	_ = c.firefox.Close()
}

// inject sends bytes of our own to the server, and nothing of Firefox's after
// them.
func (c *conn) inject(b []byte) {
	c.set(func(s *shape) { s.stallIn = true })
	c.out.Lock()
	defer c.out.Unlock()
	_, _ = c.server.Write(b)
}

// pump moves one direction until it ends; then both do.
func (c *conn) pump(dir Direction, from, to *net.TCPConn) {
	defer c.end()
	in := bufio.NewReaderSize(from, 64<<10)
	head, err := readHead(in)
	if c.write(dir, to, head) != nil || err != nil {
		return
	}
	for {
		f, err := readFrame(in)
		if errors.Is(err, io.EOF) && len(f.raw) == 0 || err != nil && len(f.raw) == 0 {
			return
		}
		if err == nil && c.meets(dir, f) {
			continue
		}
		if c.write(dir, to, f.raw) != nil || err != nil {
			return
		}
	}
}

// meets looks whether the rule waits for a frame. If it was the last one, the
// fault happens and meets has dealt with the frame.
func (c *conn) meets(dir Direction, f frame) bool {
	p := c.proxy
	p.mu.Lock()
	r := p.rule
	if r == nil || r.Steps[p.step].Dir != dir || !r.Steps[p.step].Match(f.payload) {
		p.mu.Unlock()
		return false
	}
	if p.step++; p.step < len(r.Steps) {
		p.mu.Unlock()
		return false
	}
	p.rule = nil
	fired := p.fired
	p.mu.Unlock()
	defer close(fired)
	c.strike(dir, f, r)
	return true
}

// strike passes what is to pass of a frame and lets the fault happen. What comes
// from Firefox meanwhile is held back if the fault is to come at once.
func (c *conn) strike(dir Direction, f frame, r *Rule) {
	to := c.firefox
	if dir == ToServer {
		to = c.server
	}
	pass := f.raw
	if r.Pass >= 0 {
		pass = f.raw[:min(r.Pass, len(f.raw))]
	}
	if r.Fault.hook != nil && r.Wait == 0 {
		_ = c.write(dir, to, pass)
		r.Fault.hook()
		_ = c.write(dir, to, f.raw[len(pass):])
		return
	}
	harmless := !r.Fault.Fatal && r.Fault.hook == nil && r.Fault.Name != StallIn.Name && r.Fault.Name != StallOut.Name
	if harmless {
		r.Fault.do(c)
		_ = c.write(dir, to, f.raw)
		return
	}
	if dir == ToFirefox && r.Wait == 0 && r.Fault.Name != StallOut.Name {
		c.set(func(s *shape) { s.stallIn = true })
	}
	_ = c.write(dir, to, pass)
	if r.Wait > 0 {
		c.proxy.wait.Go(func() {
			select {
			case <-time.After(r.Wait):
				r.Fault.do(c)
			case <-c.over:
			}
		})
		return
	}
	r.Fault.do(c)
}

// errEnded is the error of a write to a connection that is over.
var errEnded = errors.New("connection ended")

// write forwards bytes in the connection's shape.
func (c *conn) write(dir Direction, to *net.TCPConn, b []byte) error {
	s := c.get()
	if dir == ToServer && s.delay > 0 && !c.sleep(s.delay) {
		return errEnded
	}
	for len(b) > 0 {
		s := c.get()
		if dir == ToServer && s.stallIn || dir == ToFirefox && s.stallOut {
			<-c.over
			return errEnded
		}
		n := len(b)
		if s.piece > 0 {
			n = min(n, s.piece)
		}
		if dir == ToServer && c.limit >= 0 {
			n = min(n, c.limit)
			if c.limit -= n; n == 0 {
				return errEnded
			}
		}
		if err := c.forward(dir, to, b[:n]); err != nil {
			return err
		}
		b = b[n:]
		if s.pause > 0 && !c.sleep(s.pause) {
			return errEnded
		}
	}
	return nil
}

func (c *conn) forward(dir Direction, to *net.TCPConn, b []byte) error {
	if dir == ToServer {
		c.out.Lock()
		defer c.out.Unlock()
		if c.get().stallIn {
			return nil // an injection came first; the next write waits
		}
	}
	_, err := to.Write(b)
	return err
}

// sleep waits, and reports false if the connection ended meanwhile.
func (c *conn) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-c.over:
		return false
	}
}

// Heal takes from all connections what harmless faults did to them.
func (p *Proxy) Heal() {
	p.Hit(Fault{do: func(c *conn) { c.set(func(s *shape) { *s = shape{stallIn: s.stallIn, stallOut: s.stallOut} }) }})
}
