import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Project, projectAt, SHELL_CLAIM } from './cli.ts';
import { eventually } from './eventually.ts';
import { makeRepository, repositoryAt, temporaryFolder } from './repository.ts';

/** Another project's tool for task lists, installed from its package. */
export type TaskTool = {
  /** Name of the tool with its version, and why it isn't tested if it can't be installed. */
  readonly title: string;
  readonly isMissing: boolean;
  /** Runs the tool and returns its output without colours; throws if it fails. */
  readonly run: (root: string, ...args: string[]) => string;
};

/** Milliseconds for an installation: these packages are large, and their registry may be slow. */
const INSTALL_LIMIT_MS = 500_000;
const COMMAND_LIMIT_MS = 170_000;

/**
 * Installs a tool in a folder of its own.
 * @param programs Programs that the tool finds beside itself, as shell scripts by name.
 * @param omit Kinds of dependencies that the tool's commands on lists don't need, such as programs of agents.
 */
export function installTool(
  name: string,
  version: string,
  bin: string,
  {
    programs = {},
    omit = [],
  }: {
    readonly programs?: Readonly<Record<string, string>>;
    readonly omit?: readonly 'optional'[];
  } = {},
): TaskTool {
  const folder = temporaryFolder();
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--prefix', folder];
  const omitted = omit.map((kind) => `--omit=${kind}`);
  const installed = spawnSync('npm', ['install', ...options, ...omitted, `${name}@${version}`], {
    ...{ cwd: folder, encoding: 'utf8', timeout: INSTALL_LIMIT_MS },
  });
  const program = join(folder, 'node_modules/.bin', bin);
  const isMissing = installed.status !== 0 || !existsSync(program);
  const why = installed.stderr?.trim().split('\n').at(-1) || 'it took too long';
  const home = makeRepository(null);
  for (const [script, text] of Object.entries(programs)) home.write(`bin/${script}`, text, 0o755);
  const env = {
    ...process.env,
    ...{ HOME: home.root, PATH: `${home.path('bin')}:${process.env.PATH}` },
    // No tool sends telemetry from a test.
    ...{ DO_NOT_TRACK: '1', OPENSPEC_TELEMETRY: '0', NO_COLOR: '1', CI: '1' },
  };
  return {
    title: `${name} ${version}${isMissing ? `, which can't be installed here (${why})` : ''}`,
    isMissing,
    run: (root, ...args) => {
      const done = spawnSync(program, args, {
        ...{ cwd: root, env, encoding: 'utf8', timeout: COMMAND_LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'] },
      });
      if (done.status !== 0)
        throw new Error(`${bin} ${args.join(' ')} (exit ${done.status}): ${done.stdout}${done.stderr}`);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
      return done.stdout.replace(/\u001b\[[0-9;]*m/g, '');
    },
  };
}

/** Makes a repository for a tool's list, in which ralph hasn't run yet. */
export function toolProject(): Project {
  return projectAt(makeRepository({ 'README.md': 'hello\n' }).root);
}

/** Configures ralph to work on the list at this path, with an agent that makes a file for each task. */
export function workAt(project: Project, path: string): void {
  project.write(
    '.ralph/ralph.toml',
    `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n[tracker]\npath = ${JSON.stringify(path)}\n[git]\ncommit = "on_done"\n[gates]\ncommands = [{ name = "test", run = "true" }]\n`,
  );
  project.write(
    'agent.sh',
    `cat >/dev/null\n. ./wait.sh\nmkdir -p made\ndate >>"made/$RALPH_TASK_ID.txt"\n${SHELL_CLAIM}`,
  );
  project.write('wait.sh', '');
  project.commitAll('the list, and who works at it');
}

/** Makes a run during whose first attempt `meanwhile` is called; returns the output of `ralph run --format json`. */
export function runWith(project: Project, meanwhile: (() => void) | null) {
  return runningWith(project, meanwhile, () => project.jsonLater('run'));
}

/** Starts such a run and returns its result once it ends. */
export async function runningWith<Result>(
  project: Project,
  meanwhile: (() => void) | null,
  start: () => Promise<Result>,
): Promise<Result> {
  const signals = repositoryAt(temporaryFolder());
  const wait = `: >'${signals.path('begun')}'\nwhile [ ! -e '${signals.path('go')}' ]; do sleep 0.05; done\n`;
  project.write('wait.sh', meanwhile === null ? '' : wait);
  project.commitAll('how long the agent waits');
  const running = start();
  if (meanwhile === null) return running;
  const begun = eventually(() => expect(signals.exists('begun')).toBe(true));
  await Promise.race([begun, running]);
  meanwhile();
  signals.write('go', '');
  return running;
}
