// Package outline turns what the page agents saw into the text that a model reads.
//
// In: the JSON answer of an agent (Decode), the answers of the frames' agents (Merge), and references that the caller
// hands out (Snapshot.Assign). Out: Result, one bounded text with the same facts in structured form. In between lies a
// flat list of nodes in document order, each with its depth, so that a subtree is always one run of the list.
//
// The text is lines. Every line is ours; what the page says stands in it only in two ways: as a JSON-quoted string, or
// behind "> " and "# ", which no line of ours that means something begins with. Nothing from the page can therefore
// begin a line, end a quoted string or end the block, whose fence is random for each answer:
//
//	Page: "Jobs"
//	URL: https://jobs.example/search
//	Snapshot: s4 of t2, generation 7, 3 controls, complete, about 120 tokens
//	--- page content 7f3a9c (untrusted) ---
//	navigation "Primary"
//	  [e1] link "Jobs" href="/jobs"
//	main
//	  # Remote jobs
//	  list 2
//	    [e2] link "Senior engineer" heading=3 href="/jobs/1"
//	      > Acme Corp. Posted 2 days ago.
//	    [e3] link "Junior engineer" heading=3 href="/jobs/2"
//	--- end 7f3a9c ---
//
// A control is a line of the grammar ^\s*\[(f\d+)?e\d+\] role "name", followed by states and key="value". Context lines
// (landmarks, headings, lists, tables, frames, dialogs) are printed only when something below them is. Wrappers neither
// print nor indent. Table rows are one line, their cells side by side. A run of equal controls is one line that lists the
// references of the others (like=e4-e9); equal controls of one row have the heading of their column (column="Tuesday").
//
// A line leaves out what the lines around it say or what its role means anyway, and marks what is cut with "…": names of
// controls with lines of their own, from the name of the control around them; parameters that make an address long; states
// that a popup implies. Programs find all of it in Element.
//
// When an answer cannot hold everything, units come in one fixed order whatever the limits: dialogs and messages, the
// region with the focus, main, forms, the rest, and last navigation, asides and footers, which the first page only counts.
// A page is a run of that order, printed in document order; a Cursor is the place where the next one begins.
//
// Page text is untrusted also where an agent claims more: in the page's own realm an agent can be made to lie. Roles,
// states and keys must be plain words, numbers must be small, and whatever is not is dropped.
//
// Units: every limit on text counts Unicode code points. Tokens are those of the o200k vocabulary, estimated without it
// and on the high side. Offsets of a Cursor count units, the lines that a page of the outline can be cut between.
//
// Errors: only Decode, DecodeChanges and ParseCursor return any; rendering cannot fail and never gives an empty answer.
//
// The package starts no goroutine. A Snapshot may be rendered from several goroutines at once as long as none of them
// merges into it or assigns references.
package outline
