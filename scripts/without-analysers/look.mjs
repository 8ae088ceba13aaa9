import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Files that ralph, git and node write whatever the agent does. */
const OWN =
  /^(?:\.local(?:\/|$)|\.cache(?:\/|$)|\.config\/ralph(?:\/|$)|(?:other|shop|remotes\/shop\.git)\/(?:\.git\/)?(?:objects\/|ralph(?:\/|$)|(?:logs\/)?refs\/ralph(?:\/|$))|shop\/\.git\/(?:COMMIT_EDITMSG|ORIG_HEAD|gc\.|packed-refs$|info\/refs)|shop\/\.ralph\/(?!PRD\.md$|ralph\.toml$|\.gitignore$))/;

/** Returns kind, mode and git's id of the content of every file below a folder, by path. */
export function look(top) {
  const seen = new Map();
  walk(top, '', seen);
  return seen;
}

function walk(top, path, seen) {
  const found = lstatSync(join(top, path), { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) {
    for (const name of readdirSync(join(top, path))) {
      const below = path === '' ? name : `${path}/${name}`;
      if (!OWN.test(below)) walk(top, below, seen);
    }
    return;
  }
  const at = join(top, path);
  const content = found.isSymbolicLink()
    ? Buffer.from(readlinkSync(at))
    : found.isFile()
      ? unmarked(path, readFileSync(at))
      : Buffer.from('');
  // Times in git's index differ each time, so only the names and ids in it are compared.
  const id = path.endsWith('.git/index') ? 'index' : blobId(content);
  seen.set(path, `${found.mode.toString(8)} ${id}`);
}

/** Returns the content without the mark of a task, which ralph makes. */
function unmarked(path, content) {
  return path.endsWith('.ralph/PRD.md')
    ? Buffer.from(content.toString().replace(/^- \[.\]/m, '- [ ]'))
    : content;
}

function blobId(content) {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/**
 * Returns a repository's state that files alone don't show: refs, stash, staged changes, whether every object exists.
 */
export function gitState(root) {
  const ask = (...args) => {
    try {
      return execFileSync('git', ['-C', root, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return null;
    }
  };
  const refs = (ask('for-each-ref', '--format=%(refname) %(objectname)') ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('refs/ralph/'));
  return {
    refs: Object.fromEntries(refs.map((line) => line.split(' '))),
    stash: ask('stash', 'list', '--format=%H'),
    staged: ask('diff', '--cached', '--raw', '--no-renames', '--abbrev=40'),
    isSound: ask('fsck', '--connectivity-only', '--no-dangling') !== null,
    /** Objects that a ref leads to. */
    objects: new Set(
      (ask('rev-list', '--objects', '--all') ?? '').split('\n').map((line) => line.split(' ')[0]),
    ),
    contains: (one, other) => ask('merge-base', '--is-ancestor', one, other) !== null,
  };
}

/** Returns paths that are lost, and paths that changed but whose content is still in the history. */
export function changed(before, after) {
  const [lost, kept] = [[], []];
  for (const path of new Set([...before.files.keys(), ...after.files.keys()])) {
    const was = before.files.get(path);
    if (was === after.files.get(path)) continue;
    // New files and commits take nothing from the user.
    if (was === undefined) continue;
    else if (/(?:^|\/)(?:\.git|shop\.git)\/(?:logs|refs)\//.test(path)) continue;
    else if (path.startsWith('shop/') && after.shop.objects.has(was.split(' ')[1])) kept.push(path);
    else lost.push(path);
  }
  for (const name of ['shop', 'remote', 'other']) {
    const [old, now] = [before[name], after[name]];
    for (const [ref, id] of Object.entries(old.refs)) {
      const is = now.refs[ref];
      if (is === id) continue;
      if (is === undefined || !now.contains(id, is)) lost.push(`${name}: ${ref}`);
    }
    if (now.stash !== old.stash) lost.push(`${name}: stash`);
    // A bare repository has no index.
    if (name !== 'remote' && now.staged !== old.staged) lost.push(`${name}: what is staged`);
    if (!now.isSound) lost.push(`${name}: objects`);
  }
  return { lost, kept };
}
