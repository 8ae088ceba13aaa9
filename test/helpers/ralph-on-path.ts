import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { BIN, type Project } from './cli.ts';
import type { Finished } from './finished.ts';
import { temporaryFolder } from './repository.ts';

/** Returns the environment of a user at a shell who has `ralph` on the PATH, and trusts the repository's commands. */
export function ralphOnPath(): NodeJS.ProcessEnv {
  const programs = temporaryFolder();
  const shim = `${programs}/ralph`;
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(shim, 0o755);
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...variables } = process.env;
  return { ...variables, PATH: `${programs}:${process.env.PATH}`, RALPH_TRUST: '1' };
}

/** Runs a command as a user pastes it in a project: in a shell that finds `ralph`. */
export function paste({ root }: Project, command: string): Finished {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    ...{ cwd: root, encoding: 'utf8', timeout: 120_000, env: ralphOnPath() },
  });
  return { code: status, stdout, stderr };
}
