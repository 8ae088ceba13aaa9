import { mkdirSync } from 'node:fs';
import { makeProject, type Project } from './cli.ts';

/**
 * The agent of these tests: at its first attempt it waits for the others, so that all work from the same commit, then
 * does what the test says for its task, and claims completion.
 */
const AGENT = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
const { RALPH_TASK_ID: id, RALPH_ATTEMPT: attempt, RALPH_SLOT: slot, MEET: meet, TOGETHER: together } = process.env;
const first = !existsSync(meet + '/' + id);
writeFileSync(meet + '/' + id, slot ?? '');
appendFileSync(meet + '/all.log', [id, slot, process.env.RALPH_PORT_BASE, process.env.COMPOSE_PROJECT_NAME].join(' ') + '\\n');
while (first && readdirSync(meet).length - 1 < Number(together)) await new Promise((done) => setTimeout(done, 20));
const act = (await import(process.cwd() + '/acts.mjs')).default;
const changed = await act({ id, attempt: Number(attempt), appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync });
console.log(['RALPH_STATUS', 'TASK: ' + id, 'STATUS: DONE', 'EXIT_SIGNAL: true', ...(changed ? ['EVIDENCE: ' + changed] : []), 'END_RALPH_STATUS'].join('\\n'));
`;

type Given = {
  /** Body of the function that does the agent's work on a task. */
  readonly acts: string;
  readonly gate?: string;
  readonly workers?: number;
  /** Number of tasks whose agents wait for each other at their first attempt. */
  readonly together?: number;
  readonly files?: Readonly<Record<string, string>>;
  /** Lines of `[loop]` and of the agent's runner. */
  readonly loop?: string;
  readonly runner?: string;
};

/** Makes a project. @param tasks Lines of the task list without their "- [ ] ". */
export function workersProject(
  tasks: readonly string[],
  { acts, gate = 'true', workers, together, files = {}, loop = '', runner = '' }: Given,
) {
  const made = makeProject({
    '.ralph/PRD.md': `# Tasks\n\n${tasks.map((task) => `- [ ] ${task}\n`).join('')}`,
    'agent.mjs': AGENT,
    'acts.mjs': `export default async ({ id, attempt, ...fs }) => { ${acts} };\n`,
    'check.sh': `${gate}\n`,
    'shared.txt': 'start\n',
    ...files,
  });
  const meet = made.path('.git/meet');
  mkdirSync(meet);
  made.write(
    '.ralph/ralph.toml',
    [
      `[loop]\nagent = "mine"\n${loop}`,
      '[git]\ncommit = "on_done"\n[box]\nmode = "off"\n[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]',
      `[parallel]\nworkers = ${workers ?? tasks.length}`,
      ...['mine', 'other'].flatMap((name) => [
        `[runners.${name}]\nargv = ["node", "agent.mjs"]\n${runner}`,
        `[runners.${name}.env]\nMEET = ${JSON.stringify(meet)}\nTOGETHER = "${together ?? tasks.length}"\nWHO = "${name}"\n`,
      ]),
    ].join('\n'),
  );
  return made;
}

/** Returns task and verdict of each recorded iteration. */
export const verdicts = (one: Project) =>
  one.iterations().map((number) => {
    const { facts, decisions } = one.iteration(number);
    return `${facts.task.id} ${decisions.verdict.kind}`;
  });
/** Returns the subjects of the tasks' commits, oldest first. */
export const subjects = (one: Project) =>
  one
    .git('log', '--format=%s', '--reverse')
    .split('\n')
    .filter((subject) => /T-\d/.test(subject));
/** Returns this number of tasks. */
export const named = (count: number) =>
  Array.from({ length: count }, (_, at) => `**T-${at + 1}** Task ${at + 1}`);

/** Each task writes a file of its own. */
export const OWN_FILE = "fs.writeFileSync(id + '.txt', id + '\\n'); return id + '.txt:1-1 its file';";
/** Each task adds its name to the same line. */
export const ONE_LINE =
  "const now = fs.readFileSync('shared.txt', 'utf8').trim(); fs.writeFileSync('shared.txt', now + ' ' + id + '\\n'); return 'shared.txt:1-1 its name';";
