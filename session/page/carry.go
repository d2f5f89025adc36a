package page

import (
	"encoding/json"
	"fmt"
)

// Carry is Call for large arguments to an isolated agent. Firefox sends the
// whole text of an evaluation back with its result, but not the address given
// as the script's origin; so the arguments travel in that address (the url
// option of evaluateJSAsync), and the text only says where to find them. That
// is about twice as fast as Call for chunks of a file, and keeps them out of
// the packets that come back.
//
// In the page's realm Error may be the page's own: use Call there.
func Carry(method string, args any) (text, url string, err error) {
	carried, err := json.Marshal(args)
	if err != nil {
		return "", "", fmt.Errorf("arguments of %s: %w", method, err)
	}
	return "_self(" + literal(method) + ",Error().fileName)", string(carried), nil
}
