// Uploads: files arrive in chunks, are put together out of the page's sight, and
// reach the page whole or not at all. All methods take (args, ctx).
//
//   upload_target {node, …}                        -> target
//   upload_begin  {node, …, until, files: [{name, size, type, modified}]} -> target and id, warnings
//   upload_append {id, file, chunk, data}           -> {file, chunk, received}
//   upload_finish {id, node, …, until, digests}     -> a promise of target and {files, events, warnings, url}
//   upload_abort  {id}                              -> {aborted}
//
// node and what goes with it are those of the acting methods. target is {via,
// input?: {label, accept, multiple, directory}, relocated?}; via says how the
// named element leads to what takes the files: "itself", "label", "inside",
// "controls", "nearby" (a hidden input that a button stands for) or "drop".
// events are those that the page was sent: ["input", "change"] or ["drop"].
// received counts the decoded bytes of that file; data is base64. until is a
// wall-clock time after which nothing is done any more. digests are SHA-256.
//
// Failures carry details.stage: "transfer", "construction", "assignment" or
// "verification". After any of them, and after success, nothing is kept.

import { begin, named, resolve } from "./act/target.js";
import { makePage } from "./act/page.js";
import { fail } from "./fault.js";
import { accepts } from "./upload/accept.js";
import { assign, digests, drop, leave, welcomes } from "./upload/deliver.js";
import { makeFinder } from "./upload/find.js";
import { Staging } from "./upload/staging.js";
import { makeWeb } from "./upload/web.js";

// uploads gives what the methods share in one document.
function uploads(ctx) {
  return (ctx.uploads ??= { __proto__: null, page: (ctx.acting ??= makePage(ctx)), web: makeWeb(ctx), find: makeFinder(ctx), jobs: new Map() });
}

// aim finds what takes the files, and refuses what cannot take so many.
function aim(u, args, count) {
  const { page } = u;
  const { el, relocated } = resolve(page, args);
  const found = u.find(el);
  const target = { __proto__: null, via: found.via };
  if (relocated) target.relocated = true;
  if (found.zone) return { __proto__: null, found, target };
  const { input } = found;
  const accept = page.attr(input, "accept").slice(0, 200);
  const multiple = page.native.get(input, "multiple");
  const directory = page.native.get(input, "webkitdirectory");
  target.input = { __proto__: null, label: named(page, input), accept, multiple, directory };
  if (page.dom.matches(input, ":disabled")) fail("upload_target_invalid", "the file input is disabled");
  if (count > 1 && !multiple && !directory) fail("upload_target_invalid", "the file input takes one file, not " + count);
  return { __proto__: null, found, target };
}

function upload_target(args, ctx) {
  const u = uploads(ctx);
  begin(u.page, args);
  return aim(u, args, 1).target;
}

function upload_begin(args, ctx) {
  const u = uploads(ctx);
  const { files } = args;
  begin(u.page, args);
  const { found, target } = aim(u, args, files.length);
  if (found.zone) tryZone(u, found, files);
  const job = { __proto__: null, id: u.web.random(), staging: new Staging(files, u.web), until: args.until, over: false, timer: 0 };
  u.jobs.set(job.id, job);
  // Should nobody come back, the bytes do not stay for the life of the document.
  if (job.until) job.timer = ctx.host.setTimeout(() => end(u, ctx, job), job.until - ctx.host.now() + GRACE);
  return { __proto__: null, ...target, id: job.id, warnings: misfits(ctx.json, target, files) };
}

const GRACE = 5000;

// tryZone learns, before any byte is sent, whether an element takes drops. The
// page sees files of the right names and types and, as with a real drag, no contents.
function tryZone(u, found, files) {
  const empty = [];
  for (let i = 0; i < files.length; i++) empty[i] = u.web.file([], files[i].name, { __proto__: null, type: files[i].type });
  const transfer = u.web.gift(empty);
  const welcome = welcomes(u.page, found.zone, transfer);
  leave(u.page, found.zone, transfer);
  if (welcome) return;
  if (found.rivals > 1) fail("upload_target_invalid", "there are " + found.rivals + " file inputs that the element could stand for: name one of them");
  fail("upload_target_invalid", "the element is no file input, leads to none and takes no drop");
}

function misfits({ stringify }, target, files) {
  const warnings = [];
  const accept = target.input?.accept;
  for (let i = 0; accept && i < files.length; i++) {
    if (!accepts(accept, files[i].name, files[i].type)) warnings[warnings.length] = stringify(files[i].name) + " does not fit accept=" + stringify(accept);
  }
  if (target.input?.directory) warnings[warnings.length] = "the input asks for a folder; the files come without the folder's path";
  return warnings;
}

function upload_append(args, ctx) {
  const u = uploads(ctx);
  const job = jobOf(u, args.id);
  try {
    return job.staging.append(args.file, args.chunk, args.data);
  } catch (thrown) {
    end(u, ctx, job);
    throw thrown;
  }
}

async function upload_finish(args, ctx) {
  const u = uploads(ctx);
  const job = jobOf(u, args.id);
  try {
    // Who comes to this late may be out of time for it, though not for the whole.
    begin(u.page, { ...args, until: args.begin, baseline: false });
    aim(u, args, job.staging.count);
    const { files, transfer } = construct(u, job);
    await verify(u, job, files, args.digests);
    // From here to the end all is one task: the page cannot change in between.
    begin(u.page, args);
    const { found, target } = aim(u, args, job.staging.count);
    const done = found.zone ? drop(u.page, found.zone, u.web.gift(files)) : assign(u.page, found.input, transfer, files);
    const facts = [];
    for (let i = 0; i < files.length; i++) facts[i] = u.web.facts(files[i]);
    return { __proto__: null, ...target, ...done, files: facts, url: ctx.window.location.href };
  } finally {
    end(u, ctx, job);
  }
}

function construct(u, job) {
  const built = job.staging.build();
  try {
    const transfer = u.web.transfer(built);
    return { __proto__: null, transfer, files: u.web.listed(transfer) };
  } catch {
    return fail("upload_transfer_failed", "the page lets no list of files be made", { __proto__: null, stage: "construction" });
  }
}

async function verify(u, job, files, expected) {
  const stage = { __proto__: null, stage: "verification" };
  const differs = job.staging.differs(files);
  if (differs) fail("upload_assignment_failed", differs, stage);
  const actual = await digests(files, u.web, () => {
    if (job.over) fail("upload_transfer_failed", "the upload was aborted", stage);
  });
  for (let i = 0; i < files.length; i++) {
    if (actual[i] !== expected[i]) fail("upload_assignment_failed", "file " + i + " holds other bytes than were sent", stage);
  }
}

function upload_abort(args, ctx) {
  const u = uploads(ctx);
  const job = u.jobs.get(args.id);
  if (job) end(u, ctx, job);
  return { __proto__: null, aborted: job !== undefined };
}

function jobOf(u, id) {
  return u.jobs.get(id) ?? fail("upload_transfer_failed", "the page knows nothing of this upload (any more)", { __proto__: null, stage: "transfer" });
}

function end(u, ctx, job) {
  job.over = true;
  job.staging = null;
  u.jobs.delete(job.id);
  if (job.timer) ctx.host.clearTimeout(job.timer);
}

export const methods = { __proto__: null, upload_target, upload_begin, upload_append, upload_finish, upload_abort };
