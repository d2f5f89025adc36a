package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"firefox-rdp-mcp/session"
)

// aliases are arguments that have two names. Either will do, whether or not it is
// listed; a handler finds the value under the second.
var aliases = []struct{ other, name string }{
	{"element_id", "element"},
	{"session_id", "tab_id"},
}

// decode reads the arguments of a call: aliases, then the schema with its
// defaults, then the struct. What is no object is a malformed request, a
// *jsonrpc.Error; what breaks the schema is an invalid_argument. Neither repeats
// the values, which may be secret or large.
func decode[In any](raw json.RawMessage, schema *jsonschema.Schema) (In, error) {
	var in In
	args := map[string]any{}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && string(raw) != "null" { // some clients send null for none
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if raw[0] != '{' || dec.Decode(&args) != nil {
			return in, &jsonrpc.Error{Code: codeInvalidParams, Message: "invalid params: arguments must be an object"}
		}
	}
	if err := unalias(args, schema); err != nil {
		return in, err
	}
	if _, err := conform(args, schema, ""); err != nil {
		return in, err
	}
	clean, err := json.Marshal(args)
	if err == nil {
		err = json.Unmarshal(clean, &in)
	}
	if err != nil {
		return in, &session.Fault{Code: session.Internal, Message: "the arguments fit their schema but not their type", Err: err}
	}
	return in, nil
}

// unalias copies values given under another name to their own. It also bounds
// them: in the schema of every tool the bound would cost more than it says.
func unalias(args map[string]any, schema *jsonschema.Schema) error {
	for _, a := range aliases {
		for _, name := range []string{a.other, a.name} {
			if s, ok := args[name].(string); ok && len(s) > maxName {
				return broken(name, "must have at most %d characters", maxName)
			}
		}
		value, isText := args[a.other].(string)
		if !isText || schema.Properties[a.name] == nil {
			continue
		}
		if own, both := args[a.name]; both && own != value {
			return broken(a.other, "and %s mean the same and differ", a.name)
		}
		args[a.name] = value
		if schema.Properties[a.other] == nil {
			delete(args, a.other)
		}
	}
	return nil
}

// broken is the fault of an argument that breaks a rule.
func broken(field, rule string, args ...any) error {
	return session.Faultf(session.InvalidArgument, "%s %s", field, fmt.Sprintf(rule, args...))
}

// conform checks a value as the schema that tools/list shows says, and returns
// it with defaults put in and whole numbers written as such. It knows the
// keywords that shape sets and no others; a test holds it against a general
// validator.
func conform(value any, s *jsonschema.Schema, field string) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		if s.Type == "object" {
			return v, conformObject(v, s, field)
		}
	case []any:
		if s.Type == "array" {
			return v, conformArray(v, s, field)
		}
	case string:
		if s.Type == "string" {
			return v, conformString(v, s, field)
		}
	case json.Number:
		if s.Type == "integer" {
			return conformInteger(v, s, field)
		}
	case bool:
		if s.Type == "boolean" {
			return v, nil
		}
	}
	return nil, broken(named(field), "must be %s", withArticle(s.Type))
}

func conformObject(args map[string]any, s *jsonschema.Schema, field string) error {
	for _, name := range s.Required {
		if _, ok := args[name]; !ok {
			return broken(within(field, name), "is required")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if s.Properties[name] == nil {
			return broken(fmt.Sprintf("%q", clip(name, 40)), "is no argument of this tool; it takes %s", known(s))
		}
	}
	for _, name := range s.PropertyOrder {
		property := s.Properties[name]
		value, given := args[name]
		if !given {
			if property.Default != nil {
				args[name] = property.Default
			}
			continue
		}
		clean, err := conform(value, property, within(field, name))
		if err != nil {
			return err
		}
		args[name] = clean
	}
	return nil
}

func conformArray(list []any, s *jsonschema.Schema, field string) error {
	if s.MinItems != nil && len(list) < *s.MinItems {
		return broken(field, "must have at least %d items", *s.MinItems)
	}
	if s.MaxItems != nil && len(list) > *s.MaxItems {
		return broken(field, "must have at most %d items", *s.MaxItems)
	}
	for i, item := range list {
		clean, err := conform(item, s.Items, fmt.Sprintf("%s[%d]", field, i))
		if err != nil {
			return err
		}
		list[i] = clean
	}
	return nil
}

func conformString(v string, s *jsonschema.Schema, field string) error {
	n, most := utf8.RuneCountInString(v), maxString
	if s.MaxLength != nil {
		most = *s.MaxLength
	}
	switch {
	case s.Enum != nil && !slices.Contains(s.Enum, any(v)):
		return broken(field, "must be one of %s", words(s.Enum))
	case n > most:
		return broken(field, "must have at most %d characters, not %d", most, n)
	}
	return nil
}

// conformInteger takes 3.0 and 3e0 for the integer that JSON Schema takes them
// for.
func conformInteger(v json.Number, s *jsonschema.Schema, field string) (any, error) {
	f, err := v.Float64()
	switch {
	case s.Minimum != nil && f < *s.Minimum:
		return nil, broken(field, "must be at least %.0f", *s.Minimum)
	case s.Maximum != nil && f > *s.Maximum:
		return nil, broken(field, "must be at most %.0f", *s.Maximum)
	case err != nil || f != math.Trunc(f) || math.Abs(f) > maxID:
		return nil, broken(field, "must be an integer")
	}
	return int64(f), nil
}

func within(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

func named(field string) string {
	if field == "" {
		return "arguments"
	}
	return field
}

func known(s *jsonschema.Schema) string {
	if len(s.PropertyOrder) == 0 {
		return "none"
	}
	return strings.Join(s.PropertyOrder, ", ")
}

func words(list []any) string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = fmt.Sprint(w)
	}
	return strings.Join(texts, ", ")
}

func withArticle(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}
