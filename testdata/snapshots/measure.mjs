// Counts true tokens and writes them to tokens.json; README.md beside this file
// says how it is run. Without arguments it counts our golden answers; with
// --playwright it also asks Playwright MCP for its snapshot of each page.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const pages = join(here, "..", "pages", "sites");
const require = createRequire(join(process.cwd(), "x.js")); // packages are those of the folder it is run in
const { encode } = require("gpt-tokenizer/encoding/o200k_base");

const names = readdirSync(pages).filter((f) => f.endsWith(".html") && !f.startsWith("frame-")).map((f) => f.slice(0, -5)).sort();
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const counted = (text) => ({ tokens: encode(text).length, sha256: sha256(text) });

const file = join(here, "tokens.json");
const table = JSON.parse(readFileSync(file, "utf8"));
if (process.argv.includes("--playwright")) await measurePlaywright();
for (const name of Object.keys(table)) if (!names.includes(name)) delete table[name];
for (const name of names) {
  const row = (table[name] ??= {});
  for (const view of ["controls", "full", "outline", "text"]) row[view] = counted(readFileSync(join(here, `${name}.${view}.txt`), "utf8"));
}
writeFileSync(file, JSON.stringify(Object.fromEntries(Object.entries(table).sort()), null, 1) + "\n");

async function measurePlaywright() {
  const server = createServer(serve);
  await new Promise((done) => server.listen(0, done));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const other = origin.replace("127.0.0.1", "localhost");
  for (const name of names) {
    const mcp = startPlaywright(); // afresh, since references grow longer with each page of one run
    await mcp.call("browser_navigate", { url: `${origin}/sites/${name}.html` });
    await mcp.call("browser_wait_for", { time: 1 }); // scripts and frames
    const text = (await mcp.call("browser_snapshot", {})).replaceAll(origin, "https://site.example").replaceAll(other, "https://other.example");
    table[name] = { ...table[name], page: sha256(readFileSync(join(pages, `${name}.html`), "utf8")), playwright: encode(text).length };
    console.log(name, table[name].playwright);
    if (process.env.KEEP) writeFileSync(join(process.env.KEEP, `${name}.yml`), text);
    await mcp.end();
  }
  server.close();
}

function serve(request, response) {
  const url = new URL(request.url, "http://x");
  if (url.pathname.startsWith("/img/")) return response.writeHead(200, { "Content-Type": "image/gif" }).end(Buffer.from("R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64"));
  if (!/^\/sites\/[\w-]+\.html$/.test(url.pathname)) return response.writeHead(404).end();
  const other = "http://" + request.headers.host.replace("127.0.0.1", "localhost");
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(readFileSync(join(pages, url.pathname.slice(7)), "utf8").replaceAll("{{other}}", other));
}

// startPlaywright gives {call, end} of Playwright MCP with its own defaults,
// but for the browser, which is the system's Chromium.
function startPlaywright() {
  const cli = join(require.resolve("@playwright/mcp/package.json"), "..", "cli.js");
  const args = [cli, "--headless", "--isolated", "--no-sandbox", "--executable-path", process.env.CHROMIUM ?? "/usr/bin/chromium"];
  const child = spawn(process.execPath, args, { cwd: mkdtempSync(join(tmpdir(), "playwright-mcp-")), stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let rest = "";
  let id = 0;
  child.stdout.on("data", (data) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    }
  });
  const send = (method, params) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }) + "\n");
  const ask = (method, params) => new Promise((done) => (send(method, params), waiting.set(id, done)));
  const ready = ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "measure", version: "1" } });
  return {
    async call(name, args) {
      await ready;
      const { result, error } = await ask("tools/call", { name, arguments: args });
      if (error || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result)}`);
      return result.content.map((part) => part.text ?? "").join("\n");
    },
    end: () => new Promise((done) => (child.once("exit", done), child.stdin.end())),
  };
}
