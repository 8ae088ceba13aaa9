import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runTestGit } from './repository.ts';

/** Mode and blob id of every file and symlink below a folder, by path with one character per byte; git's own not. */
export function contentsOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (folder: Buffer, inside: string) => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const path = `${inside}${name.toString('latin1')}`;
      const file = Buffer.concat([folder, Buffer.from('/'), name]);
      const stats = lstatSync(file);
      if (stats.isDirectory()) {
        if (path !== '.git' && !path.endsWith('/.git') && path !== '.ralph') walk(file, `${path}/`);
      } else if (stats.isSymbolicLink()) {
        found.set(path, `120000 ${blobId(readlinkSync(file, { encoding: 'buffer' }))}`);
      } else if (stats.isFile()) {
        found.set(path, `${(stats.mode & 0o100) === 0 ? '100644' : '100755'} ${blobId(readFileSync(file))}`);
      }
    }
  };
  walk(Buffer.from(root), '');
  return found;
}

function blobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Paths whose content of before is neither in the work tree now nor kept by a checkpoint. */
export function lostBytes(root: string, before: ReadonlyMap<string, string>): string[] {
  const idOf = (entry: string) => entry.slice(entry.indexOf(' ') + 1);
  const there = new Set([...contentsOf(root).values()].map(idOf));
  const missing = [...before].filter(([, entry]) => !there.has(idOf(entry)));
  if (missing.length === 0) return [];
  const kept = new Set(keptObjects(runTestGit(root, ['rev-parse', '--absolute-git-dir'])));
  return missing.filter(([, entry]) => !kept.has(idOf(entry))).map(([path]) => path);
}

/** Everything that the checkpoints of a repository refer to. */
function keptObjects(gitDir: string): string[] {
  const args = ['--git-dir', gitDir, 'rev-list', '--objects', '--no-object-names'];
  const run = spawnSync('git', [...args, '--ignore-missing', '--glob=refs/ralph/checkpoints/*', '--'], {
    maxBuffer: 2 ** 28,
  });
  return run.stdout.toString('utf8').split('\n');
}

/** What belongs to the user alone: HEAD, branches, stash, index. */
export function personsState(root: string): Record<string, string> {
  const gitDir = runTestGit(root, ['rev-parse', '--absolute-git-dir']);
  const textOf = (name: string) =>
    existsSync(join(gitDir, name)) ? readFileSync(join(gitDir, name)).toString('base64') : '';
  return {
    head: textOf('HEAD'),
    refs: runTestGit(root, ['for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash', 'refs/remotes']),
    index: textOf('index'),
    stash: textOf('logs/refs/stash'),
  };
}
