// Changes one setting after the other from its default, and writes the effects into docs/internals/tuning.md: npm run
// eval:sweep [-- --seeds N --suite SUITE --jobs N --resume]. Each value is an arm of `ralph eval` with the same seeds.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const FILE = join(ROOT, 'docs', 'internals', 'tuning.md');
const [BEGIN, END] = ['<!-- sweep: npm run eval:sweep -->', '<!-- /sweep -->'];
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: 'study' },
    seeds: { type: 'string', default: '1' },
    jobs: { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
});

/**
 * Section and key of each setting, its default, and the values that are tried: one below and one above it, if possible.
 */
const SETTINGS = [
  ['loop', 'max_attempts_per_task', 3, [2, 5]],
  ['loop', 'no_progress_limit', 3, [2, 6]],
  ['modes.speed', 'timeout', 120, [60, 240]],
  ['adaptive_timeout', 'timeout_multiplier_per_failure', 1.5, [1.2, 2]],
  ['adaptive_timeout', 'min_timeout', 60, [30, 240]],
  ['adaptive_timeout', 'max_timeout', 3600, [300, 7200]],
  ['adaptive_timeout', 'idle_timeout', 600, [15, 1200]],
  ['adaptive_timeout', 'complexity_scaling', true, [false]],
  ['adaptive_timeout', 'failure_scaling', true, [false]],
  ['adaptive_timeout', 'learned', true, [false]],
  ['interventions', 'threshold_no_files', 3, [1, 6]],
  ['interventions', 'threshold_false_completion', 2, [1, 4]],
  ['interventions', 'max_interventions_per_task', 10, [1, 20]],
  ['interventions', 'cooldown_seconds', 30, [0, 600]],
  ['interventions.soft_correction', 'max_attempts', 3, [1, 6]],
  ['interventions.strategy', 'effectiveness_threshold', 0.6, [0.3, 0.9]],
  ['interventions.safe_checkpoint', 'min_success_rate', 0.8, [0.5, 1]],
  ['limits', 'max_file_operations', 500, [10, 1000]],
  ['gates', 'output_limit', 4000, [200, 8000]],
  ['policy.checkpoint', 'every', 2700, [900, 7200]],
  ['policy.checkpoint', 'every_tasks', 3, [1, 10]],
  ['policy.break', 'strict', false, [true]],
  ['unblock', 'auto', false, [true]],
  ['budget', 'iterations', 0, [30]],
  ['budget', 'wall_time', 0, [7200]],
];

const FIGURES = [
  ['completion', 'done', 100, ' %'],
  ['wasted', 'wasted', 100, ' %'],
  ['blocked', 'blocked', 100, ' %'],
  ['iterations', 'iterations', 1, ''],
  ['interventions', 'interventions', 1, ''],
  ['breaks', 'breaks', 1, ''],
  ['false_accepted', 'false accepted', 1, ''],
  ['minutes_per_verified', 'minutes a task', 1, ''],
];

const arms = SETTINGS.flatMap(([table, key, , tried]) =>
  tried.map((value) => ({ name: `${table}.${key}=${value}`, text: `[${table}]\n${key} = ${value}\n` })),
);
const { data, command } = evaluated();
const marked = readFileSync(FILE, 'utf8');
const [before, rest] = marked.split(BEGIN);
writeFileSync(FILE, `${before}${BEGIN}\n\n${block()}\n${rest.slice(rest.indexOf(END))}`);

function evaluated() {
  const cwd = join(ROOT, 'ralph-eval', `${values.suite}-sweep`);
  mkdirSync(cwd, { recursive: true });
  for (const { name, text } of arms) writeFileSync(join(cwd, name), text);
  const names = ['full', ...arms.map(({ name }) => name)];
  const options = ['--seeds', values.seeds, ...(values.jobs === undefined ? [] : ['--jobs', values.jobs])];
  const args = ['eval', values.suite, ...options, ...(values.resume ? ['--resume'] : [])];
  const run = spawnSync(
    process.execPath,
    [
      join(ROOT, 'bin', 'ralph.js'),
      ...args,
      '--arms',
      names.join(','),
      '--out',
      'results',
      '--format',
      'json',
    ],
    { cwd, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28, encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(`ralph eval ended with ${run.status}: ${run.stdout}`);
  const suite = values.suite === 'study' ? '' : ` --suite ${values.suite}`;
  return { data: JSON.parse(run.stdout), command: `npm run eval:sweep -- --seeds ${values.seeds}${suite}` };
}

/** Returns a line for each value that changes something, and the names of the others. */
function block() {
  const [full, ...others] = data.arms;
  const rows = SETTINGS.flatMap(([table, key, usual, tried]) =>
    tried.map((value) => ({
      ...{ key: `${table}.${key}`, usual, value },
      arm: others.find(({ arm }) => arm === `${table}.${key}=${value}`),
    })),
  );
  const moving = rows.filter(({ arm }) => moves(arm));
  const still = rows.filter(({ arm }) => !moves(arm));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const head = ['setting', 'default', 'tried', ...FIGURES.map(([, shown]) => shown)];
  const table = [
    line(head),
    line(head.map(() => '---')),
    line(['**all defaults**', '', '', ...FIGURES.map((figure) => cell(figure, full.figures))]),
    ...moving.map(({ key, usual, value, arm }) =>
      line([`\`${key}\``, usual, value, ...FIGURES.map((figure) => changed(figure, arm))]),
    ),
  ];
  const without = [...new Set(still.map(({ key }) => key))].map(
    (key) => `- \`${key}\`: ${still.flatMap((row) => (row.key === key ? [row.value] : [])).join(', ')}`,
  );
  return `\`${command}\`, ralph ${version}, suite \`${data.suite}\`, ${data.seeds === 1 ? 'seed 1' : `seeds 1 to ${data.seeds}`}.

${table.join('\n')}

In brackets is the difference to the defaults, ${data.seeds === 1 ? 'with the same dice' : 'seed by seed, with half of its 95 % interval'}. An empty cell is the same as with the defaults.

Moved nothing at all:

${without.join('\n') || 'none'}
`;
}

/** Returns whether any figure changes, apart from the machine's own time. */
function moves({ difference }) {
  return Object.entries(difference).some(([name, value]) => name !== 'overhead_ms' && isMoved(value));
}

function isMoved(value) {
  return value !== null && (value.mean !== 0 || (value.half ?? 0) !== 0);
}

function cell([name, , scale, unit], figures) {
  const value = figureOf(name, figures);
  return value === null ? '–' : `${number(value.mean * scale)}${unit}`;
}

function changed(figure, { figures, difference }) {
  const [name, , scale] = figure;
  const more = figureOf(name, difference);
  if (!isMoved(more)) return '';
  const half = more.half === null ? '' : ` ± ${number(more.half * scale)}`;
  return `${cell(figure, figures)} (${more.mean < 0 ? '−' : '+'}${number(Math.abs(more.mean * scale))}${half})`;
}

function figureOf(name, figures) {
  return figures[name] ?? null;
}

function number(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);
}
