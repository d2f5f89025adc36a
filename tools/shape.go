package tools

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// shape bounds a schema that was inferred from a struct. Its methods panic when
// the property does not exist, which every test of the list would show.
type shape struct{ schema *jsonschema.Schema }

// schemaOf infers the schema of an argument struct and bounds it.
func schemaOf[In arguments](c Config) *jsonschema.Schema {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("tools: schema of %T: %v", *new(In), err))
	}
	refuseNull(schema)
	var in In
	in.shape(shape{schema}, c)
	return schema
}

// refuseNull takes null out of the types; inference allows it for pointers and
// slices.
func refuseNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	if s.Items != nil {
		refuseNull(s.Items)
	}
	for _, p := range s.Properties {
		refuseNull(p)
	}
}

func (s shape) property(name string) *jsonschema.Schema {
	p, ok := s.schema.Properties[name]
	if !ok {
		panic(fmt.Sprintf("tools: there is no argument %q", name))
	}
	return p
}

// remove takes a property out of the schema, so that it is refused.
func (s shape) remove(name string) {
	delete(s.schema.Properties, name)
	s.schema.PropertyOrder = slices.DeleteFunc(s.schema.PropertyOrder, func(p string) bool { return p == name })
}

// between bounds a number.
func (s shape) between(name string, low, high int) {
	p, lo, hi := s.property(name), float64(low), float64(high)
	p.Minimum, p.Maximum = &lo, &hi
}

// length bounds a string, in code points.
func (s shape) length(name string, high int) { s.property(name).MaxLength = &high }

// items bounds the number of items of an array and gives the schema of one.
func (s shape) items(name string, low, high int) shape {
	p := s.property(name)
	if p.MaxItems = &high; low > 0 {
		p.MinItems = &low
	}
	return shape{p.Items}
}

// oneOf lists the words that a string may be.
func (s shape) oneOf(name string, words ...string) { s.property(name).Enum = enum(words) }

func enum(words []string) []any {
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return list
}

// byDefault sets the value that a handler sees when the argument is absent.
func (s shape) byDefault(name string, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("tools: default of %q: %v", name, err))
	}
	s.property(name).Default = raw
}
