package outline

// isItem reports whether nodes of this role are one of many alike.
func isItem(role string) bool {
	switch role {
	case "listitem", "row", "article", "treeitem":
		return true
	}
	return false
}

// isRegion reports whether nodes of this role are the regions of a page: landmarks and dialogs.
func isRegion(role string) bool {
	switch role {
	case "banner", "main", "navigation", "contentinfo", "complementary", "region", "search", "form", "dialog", "alertdialog":
		return true
	}
	return false
}

// isReading reports whether the name of a control of this role is part of what a page has to say.
func isReading(role string) bool {
	switch role {
	case "link", "clickable", "generic", "summary", "treeitem", "gridcell", "article", "listitem":
		return true
	}
	return false
}

// hasFace reports whether controls of this role show words, which may be others than their name.
func hasFace(role string) bool {
	switch role {
	case "button", "link", "tab", "switch", "checkbox", "radio", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem", "summary", "gridcell":
		return true
	}
	return false
}

func isCell(role string) bool {
	switch role {
	case "cell", "gridcell", "columnheader", "rowheader":
		return true
	}
	return false
}

// isInline reports whether structure of this role may stand in a row that is told in one line.
func isInline(role string) bool { return isCell(role) || isPlain(role) || role == "image" }

// isPlain reports whether structure of this role says nothing by itself.
func isPlain(role string) bool {
	switch role {
	case "generic", "none", "listitem", "rowgroup", "row", "cell", "gridcell", "columnheader", "rowheader", "separator",
		"presentation", "math":
		return true
	}
	return isWording(role)
}

// isWording reports whether the role only says what kind of words something is.
func isWording(role string) bool {
	switch role {
	case "paragraph", "strong", "emphasis", "code", "time", "mark", "term", "definition", "caption", "blockquote", "deletion",
		"insertion", "subscript", "superscript":
		return true
	}
	return false
}

// isLeaf reports whether structure of this role is information rather than a container.
func isLeaf(role string) bool {
	switch role {
	case "alert", "status", "log", "timer", "progressbar", "meter":
		return true
	}
	return false
}

// stands reports whether structure of this role is worth a line even without a name.
func stands(role string) bool {
	switch role {
	case "list", "table", "grid", "treegrid", "tree", "tablist", "menu", "listbox", "alert", "status", "log":
		return true
	}
	return isRegion(role)
}
