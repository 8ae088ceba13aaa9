import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, run, scratch } from '../tools.mjs';

const ACTIONS = 300;
const RULES = 5;
const P50_MS = 1;
const P95_MS = 5;

/** Rules as people write them: each reads the command and the effects, and says nothing. */
const MODULE = `export default Array.from({ length: ${RULES} }, (_, number) => ({
  name: 'rule_' + number,
  judge: ({ action, effects }) =>
    action.command?.includes('never-' + number) || effects.some(({ paths }) => paths?.includes('/never/' + number))
      ? { decision: 'deny', reason: 'Never.' }
      : null,
}));
`;

/** Milliseconds of each review in a run of the built program whose agent runs so many different commands. */
function reviewsOf(rules) {
  const folder = mkdtempSync(join(scratch, 'rules-'));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, '.ralph'));
  write('.ralph/PRD.md', '## Tasks\n- [ ] **T-1** One\n');
  write('.ralph/rules.mjs', MODULE);
  const setting = rules ? '[review.rules]\ncustom_rules_path = ".ralph/rules.mjs"\n' : '';
  write('.ralph/ralph.toml', `[loop]\nagent = "scripted"\n${setting}`);
  const shell = (_, number) => ({ action: 'shell', command: `true ${number}` });
  const actions = Array.from({ length: ACTIONS }, shell);
  write('.ralph/scenario.json', JSON.stringify({ output: 'claude-stream', steps: [{ do: actions }] }));
  for (const argv of [
    ['init', '--quiet', '--template='],
    ['add', '-A'],
    ['commit', '--quiet', '-m', 'start'],
  ])
    run(['git', ...argv], { cwd: folder });
  run([process.execPath, BIN, 'run', '--quiet', '--max-iterations', '1'], { cwd: folder }, [0, 3]);
  const runs = join(folder, '.ralph', 'runs');
  const log = join(runs, readdirSync(runs)[0], 'iterations', '0001', 'reviews.jsonl');
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  if (lines.length !== ACTIONS) throw new Error(`${lines.length} actions were reviewed`);
  return lines.map((line) => JSON.parse(line).duration_us / 1000).toSorted((a, b) => a - b);
}

const share = (sorted, part) => sorted[Math.floor((sorted.length - 1) * part)];

/** What a module of rules adds to the review of an action, from the action to the ruling. */
export const rules = {
  id: 'rules',
  run: async () => {
    const [without, asked] = [reviewsOf(false), reviewsOf(true)];
    const figure = (name, part, atMostAbsolute) => ({
      what: `an action held with ${RULES} rules in a module, ${name}, beside none`,
      ...{ value: share(asked, part), baseline: share(without, part), unit: 'ms' },
      ...{ rounds: ACTIONS, atMostAbsolute },
    });
    return [figure('p50', 0.5, P50_MS), figure('p95', 0.95, P95_MS)];
  },
};
