import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step of a workflow or of an action, as in its YAML file. */
export type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly id?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
};

type Values = Readonly<Record<string, string>>;

type Runner = {
  /** Folder of the job, in which the steps run. */
  readonly cwd: string;
  /** Folder for the runner's own files, which is also the home of the steps. */
  readonly folder: string;
  /** Variables of all steps in addition to those of a runner. */
  readonly env?: Values;
  /** Values of `${{ NAME }}`, by name. */
  readonly values: Values;
};

/** Returns a text in which `${{ NAME }}` is replaced by its value. @throws if a name has no value */
export function evaluated(text: string, values: Values): string {
  return text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing is known of ${name}`);
    return value;
  });
}

/** Plays the `run` steps as a runner does: after a failed step only those with `if: always()` run. */
export function playSteps({ cwd, folder, env: given = {}, values }: Runner, steps: readonly Step[]) {
  const file = (name: string) => {
    const path = join(folder, name);
    if (!existsSync(path)) writeFileSync(path, '');
    return path;
  };
  const host = {
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_OUTPUT: file('output'),
    GITHUB_PATH: file('path'),
  };
  let code = 0;
  let said = '';
  const used: string[] = [];
  for (const { uses, run, env = {}, if: condition } of steps) {
    if (code !== 0 && condition !== 'always()') continue;
    if (uses !== undefined) used.push(uses.split('@')[0] ?? '');
    if (run === undefined) continue;
    const own = Object.entries(env).map(([name, value]) => [name, evaluated(value, values)]);
    const path = `${readFileSync(host.GITHUB_PATH, 'utf8').trim().split('\n').join(':')}:${process.env.PATH}`;
    const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd,
      encoding: 'utf8',
      env: {
        ...{ PATH: path, HOME: folder, RUNNER_TEMP: folder, ...host, ...given },
        ...{ XDG_STATE_HOME: join(folder, 'state'), npm_config_cache: join(folder, 'npm') },
        ...Object.fromEntries(own),
      },
    });
    said += ended.stdout + ended.stderr;
    code = ended.status ?? 1;
  }
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { code, said, used, summary: read('summary'), output: read('output') };
}
