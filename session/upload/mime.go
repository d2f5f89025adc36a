package upload

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// anything is the type of bytes that nobody knows more about.
const anything = "application/octet-stream"

// byExtension holds what people upload. It is a table of our own because the
// mime package answers from whatever mime.types or registry a computer has, and
// with a charset parameter that browsers do not send. Types are those that
// Firefox gives a picked file, except where Firefox asks the system too, or
// follows an older name than the registered one (text/javascript, audio/wav).
// Extensions with several common meanings (ts, key) are left to the contents.
var byExtension = map[string]string{
	// Documents.
	"pdf": "application/pdf", "doc": "application/msword", "dot": "application/msword",
	"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
	"docm": "application/vnd.ms-word.document.macroenabled.12", "xls": "application/vnd.ms-excel",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"xlsm": "application/vnd.ms-excel.sheet.macroenabled.12", "ppt": "application/vnd.ms-powerpoint",
	"pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	"ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
	"odt":  "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
	"odp": "application/vnd.oasis.opendocument.presentation", "odg": "application/vnd.oasis.opendocument.graphics",
	"rtf": "application/rtf", "pages": "application/vnd.apple.pages", "numbers": "application/vnd.apple.numbers",
	"epub": "application/epub+zip", "mobi": "application/x-mobipocket-ebook", "tex": "application/x-tex",
	"ps": "application/postscript", "eps": "application/postscript", "ai": "application/postscript",

	// Text and data.
	"txt": "text/plain", "text": "text/plain", "log": "text/plain", "csv": "text/csv",
	"tsv": "text/tab-separated-values", "md": "text/markdown", "markdown": "text/markdown", "html": "text/html",
	"htm": "text/html", "xhtml": "application/xhtml+xml", "css": "text/css", "js": "text/javascript",
	"mjs": "text/javascript", "json": "application/json", "geojson": "application/geo+json",
	"webmanifest": "application/manifest+json", "xml": "text/xml", "xsl": "application/xslt+xml",
	"rss": "application/rss+xml", "atom": "application/atom+xml", "yaml": "application/yaml", "yml": "application/yaml",
	"toml": "application/toml", "sql": "application/sql", "ics": "text/calendar", "vcf": "text/vcard",
	"eml": "message/rfc822", "sh": "application/x-sh", "wasm": "application/wasm",

	// Images.
	"jpg": "image/jpeg", "jpeg": "image/jpeg", "jpe": "image/jpeg", "jfif": "image/jpeg", "png": "image/png",
	"apng": "image/apng", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "heic": "image/heic",
	"heif": "image/heif", "bmp": "image/bmp", "ico": "image/x-icon", "tif": "image/tiff", "tiff": "image/tiff",
	"svg": "image/svg+xml", "svgz": "image/svg+xml", "jxl": "image/jxl", "jp2": "image/jp2",
	"psd": "image/vnd.adobe.photoshop", "dwg": "image/vnd.dwg", "dxf": "image/vnd.dxf",

	// Sound and video.
	"mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav", "flac": "audio/flac",
	"oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "weba": "audio/webm", "mid": "audio/midi",
	"midi": "audio/midi", "aif": "audio/aiff", "aiff": "audio/aiff", "wma": "audio/x-ms-wma", "mp4": "video/mp4",
	"m4v": "video/mp4", "webm": "video/webm", "ogv": "video/ogg", "mov": "video/quicktime", "avi": "video/x-msvideo",
	"mkv": "video/x-matroska", "mpg": "video/mpeg", "mpeg": "video/mpeg", "wmv": "video/x-ms-wmv", "3gp": "video/3gpp",
	"flv": "video/x-flv",

	// Archives, programs, fonts.
	"zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip", "bz2": "application/x-bzip2",
	"xz": "application/x-xz", "zst": "application/zstd", "tar": "application/x-tar", "7z": "application/x-7z-compressed",
	"rar": "application/vnd.rar", "jar": "application/java-archive", "apk": "application/vnd.android.package-archive",
	"dmg": "application/x-apple-diskimage", "iso": "application/x-iso9660-image", "exe": "application/x-msdos-program",
	"msi": "application/x-msi", "bin": "application/octet-stream", "ttf": "font/ttf", "otf": "font/otf",
	"woff": "font/woff", "woff2": "font/woff2",
}

// typeOf gives the MIME type of a file, without parameters: by the extension,
// as browsers do, and by its first bytes when the extension tells nothing.
func typeOf(name string, src io.ReaderAt) string {
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if known, ok := byExtension[extension]; ok {
		return known
	}
	head := make([]byte, 3072) // as much as mimetype looks at
	n, err := src.ReadAt(head, 0)
	if n == 0 || (err != nil && !errors.Is(err, io.EOF)) {
		return anything // an unreadable file fails later, with a better word
	}
	kind, _, _ := strings.Cut(mimetype.Detect(head[:n]).String(), ";")
	return kind
}
