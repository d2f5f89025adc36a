// accepts says whether a file fits the accept attribute of a file input. The
// attribute is a hint to file dialogs, so a misfit is a warning, not an error.
export function accepts(accept, name, type) {
  const tokens = accept.toLowerCase().split(",");
  const file = name.toLowerCase();
  let any = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i].trim();
    if (token === "") continue;
    any = true;
    if (token === "*/*" || token === "*" || token === type) return true;
    if (token[0] === "." && file.length > token.length && file.endsWith(token)) return true;
    if (token.endsWith("/*") && type.startsWith(token.slice(0, -1))) return true;
  }
  return !any;
}
