import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ONE_TASK, SHELL_CLAIM, shellAgent } from '../project-files.ts';
import { makeRepository, temporaryFolder } from '../repository.ts';

const PROBE = fileURLToPath(new URL('memory-probe.cjs', import.meta.url));
const MIB = 1024 * 1024;

export type OutputTrial = {
  /** Peak memory of ralph and of a bare node process, in MiB. */
  readonly ralphMib: number;
  readonly nodeMib: number;
  /** Peak memory of a run whose agent prints almost nothing, in MiB. */
  readonly quietMib: number;
  readonly seconds: number;
  readonly wrong: readonly string[];
};

/** Maximum number of bytes of an attempt's output that are kept. */
const MOST_KEPT = 50 * MIB;

/** Runs an attempt whose agent prints some MiB of lines, then one line of some MiB, then its claim. */
export function outputTrial(bin: string, linesMib: number, lineMib: number): OutputTrial {
  const quiet = attempt(bin, 1, 1);
  const start = performance.now();
  const loud = attempt(bin, linesMib, lineMib);
  const seconds = (performance.now() - start) / 1000;
  const nodeMib = peakMib(['-e', '0'], temporaryFolder()).mib;
  return {
    ralphMib: loud.mib,
    nodeMib,
    quietMib: quiet.mib,
    seconds,
    wrong: [...quiet.wrong, ...loud.wrong],
  };
}

function attempt(bin: string, linesMib: number, lineMib: number): { mib: number; wrong: string[] } {
  const agent = `cat > /dev/null
yes "this is a line of the kind that a program prints while it works" | head -c ${linesMib * MIB}
head -c ${lineMib * MIB} /dev/zero | tr "\\0" a
printf "\\n"
echo x > made.txt
${SHELL_CLAIM}`;
  const repository = makeRepository({
    'agent.sh': agent,
    '.ralph/PRD.md': ONE_TASK,
    '.ralph/ralph.toml': shellAgent(),
  });
  const { root } = repository;
  const { mib, status, printed } = peakMib([bin, 'run', '--quiet'], root);
  const wrong = status === 0 ? [] : [`the run ended with ${status}: ${printed.slice(-300)}`];
  const run = readdirSync(join(root, '.ralph/runs'))[0] ?? '';
  const folder = join(root, '.ralph/runs', run, 'iterations/0001');
  const expected = (linesMib + lineMib) * MIB;
  const { size } = statSync(join(folder, 'output.log'));
  if (expected > MOST_KEPT) {
    // Of a longer output, the beginning and the end are kept.
    if (size > MOST_KEPT + 200) wrong.push(`${size} bytes of output are kept`);
    if (!holds(join(folder, 'output.log'), 'bytes of the output are left out here'))
      wrong.push('the log does not say what it leaves out');
  } else if (size < expected || size > expected + 200)
    wrong.push(`${size} bytes of output are kept, not ${expected} and the claim`);
  const record = readFileSync(join(folder, 'iteration.json'), 'utf8');
  if (!record.includes('"done"')) wrong.push('the claim behind all the output was not read');
  return { mib, wrong };
}

function holds(file: string, text: string): boolean {
  return readFileSync(file).includes(text);
}

function peakMib(
  argv: readonly string[],
  cwd: string,
): { mib: number; status: number | null; printed: string } {
  const file = join(temporaryFolder(), 'memory');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', PROBE, ...argv], {
    cwd,
    env: { ...process.env, MEMORY_FILE: file, RALPH_TRUST: '1' },
    encoding: 'utf8',
  });
  return { mib: Number(readFileSync(file, 'utf8')) / 1024, status, printed: `${stdout}${stderr}` };
}
