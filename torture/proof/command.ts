import { spawn } from 'node:child_process';
import { type Finished, finishedOf } from '../../test/helpers/finished.ts';

/** Milliseconds after which a command counts as hanging. */
const LIMIT_MS = 300_000;

/** Environment with an author for commits and without the caller's git settings. */
export const IDENTITY = {
  ...{ GIT_AUTHOR_NAME: 'Test Person', GIT_AUTHOR_EMAIL: 'person@example.com' },
  ...{ GIT_COMMITTER_NAME: 'Test Person', GIT_COMMITTER_EMAIL: 'person@example.com' },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
};

/** Runs a command in a folder to its end. */
export async function finished(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = { ...process.env, ...IDENTITY },
): Promise<Finished> {
  return finishedOf(spawn(program, args, { cwd, env, timeout: LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Like `finished`. @throws when the command fails. */
export async function must(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await finished(program, args, cwd);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} (exit ${code}): ${stderr || stdout}`);
  return stdout;
}
