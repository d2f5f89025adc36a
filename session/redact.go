package session

import (
	"net/url"
	"regexp"
	"strings"
)

// hidden stands for what is not told.
const hidden = "[hidden]"

// userPart is user name and password in an address inside a text.
var userPart = regexp.MustCompile(`://[^/\s@"'<>?#]{1,200}@`)

// withoutUsers takes user names and passwords out of the addresses in a text.
func withoutUsers(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return userPart.ReplaceAllString(text, "://")
}

// secretWord is what names of secret things have in them.
var secretWord = regexp.MustCompile(`(?i)(passw|secret|token|api[-_]?key|auth|cookie|session|credential|signature|^sig$|^sid$|^code$|^otp$|^pin$)`)

// withoutCredentials takes user name and password out of an address, and the
// values of parameters whose names say that they are secret.
func withoutCredentials(address string) string {
	address = withoutUsers(address)
	rest, fragment, marked := strings.Cut(address, "#")
	head, query, asked := strings.Cut(rest, "?")
	if asked {
		head += "?" + withoutSecretPairs(query)
	}
	if marked {
		head += "#" + withoutSecretPairs(fragment) // some services hand tokens over there
	}
	return head
}

func withoutSecretPairs(query string) string {
	if !strings.Contains(query, "=") {
		return query
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		key, _, given := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(key)
		if err != nil {
			name = key
		}
		if given && secretWord.MatchString(name) {
			pairs[i] = key + "=" + hidden
		}
	}
	return strings.Join(pairs, "&")
}

// harmless are headers whose names only look secret.
var harmless = map[string]bool{"access-control-allow-credentials": true, "www-authenticate": true}

// shownHeader gives the value of a header as it may be told.
func shownHeader(name, value string) string {
	name = strings.ToLower(name)
	if secretWord.MatchString(name) && !harmless[name] {
		return hidden
	}
	if strings.Contains(value, "://") || strings.Contains(value, "?") {
		return withoutCredentials(value)
	}
	return value
}

// secretMember is a member of a JSON text, or a pair of a form, that is secret.
var secretMember = regexp.MustCompile(`(?i)("(?:access_token|refresh_token|id_token|client_secret|password|passwd|secret|api_?key|session_?id)"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)`)

// shownBody takes credentials out of the body of a response, where they can be
// told.
func shownBody(text string) string {
	return secretMember.ReplaceAllString(withoutUsers(text), `${1}"`+hidden+`"`)
}
