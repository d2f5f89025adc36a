package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// arguments is what every argument struct can do: bound its schema, and check
// what no flat schema can say (exactly one of, URLs, paths).
type arguments interface {
	shape(s shape, c Config)
	check() error
}

// tool is an entry of the catalog with its schema and the way to run it.
type tool struct {
	entry   entry
	schema  *jsonschema.Schema
	listed  json.RawMessage // the schema as it is listed; marshalling it anew costs milliseconds
	notes   *mcp.ToolAnnotations
	prepare func(raw json.RawMessage) (body, error)
}

// registry collects the tools while the server is put together.
type registry struct {
	cfg   Config
	tools []tool
}

func newRegistry(cfg Config) *registry { return &registry{cfg: cfg.withDefaults()} }

// add gives the tool called name its handler. The handler's arguments have been
// checked against the schema and by their own check; its context ends when the
// client cancels or the tree stops, with the *session.Fault to return as cause.
func add[In arguments](r *registry, name string, handle func(ctx context.Context, call Call, in In) (Reply, error)) {
	at := slices.IndexFunc(catalog, func(e entry) bool { return e.name == name })
	if at < 0 {
		panic(fmt.Sprintf("tools: %q is not in the catalog", name))
	}
	schema := schemaOf[In](r.cfg)
	listed, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("tools: schema of %q: %v", name, err))
	}
	r.tools = append(r.tools, tool{
		entry:  catalog[at],
		schema: schema,
		listed: listed,
		notes:  catalog[at].annotations(r.cfg.ReadOnly),
		prepare: func(raw json.RawMessage) (body, error) {
			in, err := decode[In](raw, schema)
			if err != nil {
				return nil, err
			}
			if err := in.check(); err != nil {
				return nil, err
			}
			return func(ctx context.Context, call Call) (Reply, error) {
				reply, err := handle(ctx, call, in)
				return reply, aboutSession(in, err)
			}, nil
		},
	})
}

// listed returns the tools that the configuration lists.
func (r *registry) listed() []tool {
	return slices.DeleteFunc(slices.Clone(r.tools), func(t tool) bool { return !r.cfg.lists(t.entry) })
}

// description is the tool as tools/list shows it. There is no output schema: the
// official Node client would check errors against it as well.
func (t tool) description() *mcp.Tool {
	return &mcp.Tool{
		Name:        t.entry.name,
		Title:       t.entry.title,
		Description: t.entry.description,
		Annotations: t.notes,
		InputSchema: t.listed,
	}
}
