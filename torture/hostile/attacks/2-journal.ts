import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../../../test/helpers/repository.ts';
import { type Attack, type AttackResult, brokenIf, type Site } from '../attack.ts';

const CONFIG = `[loop]
agent = "mine"
max_iterations = 1
[runners.mine]
argv = ["sh", "./agent.sh", "-"]
`;
const JOURNAL = '.ralph/journal.jsonl';
const NO_CODES = { 'src/store/journal/own-line.ts': 'own-line.ts' };
const NO_END = { 'src/store/journal/reaches-end.ts': 'reaches-end.ts' };

/** Makes a repository in which one attempt at T-1 failed. */
async function attempted(site: Site, commands = ''): Promise<TestRepository> {
  const made = site.repository({
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n',
    '.ralph/ralph.toml': CONFIG,
    'agent.sh': `echo nothing\n${commands}\n`,
  });
  await site.ralph(made.root, 'run');
  return made;
}

/** Returns what ralph reports of T-1 afterwards. */
async function seen(site: Site, made: TestRepository): Promise<{ status: string; attempts: number }> {
  const { stdout, stderr } = await site.ralph(made.root, 'tasks', '--format', 'json');
  const [task] = JSON.parse(stdout || '{"tasks":[]}').tasks;
  if (task === undefined) throw new Error(`no task: ${stderr}`);
  return task;
}

const linesOf = (made: TestRepository) => made.read(JOURNAL).trimEnd().split('\n');
const write = (made: TestRepository, lines: readonly string[]) =>
  made.write(JOURNAL, lines.map((line) => `${line}\n`).join(''));

/** An attack that edits the journal between two runs; whether it succeeded is seen in the task. */
function edit(
  name: string,
  without: Attack['without'],
  change: (lines: string[]) => readonly string[],
  isBroken: (task: { status: string; attempts: number }) => boolean,
): Attack {
  const play = async (site: Site): Promise<AttackResult> => {
    const made = await attempted(site);
    write(made, change(linesOf(made)));
    const task = await seen(site, made);
    return brokenIf(isBroken(task), `T-1 is ${task.status} after ${task.attempts} attempts`);
  };
  return { point: 2, name, without, play };
}

const isDone = ({ status }: { status: string }) => status === 'done';
const isFresh = ({ attempts }: { attempts: number }) => attempts === 0;
const isEnd = (line: string) => line.includes('"type":"iteration_finished"');

function forged(lines: readonly string[]): string {
  const { seq, at, mac } = JSON.parse(lines.at(-1) ?? '');
  const doneBy = { kind: 'you', title: 'Write the parser', at };
  return JSON.stringify({
    seq: seq + 1,
    at,
    type: 'tasks_accepted',
    tasks: [{ taskId: 'T-1', doneBy }],
    mac,
  });
}

const numbered = (lines: readonly string[]) =>
  lines.map((line, index) => line.replace(/"seq":\d+/, `"seq":${index + 1}`));

function stateFolder(made: TestRepository): string {
  const base = join(process.env.XDG_STATE_HOME ?? '', 'ralph');
  return join(base, made.read('.git/ralph/id').trim());
}

export const JOURNAL_ATTACKS: readonly Attack[] = [
  edit('journal-append', NO_CODES, (lines) => [...lines, forged(lines)], isDone),
  edit(
    'journal-change',
    NO_CODES,
    (lines) => lines.map((line) => line.replace(/"taskStatus":"\w+"/, '"taskStatus":"done"')),
    isDone,
  ),
  edit(
    'journal-remove',
    { ...NO_CODES, ...NO_END },
    (lines) => numbered(lines.filter((line) => !isEnd(line))),
    isFresh,
  ),
  edit('journal-cut', NO_END, (lines) => lines.slice(0, lines.findIndex(isEnd)), isFresh),
  {
    point: 2,
    name: 'journal-older',
    without: NO_END,
    play: async (site) => {
      const made = await attempted(site);
      const older = made.read(JOURNAL);
      await site.ralph(made.root, 'run');
      made.write(JOURNAL, older);
      const { attempts } = await seen(site, made);
      return brokenIf(attempts === 1, `${attempts} attempts are known of 2`);
    },
  },
  {
    point: 2,
    name: 'journal-foreign',
    without: { ...NO_CODES, ...NO_END },
    play: async (site) => {
      const made = await attempted(site);
      const other = await attempted(site);
      await site.ralph(other.root, 'run');
      made.write(JOURNAL, other.read(JOURNAL));
      const { attempts } = await seen(site, made);
      return brokenIf(attempts === 2, `${attempts} attempts are known of 1`);
    },
  },
  {
    point: 2,
    name: 'head-edit',
    without: { 'src/store/journal/own-end.ts': 'own-end.ts' },
    play: async (site) => {
      const made = await attempted(site);
      const lines = linesOf(made);
      const left = lines.slice(0, lines.findIndex(isEnd));
      write(made, left);
      const { seq, mac } = JSON.parse(left.at(-1) ?? '');
      const head = `${JSON.stringify({ seq, mac, own: '0'.repeat(32) }).padEnd(255)}\n`;
      writeFileSync(join(stateFolder(made), 'main', 'journal'), `${head}${made.read(JOURNAL)}`);
      const { stdout, stderr } = await site.ralph(made.root, 'status');
      const isNamed = /isn't verified/.test(`${stdout}${stderr}`.replaceAll(/\s+/g, ' '));
      return brokenIf(!isNamed, isNamed ? 'the journal is named as not verified' : 'nothing is said');
    },
  },
  {
    point: 2,
    name: 'trust-by-hand',
    without: { 'src/app/setup/trust/own-acceptance.ts': 'own-acceptance.ts' },
    play: async (site) => {
      const made = await attempted(site);
      delete process.env.RALPH_TRUST;
      const { stdout } = await site.ralph(made.root, 'trust', '--list', '--format', 'json');
      const entry = { sha256: JSON.parse(stdout).sha256, at: '2026-01-01', items: [], mac: '0'.repeat(32) };
      const document = { $schema: 'ralph.trust.v1', accepted: [entry] };
      writeFileSync(join(stateFolder(made), 'trust.json'), JSON.stringify(document));
      const { code } = await site.ralph(made.root, 'run');
      return brokenIf(code !== 2, `ralph run ended with ${code}`);
    },
  },
  {
    point: 2,
    name: 'journal-readable',
    without: { 'packages/kit/src/files/private-mode.ts': 'private-mode.ts' },
    play: async (site) => {
      const made = await attempted(site, 'chmod 666 "$TOP/.ralph/journal.jsonl"');
      const mode = statSync(made.path(JOURNAL)).mode & 0o777;
      return brokenIf(mode !== 0o600, `the journal's mode is ${mode.toString(8)}`);
    },
  },
];
