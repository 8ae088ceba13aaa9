import { chmodSync, writeFileSync } from 'node:fs';
import { BIN } from './cli.ts';
import { temporaryFolder } from './repository.ts';

/** The environment of somebody at a shell who has `ralph` as a program, and trusts what the repository runs. */
export function ralphOnPath(): NodeJS.ProcessEnv {
  const programs = temporaryFolder();
  const shim = `${programs}/ralph`;
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(shim, 0o755);
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...variables } = process.env;
  return { ...variables, PATH: `${programs}:${process.env.PATH}`, RALPH_TRUST: '1' };
}
