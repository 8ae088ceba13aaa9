import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeLoopProject } from '../crash/loop-project.ts';
import { temporaryFolder } from '../repository.ts';
import { type Damage, damageOf, putDamage } from './damages.ts';

const COMMANDS: readonly (readonly string[])[] = [
  ['status'],
  ['tasks'],
  ['explain'],
  ['prompt'],
  ['blocked'],
  ['interventions'],
  ['profile'],
  ['logs'],
  ['replay'],
  ['feedback', 'list'],
  ['run', '--dry-run'],
  ['run', '--max-iterations', '1'],
];
const LIMIT_MS = 20_000;
/** One trial in so many replaces the file by a named pipe: a program that opens it without care waits forever. */
const PIPE_EVERY = 10;

/** Damages a file of a project and runs one command of the built program; returns a line for each crash or hang. */
export function commandTrials(
  bin: string,
  trials: number,
  random: () => number,
  onTrial: (done: number, wrong: number) => void = () => undefined,
): string[] {
  const { repository } = makeLoopProject('gates', 30);
  const { root } = repository;
  const home = temporaryFolder();
  const env = { ...process.env, RALPH_TRUST: '1', XDG_STATE_HOME: home };
  const ralph = (...argv: string[]) =>
    spawnSync(process.execPath, [bin, ...argv], { cwd: root, env, encoding: 'utf8', timeout: LIMIT_MS });
  ralph('run', '--quiet', '--max-iterations', '2');
  repository.write('.ralph/FEEDBACK.md', '- Use the parser that is there.\n');
  repository.write('.ralph/PROMPT_build.md', 'Do {{task}}.\n\n{{feedback}}\n');
  const kept = temporaryFolder();
  const places = { [join(root, '.ralph')]: join(kept, 'ralph'), [home]: join(kept, 'home') };
  for (const [place, copy] of Object.entries(places)) cpSync(place, copy, { recursive: true });
  // A link that leads nowhere, or to a folder, has no content to damage.
  const files = Object.keys(places)
    .flatMap((place) => filesBelow(place))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
  const wrong: string[] = [];
  for (let trial = 0; trial < trials; trial += 1) {
    for (const [place, copy] of Object.entries(places)) {
      rmSync(place, { recursive: true, force: true });
      cpSync(copy, place, { recursive: true });
    }
    const file = files[Math.floor(random() * files.length)] ?? '';
    const argv = COMMANDS[Math.floor(random() * COMMANDS.length)] ?? ['status'];
    const pipe: Damage = { kind: 'pipe', name: 'a named pipe' };
    const damage =
      trial % PIPE_EVERY === 0 ? pipe : damageOf(readFileSync(file), 2 + Math.floor(random() * 500), random);
    putDamage(file, damage, (path) => spawnSync('mkfifo', [path]));
    const problem = crashOf(ralph('--format', 'json', ...argv));
    if (problem !== null)
      wrong.push(
        `${file.replace(root, '').replace(home, 'state home')} (${damage.name}), ralph ${argv.join(' ')}: ${problem}`,
      );
    onTrial(trial + 1, wrong.length);
  }
  return wrong;
}

type Ended = { status: number | null; stdout: string; stderr: string };

function crashOf({ status, stdout, stderr }: Ended): string | null {
  if (status === null) return 'it hung';
  const printed = `${stdout}${stderr}`;
  if (/should not have happened|mistake in ralph|^\s+at .*\d+:\d+/m.test(printed))
    return printed.slice(0, 300);
  try {
    // The output is one document, or for `run` one on each line.
    const [first, ...more] = stdout.trimEnd().split('\n');
    JSON.parse(first?.endsWith('}') && more.length > 0 ? (more.at(-1) ?? '') : stdout);
    return null;
  } catch {
    return `exit ${status}, no JSON: ${printed.slice(0, 200)}`;
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}
