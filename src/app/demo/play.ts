import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { match } from 'ralph-kit/match';
import { SCRIPTED_HOOK, type ScenarioAction } from '../../domain/scenario.ts';
import type { Attempt } from './scenario.ts';
import type { Voice } from './voice.ts';

export type PlayEnd = { readonly code: number; readonly stderr: string };

/** Plays actions up to the first that ends the program; resolves to its exit code. @throws ActionError */
export async function play(
  actions: readonly ScenarioAction[],
  attempt: Attempt,
  voice: Voice,
): Promise<PlayEnd> {
  for (const written of actions) {
    const action = filledIn(written, attempt);
    if (action.action !== 'print' && action.action !== 'status') voice.flush();
    if (action.action === 'exit') {
      if (action.code === 0) voice.close();
      return { code: action.code, stderr: '' };
    }
    if (action.action === 'fail') return { code: action.code, stderr: action.stderr };
    await perform(action, attempt, voice);
  }
  voice.close();
  return { code: 0, stderr: '' };
}

type Lasting = Exclude<ScenarioAction, { action: 'exit' | 'fail' }>;

async function perform(action: Lasting, attempt: Attempt, voice: Voice): Promise<void> {
  return match(action, 'action', {
    write: ({ path, content }) => writeFileSync(withFolder(safePath(path, true)), content),
    append: ({ path, content }) => appendFileSync(withFolder(safePath(path, true)), content),
    edit: (action) => editText(action),
    delete: ({ path }) => {
      const full = existing(path, false);
      if (full === safePath('.', false))
        throw new ActionError('the working directory itself cannot be deleted');
      // Other programs may write in the folder meanwhile.
      rmSync(full, { recursive: true, maxRetries: 5 });
    },
    rename: ({ from, to }) => renameSync(existing(from, false), withFolder(safePath(to, false))),
    chmod: ({ path, mode }) => chmodSync(existing(path), Number.parseInt(mode, 8)),
    symlink: ({ path, target }) => symlinkSync(target, withFolder(safePath(path, false))),
    mkdir: ({ path }) => void mkdirSync(safePath(path, true), { recursive: true }),
    touch: ({ path }) => utimesSync(existing(path), new Date(), new Date()),
    rewrite_same: ({ path }) => writeFileSync(existing(path), readFileSync(existing(path))),
    tick: ({ path, text }) => tickBox(path, text ?? attempt.task),
    commit: (action) => commit(action),
    print: ({ text }) => voice.say(text),
    status: (action) => voice.say(statusBlock(action, attempt)),
    tool: ({ name, input }) => void voice.callTool(name, input),
    usage: (action) => voice.reportUsage(action.input_tokens, action.output_tokens),
    shell: (action) => runShell(action, voice),
    run: ({ argv }) => run(argv),
    sleep: ({ seconds }) => wait(seconds * 1000),
    spawn_background: ({ seconds }) => {
      const script = `setTimeout(() => {}, ${seconds * 1000})`;
      spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' }).unref();
    },
    // A timer keeps Node alive; a promise doesn't.
    hang: () => new Promise(() => setInterval(() => {}, 60_000)),
  });
}

function editText({ path, find, replace }: Extract<ScenarioAction, { action: 'edit' }>): void {
  const full = existing(path);
  const text = readFileSync(full, 'utf8');
  const at = text.indexOf(find);
  if (at < 0) throw new ActionError(`${path} does not hold ${JSON.stringify(find)}`);
  writeFileSync(full, text.slice(0, at) + replace + text.slice(at + find.length));
}

function commit(action: Extract<ScenarioAction, { action: 'commit' }>): void {
  const empty = action.allow_empty === true;
  for (const path of action.add ?? []) safePath(path, false);
  const add = action.add ?? (empty ? [] : ['.']);
  if (add.length > 0) git(['add', '-A', '--', ...add]);
  git(['commit', '-q', ...(empty ? ['--allow-empty'] : []), '-m', action.message]);
}

function git(args: readonly string[]): void {
  const result = spawnSync('git', args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (result.status === 0) return;
  const why = result.error?.message ?? (result.stderr.trim() || result.stdout.trim());
  throw new ActionError(`git ${args[0]} failed: ${why}`);
}

async function runShell(
  { command, ask }: Extract<ScenarioAction, { action: 'shell' }>,
  voice: Voice,
): Promise<void> {
  const input = { command };
  const id = voice.callTool('Bash', input);
  const denial = ask === false ? null : await askHook({ kind: 'action', tool: 'Bash', id, input });
  if (denial !== null) return voice.reportResult(id, false, denial);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  process.stderr.write(stderr);
  voice.reportResult(id, status === 0, `${stdout}${stderr}`);
}

/** The child's output is a tool's, not the agent's words, so it goes to standard error. */
function run(argv: readonly string[]): void {
  const [program = '', ...args] = argv;
  const result = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (result.error) throw new ActionError(`cannot run ${program}: ${result.error.message}`);
}

function statusBlock(action: Extract<ScenarioAction, { action: 'status' }>, attempt: Attempt): string {
  const evidence = (action.evidence ?? []).map((item) => `- ${item}`);
  return [
    'RALPH_STATUS',
    `TASK: ${action.task ?? attempt.task}`,
    `STATUS: ${action.status}`,
    `EXIT_SIGNAL: ${action.exit_signal}`,
    ...(evidence.length > 0 ? ['EVIDENCE:', ...evidence] : []),
    ...(action.reason === undefined ? [] : [`REASON: ${action.reason}`]),
    'END_RALPH_STATUS',
  ].join('\n');
}

/** Replaces `{task}`, `{attempt}`, `{role}` and `{nonce}` in all texts of an action. */
function filledIn<T>(value: T, attempt: Attempt): T {
  if (typeof value === 'string') {
    const filled = value.replace(
      /\{(task|attempt|role|nonce)\}/g,
      (_, name: 'task' | 'attempt' | 'role' | 'nonce') => String(attempt[name]),
    );
    return filled as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => filledIn(item, attempt)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, filledIn(item, attempt)]);
  return Object.fromEntries(entries) as T;
}

const NO_ANSWER = 'the reviewer did not answer';

/** Returns the hook's reason against an action; `null`: allowed, or no hook. */
async function askHook(message: Readonly<Record<string, unknown>>): Promise<string | null> {
  const socket = process.env[SCRIPTED_HOOK.socket];
  const token = process.env[SCRIPTED_HOOK.token] ?? '';
  if (socket === undefined) return null;
  const text = Buffer.from(JSON.stringify(message));
  return new Promise((resolve) => {
    let answer = '';
    const connection = connect(socket);
    connection.setEncoding('utf8');
    connection.on('data', (part) => {
      answer += part;
    });
    connection.on('error', () => resolve(NO_ANSWER));
    connection.on('close', () => {
      const line = answer.indexOf('\n');
      const text = answer.slice(line + 1);
      // An allowed action may come with a warning.
      const allowed = answer.slice(0, line) === `0 ${Buffer.byteLength(text)}`;
      resolve(allowed ? null : text || NO_ANSWER);
    });
    connection.write(`${token} ${text.length}\n`);
    connection.write(text);
  });
}

const BOX = /^(\s*(?:[-*+]|\d+[.)])\s+)\[[^\]xX]\]/;

/** Ticks the open box on the line with `mark`, else the first open one. */
function tickBox(path: string, mark: string): void {
  const full = existing(path);
  const lines = readFileSync(full, 'utf8').split('\n');
  const open = lines.flatMap((line, index) => (BOX.test(line) ? [index] : []));
  const at = open.find((index) => mark !== '' && lines[index]?.includes(mark)) ?? open[0];
  if (at === undefined) throw new ActionError(`${path} has no open box to tick`);
  lines[at] = (lines[at] ?? '').replace(BOX, '$1[x]');
  writeFileSync(full, lines.join('\n'));
}

/**
 * Returns an existing path. @param follow Whether a link counts as its target. @throws ActionError if the path doesn't
 * exist.
 */
function existing(path: string, follow = true): string {
  const full = safePath(path, follow);
  if (!lstatSync(full, { throwIfNoEntry: false })) throw new ActionError(`${path} does not exist`);
  return full;
}

function withFolder(full: string): string {
  mkdirSync(dirname(full), { recursive: true });
  return full;
}

/** An action that failed; the message is for the scenario's author. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

/**
 * Returns an absolute path inside the working folder, also after links of its folders.
 * @param follow Whether a final link counts as its target.
 * @throws ActionError for a path outside.
 */
function safePath(path: string, follow: boolean): string {
  const root = realpathSync('.');
  const full = resolve(root, path);
  if (isAbsolute(path) || !within(root, full)) throw outside(path);
  if (full === root) return full;
  try {
    if (within(root, realpathSync(nearestExisting(follow ? full : dirname(full))))) return full;
  } catch {
    // An error means that the link is broken.
  }
  throw outside(path);
}

/** A broken link counts as existing: writing to it would create its target. */
function nearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? nearestExisting(dirname(path)) : path;
}

function within(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(path: string): ActionError {
  return new ActionError(`${path} leaves the working directory: give a path inside of it`);
}
