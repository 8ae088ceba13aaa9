import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBoxedOff } from 'ralph-box';
import { tryOr } from 'ralph-kit/try-or';
import { check, type DoctorFinding, error, info, ok, sizeText, warning } from '../check.ts';
import type { Scene } from '../scene.ts';

/** Bytes of free space below which an attempt may not be recorded. */
const TOO_LITTLE_SPACE = 64 * 1024 * 1024;
/** Bytes of free space below which there is little room for a night's work. */
const LITTLE_SPACE = 1024 * 1024 * 1024;

type FolderFacts = ReturnType<typeof readFolders>;

export const foldersCheck = check({
  gather: readFolders,
  judge: (facts) => {
    if (facts.isBoxedOff)
      return [ok('state.folder', '.ralph is read-only', 'this command runs inside of the box')];
    const findings = [folderFinding(facts)];
    const { stateHome, freeBytes: free } = facts;
    if (stateHome !== null && !stateHome.writable) {
      const fix = 'Make it writable, or point XDG_STATE_HOME to another folder.';
      const title = 'the folder outside of the repository cannot be written';
      findings.push(error('state.home', title, stateHome.path, fix));
    }
    if (free !== null) findings.push(spaceFinding(free));
    return findings;
  },
});

function readFolders({ root, stateHome }: Scene) {
  const dir = join(root, '.ralph');
  const stat = tryOr(undefined, () => statSync(dir, { throwIfNoEntry: false }));
  const folder = stat === undefined ? 'absent' : stat.isDirectory() ? 'folder' : 'no_folder';
  return {
    dir,
    folder,
    isBoxedOff: isBoxedOff(dir),
    writable: isWritable(folder === 'absent' ? root : dir),
    stateHome:
      stateHome === null ? null : { path: stateHome, writable: isWritable(nearestFolder(stateHome)) },
    /** Free bytes for an ordinary user; `null`: the system doesn't report them. */
    freeBytes: tryOr(null, () => freeBytes(root)),
  } as const;
}

function folderFinding({ dir, folder, writable }: FolderFacts): DoctorFinding {
  const id = 'state.folder';
  if (folder === 'no_folder') {
    return error(id, ".ralph isn't a folder", dir, 'Move that file away, then: ralph init');
  }
  if (!writable) {
    const fix = `Give yourself the right to write: chmod u+rwx '${dir}', or mount it writable.`;
    return error(id, '.ralph cannot be written', dir, fix);
  }
  return folder === 'absent' ? info(id, 'no .ralph yet', dir, 'ralph init') : ok(id, '.ralph can be written');
}

function spaceFinding(free: number): DoctorFinding {
  const id = 'state.space';
  const title = `${sizeText(free)} free`;
  const fix = 'Make room on this disk. ralph work clean removes what agents made in their copies.';
  if (free < TOO_LITTLE_SPACE) return error(id, title, 'an attempt could not be recorded', fix);
  if (free < LITTLE_SPACE) return warning(id, title, 'little for outputs and checkpoints', fix);
  return ok(id, title);
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function isWritable(path: string): boolean {
  return tryOr(false, () => {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  });
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
