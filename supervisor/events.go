package supervisor

import (
	"log/slog"

	"github.com/thejerf/suture/v4"
)

// hook logs what suture does. It runs on the supervisor's own goroutine, so it
// must never call the supervisor back.
//
// A panic never gets here as such: the adapters of policy.go catch it before
// suture does. The case is kept for an actor that is added without one.
func hook(log *slog.Logger) suture.EventHook {
	return func(event suture.Event) {
		switch e := event.(type) {
		case suture.EventServiceTerminate:
			log.Error("actor ended and is restarted", slog.String("actor", e.ServiceName), slog.Any("cause", e.Err))
		case suture.EventServicePanic:
			log.Error("actor panicked and is restarted", slog.String("actor", e.ServiceName), slog.String("cause", e.PanicMsg), slog.String("stack", e.Stacktrace))
		case suture.EventStopTimeout:
			log.Warn("actor did not stop", slog.String("actor", e.ServiceName), slog.Duration("dur", stopTimeout))
		case suture.EventBackoff:
			log.Error("too many restarts, waiting", slog.String("actor", e.SupervisorName))
		case suture.EventResume:
			log.Info("restarting again", slog.String("actor", e.SupervisorName))
		}
	}
}
