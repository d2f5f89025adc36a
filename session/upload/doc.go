// Package upload turns the paths of one upload_files call into opened regular
// files and reads them, once, in chunks that can travel to a page.
//
// In: absolute paths, exactly as the caller wrote them, and Limits. Out: a Set
// of Files with what a page gets to see of each (name, size, type, time of last
// change), their bytes as base64 chunks, and the SHA-256 of what was read.
//
// Nothing is expanded: no "~", no variables, no globs, no URLs, no shell.
// Symbolic links are followed; what they lead to is read, under the name that
// the caller wrote, as a browser's own file dialog does. Only regular files are
// read, and opening never waits, not even for a pipe without a writer.
//
// With roots configured a file has to lie below one of them after all links
// have been resolved, and the opening itself cannot leave it, whatever is
// swapped meanwhile (os.Root). Names are compared byte by byte (on Windows
// without regard to case): on a file system that ignores case or normalizes
// Unicode, as macOS has it, a path spelled unlike the root is refused rather
// than guessed at. A folder mounted below a root belongs to that root.
//
// Units: bytes everywhere; File.Modified is a time, which pages see in
// milliseconds.
//
// Errors: always an *Error. Its Kind says what to tell the caller; its text
// names the file by position and last element only, never its folders.
//
// There are no goroutines. A Set and its Files belong to one goroutine at a
// time; whoever opened the Set closes it.
package upload
