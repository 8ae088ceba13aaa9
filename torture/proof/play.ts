import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'smol-toml';
import { IterationRecord } from '../../src/domain/records/iteration.ts';
import type { Finished } from '../../test/helpers/finished.ts';
import type { Case, Ending } from './case.ts';
import { finished, IDENTITY, must } from './command.ts';
import { PATCH } from './history.ts';
import { installed } from './packages.ts';

export type Played = {
  readonly name: string;
  readonly kind: string;
  readonly expected: Ending;
  readonly possible: boolean;
  /** How the case ended. `broken`: the run itself has no verdict. */
  readonly got: Ending | 'broken';
  /** Reason for the ending, on one line. */
  readonly cause: string;
  /** Grade of proof in the record; `-` where it has none. */
  readonly grade: string;
  readonly findings: readonly string[];
  readonly seconds: number;
};

/** Plays one case: a whole run of the built program in a repository of its own. */
export async function playCase(one: Case, bin: string, keep: boolean): Promise<Played> {
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'proof-'));
  const { name, kind, expected, possible } = one;
  const result = (rest: Pick<Played, 'got' | 'cause' | 'grade' | 'findings'>): Played => {
    const seconds = Math.round((performance.now() - start) / 100) / 10;
    return { name, kind, expected, possible, ...rest, seconds };
  };
  try {
    const root = await makeProject(one, folder);
    writeRalphFiles(one, root);
    await must('git', ['add', '-A', '.ralph'], root);
    await must('git', ['commit', '-q', '-m', 'tasks'], root);
    write(root, '.ralph/scenario.json', scenarioOf(one));
    writePatch(one, root);
    const env = environment(folder);
    const run = await finished(process.execPath, [bin, '--format', 'json', 'run'], root, env);
    return result(readResult(root, run));
  } catch (error) {
    const lines = String(error).trim().split('\n');
    return result({ got: 'broken', cause: lines.at(-1) ?? '', grade: '-', findings: [] });
  } finally {
    if (keep) process.stderr.write(`${name}: ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes the project of a case as its task finds it, without files of ralph. Returns its top. */
export async function makeProject(one: Case, folder: string): Promise<string> {
  const root = join(folder, 'project');
  mkdirSync(root);
  await must('git', ['init', '-q', '-b', 'main', '--template='], root);
  for (const [path, content] of Object.entries(one.files)) write(root, path, content);
  await one.populate?.(root);
  await must('git', ['add', '-A'], root);
  await must('git', ['commit', '-q', '--allow-empty', '-m', 'start'], root);
  for (const [path, content] of Object.entries(one.ignored)) write(root, path, content);
  if (one.packages.length > 0)
    await must('cp', ['-a', await installed(one.packages), join(root, 'node_modules')], root);
  if (one.prepare !== null) await must('sh', ['-e', '-c', one.prepare], root);
  return root;
}

/** Returns the scripted agent's scenario: its actions, and the claim that it is done. */
export function scenarioOf({ agent }: Case): string {
  return JSON.stringify({
    steps: [{ do: [...agent, { action: 'status', status: 'DONE', exit_signal: true }] }],
  });
}

/** Writes the diff of a case to the place where its agent finds it. */
export function writePatch({ patch }: Case, root: string): void {
  if (patch !== undefined) write(root, PATCH, patch);
}

function writeRalphFiles({ task, gates, settings: more }: Case, root: string): void {
  const [title = '', ...lines] = task.trimEnd().split('\n');
  const below = lines.map((line) => `  ${line}`.trimEnd());
  write(
    root,
    '.ralph/PRD.md',
    ['# Plan', '', '## Tasks', '', `- [ ] **T-1** ${title}`, ...below, ''].join('\n'),
  );
  const settings = {
    ...more,
    loop: { agent: 'scripted', max_attempts_per_task: 1 },
    gates: { ...more.gates, commands: gates },
  };
  write(root, '.ralph/ralph.toml', stringify(settings));
}

/** Returns an environment with the caller's tools and home, but without settings of the caller's ralph. */
function environment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(RALPH|XDG|GIT|NODE_OPTIONS)(_|$)/.test(name),
  );
  return {
    ...Object.fromEntries(own),
    ...IDENTITY,
    ...{ RALPH_TRUST: '1', TZ: 'UTC' },
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: records of any version are read
type Json = any;

function readResult(root: string, run: Finished): Pick<Played, 'got' | 'cause' | 'grade' | 'findings'> {
  const record = lastRecord(root);
  if (record === null)
    return { got: 'broken', cause: firstLine(run.stderr || run.stdout), grade: '-', findings: [] };
  const result: Json = parsed(run.stdout);
  const { decisions } = record;
  const done = (result?.done_in_run ?? []).some(({ id }: Json) => id === 'T-1');
  const waits = decisions.humanGate !== null && decisions.humanGate !== undefined;
  return {
    got: done ? 'done' : waits ? 'human' : 'not_done',
    cause: firstLine(causeOf(decisions)),
    grade: decisions.proof?.grade ?? result?.done_in_run?.[0]?.grade ?? '-',
    findings: decisions.findings.map(({ type, kind }: Json) =>
      kind === undefined ? type : `${type}:${kind}`,
    ),
  };
}

function causeOf(decisions: Json): string {
  const { verdict, blocked, cause } = decisions;
  return [verdict.kind, cause, blocked?.reason].filter((text) => typeof text === 'string').join('; ');
}

function lastRecord(root: string): Json {
  const runs = join(root, '.ralph', 'runs');
  if (!existsSync(runs)) return null;
  const files = readdirSync(runs)
    .map((run) => join(runs, run, 'iterations'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((number) => join(folder, number, 'iteration.json')))
    .filter((file) => existsSync(file))
    .toSorted();
  const last = files.at(-1);
  return last === undefined ? null : IterationRecord.parse(JSON.parse(readFileSync(last, 'utf8')));
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function write(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
