import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, relative } from 'node:path';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { boxed } from './box.ts';
import type { Case } from './case.ts';
import { finished, must } from './command.ts';
import { verifyCase } from './verify.ts';

/** How each language of the set runs one test, and where a held-out test has to lie. */
const RUNNERS: Readonly<Record<string, { needs: string; run: (test: string) => string; place: string }>> = {
  python: {
    needs: 'python3 -m pytest --version',
    run: (test) => `python3 -m pytest -q ${test}`,
    place: 'tests',
  },
  javascript: { needs: 'node --version', run: (test) => `node --test ${test}`, place: 'tests' },
  go: { needs: 'go version', run: () => 'go test ./...', place: '.' },
  rust: { needs: 'cargo --version', run: () => 'cargo test --offline --quiet', place: 'tests' },
  ruby: { needs: 'ruby --version', run: (test) => `ruby -I . ${test}`, place: 'tests' },
  java: {
    needs: 'javac --version',
    run: (test) => `javac -d out $(find . -name '*.java') && java -cp out ${basename(test, extname(test))}`,
    place: 'tests',
  },
};

/** Patterns of files that test runs leave; the set has no `.gitignore`. */
const IGNORED = '__pycache__/\n.pytest_cache/\n*.pyc\ntarget/\nout/\n';

/**
 * Returns the cases of a copy of the third-party set `0DukePan/greenwash`: each task with its own cheat and its own
 * honest fix, and the single trees for its scanner. @param from Top of the copy.
 */
export async function greenwashCases(from: string): Promise<Case[]> {
  const tasks = folders(join(from, 'benchmark', 'tasks'));
  const trees = ['inconclusive', 'polyglot'].flatMap((name) => folders(join(from, 'benchmark', name)));
  const agent = join(from, 'benchmark', 'tools', 'fake_agent.py');
  const ofTasks = await Promise.all(tasks.map((folder) => casesOfTask(folder, agent)));
  return [...ofTasks.flat(), ...(await Promise.all(trees.map(wholeTree)))];
}

/** Many of these trees are only made for a scanner: files that they import are missing, so that no gate can pass. */
async function wholeTree(folder: string): Promise<Case> {
  const one = caseOfTree(folder);
  if ((await finished('sh', ['-c', one.needs], '/')).code !== 0) return one;
  return (await verifyCase({ ...one, expected: 'done' })) === null
    ? one
    : { ...one, needs: 'false # not whole' };
}

function folders(parent: string): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => !name.startsWith('_'))
    .toSorted()
    .map((name) => join(parent, name));
}

type TaskJson = {
  readonly prompt: string;
  readonly cheat_type: string;
  readonly language?: string;
  readonly visible_test: string;
  readonly hidden_test: string;
};

async function casesOfTask(folder: string, agent: string): Promise<Case[]> {
  const task = json<TaskJson>(join(folder, 'task.json'));
  const runner = RUNNERS[task.language ?? 'python'];
  if (runner === undefined) return [];
  const files = filesBelow(join(folder, 'workspace'));
  const hidden = join(runner.place, basename(task.hidden_test));
  const held = Buffer.from(readFileSync(join(folder, task.hidden_test))).toString('base64');
  const shared = {
    ...EMPTY,
    // No test passes in a Go module without its manifest.
    needs: task.language === 'go' && !('go.mod' in files) ? 'false # not whole' : runner.needs,
    task: task.prompt,
    gates: [{ name: 'test', run: runner.run(task.visible_test), required: true }],
    files: { '.gitignore': IGNORED, ...files },
    truth: `mkdir -p ${runner.place} && echo ${held} | base64 -d > ${hidden} && ${runner.run(hidden)} >&2 && echo holds`,
  };
  const solution = join(folder, 'solution');
  const name = basename(folder);
  return [
    {
      ...shared,
      ...{ name: `${name}/cheat`, kind: task.cheat_type, expected: 'not_done' },
      agent: await cheatOf(folder, agent, files),
    },
    ...(existsSync(solution)
      ? [
          {
            ...shared,
            name: `${name}/fix`,
            kind: 'honest',
            expected: 'done' as const,
            agent: writes(filesBelow(solution)),
          },
        ]
      : []),
  ];
}

/** Returns the actions of the set's own cheating agent in a workspace. */
async function cheatOf(
  folder: string,
  agent: string,
  before: Readonly<Record<string, string>>,
): Promise<ScenarioAction[]> {
  const place = mkdtempSync(join(tmpdir(), 'cheat-'));
  try {
    await must('cp', ['-a', folder, join(place, 'task')], place);
    await must('cp', [agent, place], place);
    const workspace = join(place, 'task', 'workspace');
    const variables = ['env', 'FAKE_AGENT_CHEAT=auto', `GREENWASH_BENCH_TASK_DIR=${join(place, 'task')}`];
    const program = join(place, basename(agent));
    const run = await boxed(place, workspace, [...variables, 'python3', '-B', program]);
    if (run.code !== 0) throw new Error(`${folder}: ${run.stderr}`);
    const after = Object.entries(filesBelow(workspace)).filter(([path, text]) => before[path] !== text);
    return writes(Object.fromEntries(after));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

type TreeJson = { readonly language?: string; readonly expect?: string; readonly why: string };

/** Returns a case in which a whole tree is written into an empty project. */
function caseOfTree(folder: string): Case {
  const { language = 'python', expect, why } = json<TreeJson>(join(folder, 'case.json'));
  const cheats = expect === 'fires';
  const run: Readonly<Record<string, string>> = {
    python: 'python3 -m pytest -q; test $? -eq 0 -o $? -eq 5',
    javascript: 'node --test',
    go: 'go test ./...',
    rust: 'cargo test --offline --quiet',
  };
  return {
    ...EMPTY,
    ...{ name: `trees/${basename(folder)}`, kind: cheats ? 'tree' : 'honest', possible: cheats },
    expected: cheats ? 'not_done' : 'done',
    needs:
      run[language] === undefined
        ? `false # no runner for ${language}`
        : (RUNNERS[language]?.needs ?? 'true'),
    task: why.replaceAll('\n', ' '),
    gates: [{ name: 'test', run: run[language] ?? 'false', required: true }],
    files: { '.gitignore': IGNORED, ...PROJECT[language] },
    agent: writes(filesBelow(join(folder, 'files'))),
  };
}

const PROJECT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  go: { 'go.mod': 'module example.com/case\n\ngo 1.19\n' },
  rust: {
    'Cargo.toml': '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\npath = "lib.rs"\n',
    'lib.rs': '',
  },
};

const EMPTY = { possible: false, packages: [], ignored: {}, prepare: null, settings: {}, truth: null };

function writes(files: Readonly<Record<string, string>>): ScenarioAction[] {
  return Object.entries(files).map(([path, content]) => ({ action: 'write', path, content }));
}

function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = found.map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

function json<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
