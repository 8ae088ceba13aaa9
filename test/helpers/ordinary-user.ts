import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BIN } from './cli.ts';
import { temporaryFolder } from './repository.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Whether the program can be run by a user whom permissions stop. */
export const canBeOrdinary =
  !isRoot || spawnSync(process.execPath, [BIN, '--version'], { ...user, cwd: '/' }).status === 0;

/** Runs ralph as an ordinary user to whom the folder belongs, with a state home of its own. */
export function asOrdinaryUser(root: string) {
  const [state, temporary] = [temporaryFolder(), temporaryFolder()];
  const give = () => {
    if (isRoot) for (const folder of [root, state, temporary]) giveAway(folder);
  };
  return {
    state,
    /** After the test wrote something. */
    give,
    ralph: (...args: string[]) =>
      spawnSync(process.execPath, [BIN, ...args], {
        ...user,
        cwd: root,
        env: { ...process.env, RALPH_TRUST: '1', XDG_STATE_HOME: state, HOME: temporary, TMPDIR: temporary },
        encoding: 'utf8',
        // Far above what anything here takes: what is still there then waits for ever.
        timeout: 120_000,
        killSignal: 'SIGKILL',
      }),
  };
}

function giveAway(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) lchownSync(path, NOBODY, NOBODY);
  else if (stat.uid !== NOBODY) chownSync(path, NOBODY, NOBODY);
  if (stat.isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name));
}
