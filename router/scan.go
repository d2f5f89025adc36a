package router

import (
	"bytes"
	"encoding/json"
)

// members passes the members of a JSON object to f, in order, name with its
// quotes and value undecoded. It reports whether raw is an object at all.
//
// encoding/json would go through every packet twice to find a few short members
// (results carry megabytes), and would take "FROM" for "from". One pass checks
// that the packet is JSON; what follows relies on that, and so can skip.
func members(raw []byte, f func(name, value []byte)) bool {
	if !json.Valid(raw) {
		return false
	}
	i := skipSpace(raw, 0)
	if raw[i] != '{' {
		return false
	}
	for i = skipSpace(raw, i+1); raw[i] != '}'; {
		end := skipString(raw, i)
		name := raw[i:end]
		i = skipSpace(raw, end) // the colon
		i = skipSpace(raw, i+1) // the value
		end = skipValue(raw, i)
		f(name, raw[i:end])
		i = skipSpace(raw, end) // a comma or the brace
		if raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
	return true
}

// skipSpace returns where the next token of valid JSON begins.
func skipSpace(raw []byte, i int) int {
	for raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r' {
		i++
	}
	return i
}

// skipString returns the end of the string that begins at i.
func skipString(raw []byte, i int) int {
	for i++; ; i++ {
		i += bytes.IndexByte(raw[i:], '"')
		slashes := 0
		for raw[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// skipValue returns the end of the value that begins at i.
func skipValue(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		return skipString(raw, i)
	case '{', '[':
		return skipNested(raw, i)
	default:
		return i + bytes.IndexAny(raw[i:], ",}] \n\t\r")
	}
}

// skipNested returns the end of the object or array that begins at i.
func skipNested(raw []byte, i int) int {
	depth := 0
	for {
		switch raw[i] {
		case '"':
			i = skipString(raw, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
}
