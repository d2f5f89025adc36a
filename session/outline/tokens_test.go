package outline

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	vocabularySource = flag.String("vocabulary", "", "o200k_base.tiktoken, to rewrite vocab.bloom from")
	tokenReport      = flag.String("tokens", "", "a file of more samples to measure, one JSON object a line")
)

// TestWriteVocabulary rewrites vocab.bloom when it is given the vocabulary, one base64 token and its rank a line:
//
//	go test ./session/outline -run WriteVocabulary -vocabulary …/o200k_base.tiktoken
func TestWriteVocabulary(t *testing.T) {
	const most = 115_000
	if *vocabularySource == "" {
		t.Skip("needs -vocabulary")
	}
	raw, err := os.ReadFile(*vocabularySource)
	if err != nil {
		t.Fatal(err)
	}
	filter := make([]byte, bloomSize/8)
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for n := 0; n < most && lines.Scan(); n++ {
		word, _, _ := strings.Cut(lines.Text(), " ")
		token, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			t.Fatal(err)
		}
		at, step := bloomPlaces(hash(token))
		for range bloomHashes {
			at += step
			filter[at%bloomSize/8] |= 1 << (at % bloomSize % 8)
		}
	}
	if err := os.WriteFile("vocab.bloom", filter, 0o600); err != nil {
		t.Fatal(err)
	}
}

// sample is a text with its true number of tokens.
type sample struct {
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

func TestTokensAgainstTrueCounts(t *testing.T) {
	files, err := filepath.Glob("testdata/tokens/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var s sample
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(f, err)
		}
		checkEstimate(t, filepath.Base(f), s)
	}
}

func checkEstimate(t *testing.T, name string, s sample) {
	t.Helper()
	got := Tokens(s.Text)
	ratio := float64(got) / float64(s.Tokens)
	if ratio < 0.98 || ratio > 1.25 {
		t.Errorf("%s: Tokens = %d, true count %d, ratio %.3f", name, got, s.Tokens, ratio)
	}
	t.Logf("%.3f %s", ratio, name)
}

// TestTokensReport measures a larger set that is not part of the repository.
func TestTokensReport(t *testing.T) {
	if *tokenReport == "" {
		t.Skip("needs -tokens")
	}
	f, err := os.Open(*tokenReport)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var s struct {
			sample
			Name string `json:"name"`
		}
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		checkEstimate(t, s.Name, s.sample)
	}
}
