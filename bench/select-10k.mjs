// `node bench/select-10k.mjs`: measures choosing a task from 10,000. Prints JSON for each format of the task file:
// `ratio` (a new node process that reads the file and chooses, against one that only reads it; medians, in turns) and
// `ms` (parsing and choosing in that process, without loading code and file).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const TASKS = 10_000;

const tasks = Array.from({ length: TASKS }, (_, index) => ({
  id: `T-${index}`,
  title: `Implement feature number ${index} in the parser`,
  acceptance: [`it works for input ${index}`],
  done: index < TASKS / 2,
}));

const FILES = {
  markdown: {
    name: 'PRD.md',
    text: `## Tasks\n${tasks.map(({ id, title, acceptance, done }) => `- [${done ? 'x' : ' '}] **${id}** ${title}\n  - ${acceptance[0]}\n`).join('')}`,
  },
  json: {
    name: 'prd.json',
    text: JSON.stringify(
      { stories: tasks.map(({ done, ...task }) => ({ ...task, status: done ? 'done' : 'open' })) },
      null,
      2,
    ),
  },
  yaml: {
    name: 'tasks.yaml',
    text: `tasks:\n${tasks.map(({ id, title, acceptance, done }) => `  - id: ${id}\n    title: ${title}\n    completed: ${done}\n    acceptance:\n      - ${acceptance[0]}\n`).join('')}`,
  },
};

/** A program that reads the file and chooses a task as a run does; prints the milliseconds and the chosen task. */
const PICK = `
import { readFileSync } from 'node:fs';
import { overlayStatus, selectTask } from './src/decide/index.ts';
import { checkDependencies, parseTracker, trackerReader } from 'ralph-task-lists';
const path = process.argv[2];
const text = readFileSync(path, 'utf8');
void (async () => {
  const reader = await trackerReader(text, path, 'auto');
  const start = performance.now();
  const parsed = parseTracker(text, path, reader, []);
  if (!parsed.ok) throw new Error(parsed.message);
  if (checkDependencies(parsed.tasks).length > 0) throw new Error('the tasks wait for each other');
  const { holdsBlocked } = parsed;
  const tasks = parsed.tasks.map((task) => ({ ...task, status: overlayStatus(task, undefined, holdsBlocked) }));
  const pick = selectTask(tasks, {}, null);
  process.stdout.write(JSON.stringify({ ms: performance.now() - start, picked: pick.task?.id ?? pick.kind }));
})();
`;
const READ = `process.stdout.write(String(require('node:fs').readFileSync(process.argv[2], 'utf8').length));`;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const folder = mkdtempSync(join(tmpdir(), 'ralph-select-'));

async function programs() {
  const form = { bundle: true, format: 'cjs', platform: 'node', target: 'node20', minify: true };
  const lazy = { supported: { 'dynamic-import': false } };
  const contents = { contents: PICK, resolveDir: ROOT, loader: 'ts' };
  // The YAML library is a file of its own, as in dist/.
  const yaml = {
    name: 'yaml',
    setup({ onResolve }) {
      onResolve({ filter: /yaml\.ts$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: './yaml.cjs', external: true } : undefined,
      );
    },
  };
  await build({ ...form, ...lazy, stdin: contents, outfile: join(folder, 'pick.cjs'), plugins: [yaml] });
  await build({
    ...form,
    ...lazy,
    entryPoints: [join(ROOT, 'packages/task-lists/src/entries/read-yaml.ts')],
    outfile: join(folder, 'yaml.cjs'),
  });
  writeFileSync(join(folder, 'read.cjs'), READ);
}

function timed(program, file) {
  const start = process.hrtime.bigint();
  const stdout = execFileSync(process.execPath, [join(folder, program), file], { encoding: 'utf8' });
  return { wall: Number(process.hrtime.bigint() - start) / 1e6, stdout };
}

try {
  await programs();
  const figures = {};
  for (const [form, { name, text }] of Object.entries(FILES)) {
    const file = join(folder, name);
    writeFileSync(file, text);
    const [picks, reads, inside] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const pick = timed('pick.cjs', file);
      const { ms, picked } = JSON.parse(pick.stdout);
      if (picked !== `T-${TASKS / 2}`) throw new Error(`${name}: ${picked} was picked`);
      picks.push(pick.wall);
      inside.push(ms);
      reads.push(timed('read.cjs', file).wall);
    }
    figures[form] = {
      ratio: Number((median(picks) / median(reads)).toFixed(2)),
      ms: Number(median(inside).toFixed(1)),
    };
  }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
