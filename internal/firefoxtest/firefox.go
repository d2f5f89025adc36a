package firefoxtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// prefs are the settings without which the debugger server does not open or
// asks its user, and those that keep the browser quiet and off the network.
var prefs = []string{
	`"devtools.debugger.remote-enabled", true`,
	`"devtools.chrome.enabled", true`,
	`"devtools.debugger.prompt-connection", false`,
	`"browser.aboutwelcome.enabled", false`,
	`"browser.shell.checkDefaultBrowser", false`,
	`"browser.startup.page", 0`,
	`"browser.startup.homepage", "about:blank"`,
	`"browser.newtabpage.enabled", false`,
	`"browser.sessionstore.resume_from_crash", false`,
	`"browser.tabs.firefox-view", false`,
	`"browser.tabs.warnOnClose", false`,
	`"browser.region.update.enabled", false`,
	`"browser.search.update", false`,
	`"browser.safebrowsing.malware.enabled", false`,
	`"browser.safebrowsing.phishing.enabled", false`,
	`"app.update.enabled", false`,
	`"datareporting.policy.dataSubmissionEnabled", false`,
	`"dom.ipc.reportProcessHangs", false`,
	`"extensions.update.enabled", false`,
	`"network.captive-portal-service.enabled", false`,
	`"network.connectivity-service.enabled", false`,
	`"services.settings.server", "data:,"`,
	`"signon.rememberSignons", false`,
	`"toolkit.startup.max_resumed_crashes", -1`,
}

// Firefox is one running browser.
type Firefox struct {
	Port    int    // of the debugger server, on 127.0.0.1
	Profile string // the profile's folder, removed by Stop

	binary string
	cmd    *exec.Cmd
	exited chan struct{} // closed when the process has ended
}

// Binary returns the path of the Firefox to test with.
func Binary() (string, error) {
	if name := os.Getenv("FIREFOX"); name != "" {
		return exec.LookPath(name)
	}
	for _, name := range []string{"firefox-esr", "firefox"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Firefox found: run `sudo apt-get install firefox-esr`, or set FIREFOX to the path of one")
}

// Launch starts a Firefox and waits until its debugger server greets and its
// first tab is there. extra are lines for the profile's user.js.
func Launch(ctx context.Context, extra ...string) (*Firefox, error) {
	binary, err := Binary()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "firefox-profile-")
	if err != nil {
		return nil, err
	}
	f := &Firefox{Profile: profile, binary: binary}
	lines := append([]string{}, prefs...)
	lines = append(lines, `"browser.download.folderList", 2`, fmt.Sprintf(`"browser.download.dir", %q`, profile))
	lines = append(lines, extra...)
	var js strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&js, "user_pref(%s);\n", line)
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(js.String()), 0o600); err != nil {
		return nil, err
	}
	if f.Port, err = freePort(); err != nil {
		return nil, err
	}
	if err := f.Run(ctx); err != nil {
		f.Stop()
		return nil, err
	}
	return f, nil
}

// Run starts the process again, on the same port and profile, after Kill.
func (f *Firefox) Run(ctx context.Context) error {
	log, err := os.Create(filepath.Join(f.Profile, "firefox.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	// Not CommandContext: the context bounds the start, not the browser's life.
	f.cmd = exec.Command(f.binary, "--headless", "--no-remote", "--profile", f.Profile, //nolint:noctx // see above
		"--start-debugger-server", fmt.Sprintf("ws:%d", f.Port), "about:blank")
	f.cmd.Env = append(os.Environ(), "MOZ_HEADLESS=1", "MOZ_CRASHREPORTER_DISABLE=1", "HOME="+f.Profile, "DISPLAY=")
	f.cmd.Stdout, f.cmd.Stderr = log, log
	f.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := f.cmd.Start(); err != nil {
		return err
	}
	f.exited = make(chan struct{})
	go func(cmd *exec.Cmd, exited chan struct{}) { _ = cmd.Wait(); close(exited) }(f.cmd, f.exited)
	return f.ready(ctx)
}

// ready waits until the first tab can be evaluated in.
func (f *Firefox) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	for {
		err := f.probe(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("firefox did not come up on port %d: %w", f.Port, err)
		case <-f.exited:
			return fmt.Errorf("firefox ended while starting: %w", err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (f *Firefox) probe(ctx context.Context) error {
	c, err := Dial(ctx, f.Port, true)
	if err != nil {
		return err
	}
	defer c.Close()
	up, err := c.Parent(ctx, `const w = Services.wm.getMostRecentWindow("navigator:browser"); return !!(w && w.gBrowser && w.gBrowserInit.delayedStartupFinished)`)
	if err != nil {
		return err
	}
	if string(up) != "true" {
		return errors.New("no browser window yet")
	}
	return nil
}

// Kill ends the browser and all its processes at once, as a crash would.
func (f *Firefox) Kill() {
	if f.cmd == nil || f.cmd.Process == nil {
		return
	}
	_ = syscall.Kill(-f.cmd.Process.Pid, syscall.SIGKILL)
	<-f.exited
}

// Signal sends a signal to all of the browser's processes. SIGSTOP freezes it, as
// the sleep of the machine does, until SIGCONT.
func (f *Firefox) Signal(sig syscall.Signal) {
	if f.cmd != nil && f.cmd.Process != nil {
		_ = syscall.Kill(-f.cmd.Process.Pid, sig)
	}
}

// Stop ends the browser and removes its profile.
func (f *Firefox) Stop() {
	f.Kill()
	_ = os.RemoveAll(f.Profile)
}

// Start launches a Firefox for one test or benchmark and stops it afterwards.
func Start(tb testing.TB, extra ...string) *Firefox {
	tb.Helper()
	f, err := Launch(tb.Context(), extra...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(f.Stop)
	return f
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // closed in the next line
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
