import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SCRIPTED_HOOK, type ScenarioAction } from '../../domain/scenario.ts';
import { match } from '../../lib/match.ts';
import * as files from './file-effects.ts';
import { ActionError, safePath } from './file-effects.ts';
import type { Attempt } from './scenario.ts';
import type { Voice } from './voice.ts';

export type PlayEnd = { readonly code: number; readonly stderr: string };

/**
 * Plays actions one after the other, up to the first that ends the program. Resolves to the exit code.
 * @throws ActionError when one cannot be done.
 */
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
    write: (action) => files.writeText(action.path, action.content),
    append: (action) => files.appendText(action.path, action.content),
    edit: (action) => files.editText(action.path, action.find, action.replace),
    delete: (action) => files.deletePath(action.path),
    rename: (action) => files.renamePath(action.from, action.to),
    chmod: (action) => files.changeMode(action.path, action.mode),
    symlink: (action) => files.makeLink(action.path, action.target),
    mkdir: (action) => files.makeFolder(action.path),
    touch: (action) => files.touch(action.path),
    rewrite_same: (action) => files.rewriteSame(action.path),
    tick: (action) => files.tickBox(action.path, action.text ?? attempt.task),
    commit: (action) => commit(action),
    print: (action) => voice.say(action.text),
    status: (action) => voice.say(statusBlock(action, attempt)),
    tool: (action) => {
      voice.callTool(action.name, action.input);
      return;
    },
    usage: (action) => voice.tellUsage(action.input_tokens, action.output_tokens),
    shell: (action) => runShell(action, voice),
    run: (action) => run(action.argv),
    sleep: (action) => wait(action.seconds * 1000),
    spawn_background: (action) => spawnBackground(action.seconds),
    hang: () => hang(),
  });
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
  const said = result.error?.message ?? (result.stderr.trim() || result.stdout.trim());
  throw new ActionError(`git ${args[0]} failed: ${said}`);
}

async function runShell(
  { command, ask }: Extract<ScenarioAction, { action: 'shell' }>,
  voice: Voice,
): Promise<void> {
  const input = { command };
  const id = voice.callTool('Bash', input);
  const denial = ask === false ? null : await askHook({ kind: 'action', tool: 'Bash', id, input });
  if (denial !== null) {
    voice.tellResult(id, false, denial);
    return;
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  process.stderr.write(stderr);
  voice.tellResult(id, status === 0, `${stdout}${stderr}`);
}

/** The child's output is a tool's, not the agent's own words: it goes to standard error. */
function run(argv: readonly string[]): void {
  const [program = '', ...args] = argv;
  const result = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (result.error) throw new ActionError(`cannot run ${program}: ${result.error.message}`);
}

function spawnBackground(seconds: number): void {
  const script = `setTimeout(() => {}, ${seconds * 1000})`;
  spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' }).unref();
}

/** A promise alone does not keep node alive; a timer does. */
function hang(): Promise<never> {
  return new Promise(() => {
    setInterval(() => {}, 60_000);
  });
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

/** `{task}`, `{attempt}`, `{role}` and `{nonce}` in every text of an action. */
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

/** Asks whether an action may happen; `null` when it may, or when there is no hook, else the reason why not. */
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
      // A warning comes with the permission.
      const allowed = answer.slice(0, line) === `0 ${Buffer.byteLength(text)}`;
      resolve(allowed ? null : text || NO_ANSWER);
    });
    connection.write(`${token} ${text.length}\n`);
    connection.write(text);
  });
}
