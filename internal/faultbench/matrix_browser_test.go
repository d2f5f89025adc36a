package faultbench

import (
	"io"
	"net"
	"syscall"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

// ofTheBrowser are the faults that are not the connection's. Each happens at a moment
// of the packets all the same, which wait for it.
func (b *bench) ofTheBrowser() []blow {
	return []blow{b.killed(), b.pageKilled(), b.looping(), b.asking(), b.sleeping(), b.pressed(), b.portTaken()}
}

// early reports whether nothing has been asked of Firefox at a moment.
func early(m string) bool { return m == "idle" || m == "before" || m == "in the request" }

// killed kills Firefox, and starts another on the same port.
func (b *bench) killed() blow {
	fault := fp.Meanwhile("firefox killed", b.firefox.Kill)
	fault.Fatal = true
	return blow{
		Fault: fault, gone: true, other: true,
		mend: func(b *bench) {
			if err := b.firefox.Run(b.t.Context()); err != nil {
				b.t.Fatal(err)
			}
		},
		expect: func(m string, f family) expected {
			out := expected{codes: []string{"connection_lost"}, max: f.once, replaced: true}
			if m == "idle" {
				out.codes = append(out.codes, "not_connected")
			}
			return out
		},
	}
}

// pageKilled kills the process that the page lives in.
func (b *bench) pageKilled() blow {
	kill := func() {
		frames, err := b.oracle().Frames(b.t.Context(), 0)
		if err == nil {
			err = syscall.Kill(frames[0].Pid, syscall.SIGKILL)
		}
		if err != nil {
			b.t.Error(err)
		}
	}
	return blow{
		Fault: fp.Meanwhile("page's process killed", kill), gone: true, mend: func(*bench) {},
		expect: func(m string, f family) expected {
			out := expected{codes: []string{"target_replaced", "unsupported_page"}, max: f.once, replaced: true}
			switch {
			case f.outside:
				out.codes = append(out.codes, "", "navigation_failed")
			case f.browser:
				out.codes = append(out.codes, "", "no_dialog")
			case m == "idle" || !early(m) || f.name == "wait": // which bears that pages come and go
				out.codes = append(out.codes, "stale_element", f.well)
			}
			return out
		},
	}
}

// looping keeps the page busy for longer than calls wait.
func (b *bench) looping() blow {
	var thawed func()
	return blow{
		Fault: fp.Meanwhile("endless loop", func() { thawed = b.freeze(deadline + 3*time.Second) }),
		mend:  func(*bench) { thawed() },
		expect: func(m string, f family) expected {
			out := expected{codes: []string{"page_unresponsive"}, max: f.once}
			switch {
			case f.outside || f.browser || f.plain || f.name == "wait" || !early(m):
				out.codes = append(out.codes, f.well)
			case f.name == "evaluate" && m != "idle":
				// It has just looked that the page answers, and gives its script the time it
				// was asked for, which is longer than a direct reply may take.
				out.codes, out.max = append(out.codes, "rdp_timeout"), 0
			default:
				out.max = 0
			}
			return out
		},
	}
}

// asking has the page open one dialog after the other.
func (b *bench) asking() blow {
	ask := func() {
		_, err := b.oracle().Page(b.t.Context(), 0, `w.setTimeout("for (let i = 0;; i++) alert('again ' + i)", 0)`)
		if err != nil {
			b.t.Error(err)
		}
		time.Sleep(300 * time.Millisecond)
	}
	return blow{
		Fault: fp.Meanwhile("dialogs for ever", ask), mend: func(*bench) {},
		expect: func(_ string, f family) expected {
			return expected{codes: []string{f.well, "dialog_open", "page_unresponsive"}, max: f.once}
		},
	}
}

// sleeping stops all of Firefox, as the sleep of the machine does.
func (b *bench) sleeping() blow {
	var since time.Time
	long := all() // once
	return blow{
		Fault: fp.Meanwhile("sleep", func() { since = time.Now(); b.firefox.Signal(syscall.SIGSTOP) }), late: true,
		mend: func(b *bench) {
			if long {
				time.Sleep(time.Until(since.Add(time.Minute)))
				long = false
			}
			b.firefox.Signal(syscall.SIGCONT)
		},
		expect: func(m string, f family) expected {
			out := expected{codes: []string{"rdp_timeout"}, max: f.once, replaced: !f.browser}
			switch {
			case m == "idle":
				out.codes = append(out.codes, "not_connected")
			case !early(m): // it may have been answered by then
				out.codes, out.replaced = append(out.codes, f.well), false
			}
			if f.name == "navigate" {
				out.codes = append(out.codes, "navigation_timeout")
			} else if early(m) {
				out.max = 0
			}
			return out
		},
	}
}

// pressed has Firefox give back all the memory that it can.
func (b *bench) pressed() blow {
	press := func() {
		b.parent(`for (let i = 0; i < 3; i++) Services.obs.notifyObservers(null, "memory-pressure", "heap-minimize");
			Cc["@mozilla.org/memory-reporter-manager;1"].getService(Ci.nsIMemoryReporterManager).minimizeMemoryUsage(() => {}); return 0`)
	}
	return blow{
		Fault: fp.Meanwhile("memory pressure", press), mend: func(*bench) {},
		expect: func(_ string, f family) expected {
			return expected{codes: []string{f.well}, min: f.once, max: f.once}
		},
	}
}

// portTaken cuts the connection and puts a web server in Firefox's place.
func (b *bench) portTaken() blow {
	fault := fp.Meanwhile("port taken", func() {
		b.proxy.Impostor(func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
		})
		b.proxy.Hit(fp.Cut)
	})
	fault.Fatal = true
	return blow{
		Fault: fault,
		mend: func(b *bench) {
			b.code(b.try("list_tabs", nil), "not_connected")
			b.proxy.Impostor(nil)
		},
		expect: func(m string, f family) expected {
			out := expect(fp.Cut, m, f)
			if m == "idle" {
				out.codes = []string{"connection_lost", "not_connected"}
			}
			return out
		},
	}
}
