import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BIN } from './cli.ts';
import { temporaryFolder } from './repository.ts';

const NO_ATTEMPT = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NO_ATTEMPT, gid: NO_ATTEMPT } : {};

/** Whether this machine can run the program as a user whom permissions stop. */
export const canBeOrdinary =
  !isRoot || spawnSync(process.execPath, [BIN, '--version'], { ...user, cwd: '/' }).status === 0;

/** Runs ralph as an ordinary user to whom the folder belongs, with a state home of its own. */
export function asOrdinaryUser(root: string) {
  const [state, temporary] = [temporaryFolder(), temporaryFolder()];
  const give = () => {
    if (isRoot) for (const folder of [root, state, temporary]) giveTo(NO_ATTEMPT, folder);
  };
  return {
    state,
    /** Gives the folder to that user, after the test wrote something. */
    give,
    /** Takes the folder back before the test runs git, which refuses to read another user's repository. */
    takeBack: () => {
      if (isRoot) giveTo(0, root);
    },
    ralph: (...args: string[]) =>
      spawnSync(process.execPath, [BIN, ...args], {
        ...user,
        cwd: root,
        env: { ...process.env, RALPH_TRUST: '1', XDG_STATE_HOME: state, HOME: temporary, TMPDIR: temporary },
        encoding: 'utf8',
        // Milliseconds, far more than any command takes: a process that is still running then would wait forever.
        timeout: 120_000,
        killSignal: 'SIGKILL',
      }),
  };
}

function giveTo(uid: number, path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) lchownSync(path, uid, uid);
  else if (stat.uid !== uid) chownSync(path, uid, uid);
  if (stat.isDirectory()) for (const name of readdirSync(path)) giveTo(uid, join(path, name));
}
