import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns a function for random numbers from 0 to below 1 that depend on the seed alone (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FOLDERS = ['', 'src/', 'src/deep/er/', 'docs/', 'ignored/', 'with space/', 'ünï/'];
const NAMES = ['a', 'b.txt', 'c.log', 'new\nline', '"q"', '-dash', ':colon', 'Z'];

/** Content of `.gitignore` before the first step, so that some of the files are ignored. */
export const RANDOM_IGNORES = 'ignored/\n*.log\n';

/**
 * Makes random changes in a work tree, file by file and through git. Each call is one step and returns its name; the
 * same seed gives the same steps as long as the tree starts the same. `.gitignore` stays as it is.
 */
export function randomTree(root: string, seed: number): () => string {
  const random = randomNumbers(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, stdio: 'ignore' });
  const someName = () => `${pick(FOLDERS)}${pick(NAMES)}`;
  const content = () => `${Math.floor(random() * 1e6)}\n`.repeat(1 + Math.floor(random() * 4));
  const existing = () => filesIn(root, '');
  const write = (name: string, text: string) => {
    clearWay(root, name);
    writeFileSync(join(root, name), text);
  };
  const onExisting = (change: (path: string, name: string) => void) => () => {
    const names = existing();
    if (names.length > 0) {
      const name = pick(names);
      change(join(root, name), name);
    }
  };
  const isFile = (path: string) => lstatSync(path).isFile();

  const steps: Record<string, () => void> = {
    'write a file': () => write(someName(), content()),
    'write another file': () => write(someName(), content()),
    'edit a file': onExisting((path) => isFile(path) && writeFileSync(path, content())),
    'edit within the same size and time': onExisting((path) => {
      if (!isFile(path)) return;
      const { atime, mtime } = lstatSync(path);
      const bytes = readFileSync(path);
      if (bytes.length > 0) bytes[0] = 0x61 + Math.floor(random() * 26);
      writeFileSync(path, bytes);
      utimesSync(path, atime, mtime);
    }),
    'write the same bytes': onExisting((path) => isFile(path) && writeFileSync(path, readFileSync(path))),
    chmod: onExisting((path) => isFile(path) && chmodSync(path, random() < 0.5 ? 0o755 : 0o644)),
    touch: onExisting((path) => isFile(path) && utimesSync(path, 1e9 * random(), 1e9 * random())),
    delete: onExisting((path) => rmSync(path)),
    'file to symlink': onExisting((path) => {
      rmSync(path);
      symlinkSync(pick(NAMES), path);
    }),
    rename: onExisting((path) => {
      const to = someName();
      clearWay(root, to);
      // Clearing the way may have removed the file itself, or replaced it by a folder.
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
        renameSync(path, join(root, to));
    }),
    'folder to symlink': () => {
      rmSync(join(root, 'docs'), { recursive: true, force: true });
      symlinkSync('src', join(root, 'docs'));
    },
    'folder to file': () => {
      rmSync(join(root, 'src/deep'), { recursive: true, force: true });
      if (lstatSync(join(root, 'src'), { throwIfNoEntry: false })?.isDirectory())
        write('src/deep', content());
    },
    'git add': () => git('add', '-A'),
    'git commit': () => {
      git('add', '-A');
      git('commit', '-q', '-m', 'random');
    },
    'git reset': () => git('reset', '-q', '--hard', 'HEAD~1'),
    'git stash': () => git('stash', '-q'),
    'git stash pop': () => git('stash', 'pop', '-q'),
    'git rm --cached': onExisting((_, name) => git('rm', '-q', '--cached', '--', `:(literal)${name}`)),
    'git checkout': () => git('checkout', '-q', '--', '.'),
    'assume unchanged': onExisting((_, name) => git('update-index', '--assume-unchanged', '--', name)),
    'skip worktree': onExisting((_, name) => git('update-index', '--skip-worktree', '--', name)),
  };
  const names = Object.keys(steps);
  return () => {
    const name = pick(names);
    steps[name]?.();
    return name;
  };
}

/** Removes what blocks the path of a file or of one of its folders, and makes the folders. */
function clearWay(root: string, name: string): void {
  const parts = name.split('/');
  for (let count = 1; count <= parts.length; count += 1) {
    const path = join(root, ...parts.slice(0, count));
    const found = lstatSync(path, { throwIfNoEntry: false });
    const isLast = count === parts.length;
    if (found !== undefined && (isLast || !found.isDirectory())) rmSync(path, { recursive: true });
  }
  mkdirSync(dirname(join(root, name)), { recursive: true });
}

/** Returns every file and symlink below a folder, in a fixed order. */
function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !['.git', '.gitignore', '.ralph'].includes(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(root, `${folder}${entry.name}/`) : [`${folder}${entry.name}`],
    );
}
