package tools

import "testing"

func TestWellFormed(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1}`:                                 `{"a":1}`,
		`12345678901234567890`:                    `12345678901234567890`,
		`["\ud83d",1e400]`:                        "[\"�\",1e400]",
		`"\ud83d\ude00"`:                          `"😀"`,
		`"\\ud83d is an escape"`:                  `"\\ud83d is an escape"`,
		`{"n":12345678901234567890,"s":"\udc00"}`: "{\"n\":12345678901234567890,\"s\":\"�\"}",
	} {
		if got := string(wellFormed(in)); got != want {
			t.Errorf("wellFormed(%s) = %s, want %s", in, got, want)
		}
	}
}
