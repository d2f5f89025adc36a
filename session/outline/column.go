package outline

// column gives the heading of the column that control i stands in, if another control of its row is called the same: the
// two buttons "Book" below Monday and Tuesday. It is "" where rows and their heading have other numbers of cells.
func (l *layout) column(i int) string {
	row := l.rowAround(i)
	if row < 0 || !l.slots[row].aligned || !l.hasTwin(i, row) {
		return ""
	}
	head := l.slots[row].governs
	if head < 0 || !l.slots[head].header {
		return ""
	}
	cells, heads := l.cellsOf(row), l.cellsOf(head)
	if len(cells) != len(heads) {
		return ""
	}
	for k, cell := range cells {
		if i >= cell && i < l.slots[cell].end {
			return l.firstWords(heads[k])
		}
	}
	return ""
}

// rowAround gives the row in one line that node i is in, -1 if there is none.
func (l *layout) rowAround(i int) int {
	for p, up := l.slots[i].parent, 0; p >= 0 && up < reach; p, up = l.slots[p].parent, up+1 {
		if l.slots[p].row {
			return p
		}
	}
	return -1
}

// hasTwin reports whether another control of the row has the role and name of control i.
func (l *layout) hasTwin(i, row int) bool {
	for j := row + 1; j < l.slots[row].end; j++ {
		if a, b := &l.nodes[i], &l.nodes[j]; j != i && b.Kind == Control && a.Role == b.Role && a.Name == b.Name {
			return true
		}
	}
	return false
}

func (l *layout) cellsOf(row int) []int {
	var cells []int
	for j := row + 1; j < l.slots[row].end; j++ {
		if isCell(l.nodes[j].Role) && l.nodes[j].Kind != Text {
			cells = append(cells, j)
			j = l.slots[j].end - 1
		}
	}
	return cells
}

// firstWords gives what a cell says first, as the line of its row has it, or its name.
func (l *layout) firstWords(cell int) string {
	for j := cell + 1; j < l.slots[cell].end; j++ {
		if n := &l.nodes[j]; n.Kind == Text && says(n.Name) {
			return n.Name
		}
	}
	return l.nodes[cell].Name
}
