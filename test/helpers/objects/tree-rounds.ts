import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { type BytePath, bytePath, pathBytes } from '../../../src/git/call/git-path.ts';
import { parseIndexFile } from '../../../src/git/objects/index-file.ts';
import type { TreeEntry } from '../../../src/git/objects/tree-entries.ts';
import type { TreeEdit } from '../../../src/git/objects/trees.ts';
import { parseDiff } from '../../../src/git/read/parse-diff.ts';
import { randomNumbers } from '../random-tree.ts';
import { makeObjects, type TestFormat } from './open-test-objects.ts';

const MODES = ['100644', '100644', '100755', '120000', '160000'];
/**
 * Names that are neighbours in git's order, where a file and a folder of one name sort differently, and names with any
 * bytes.
 */
const NAMES = [
  'a',
  'a-b',
  'a.txt',
  'a0',
  'A',
  'b',
  'b b',
  'ü',
  '\u00ff'.repeat(3),
  'new\nline',
  '\x01\x7f',
  '"q"',
  '.gitx',
  'c',
].map((name) => bytePath(Buffer.from(name, /[ü]/.test(name) ? 'utf8' : 'latin1')));

/**
 * Makes random trees and edits, each by git's own index and by the product's code, and compares ids, lists of files and
 * differences.
 * @param rounds Number of trees, each made by an edit of the one before.
 * @returns a line for each difference
 */
export async function treeRounds(seed: number, rounds: number, format: TestFormat): Promise<string[]> {
  const { objects, root } = makeObjects(format);
  const random = randomNumbers(seed);
  const below = (most: number) => Math.floor(random() * most);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const index = join(root, '.git', 'test-index');
  const git = (args: readonly string[], input: Buffer | string = ''): Buffer => {
    const env = { ...process.env, GIT_INDEX_FILE: index };
    const run = spawnSync('git', args, { cwd: root, env, input, maxBuffer: 2 ** 28 });
    if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr}`);
    return run.stdout;
  };
  const blobs = ['one\n', 'two\n', ''].map((text) =>
    git(['hash-object', '-w', '--stdin'], text).toString('utf8').trim(),
  );
  const somePath = () => Array.from({ length: 1 + below(4) }, () => pick(NAMES)).join('/') as BytePath;
  const someEntry = (): TreeEntry => ({ mode: pick(MODES), oid: pick(blobs) });

  const found: string[] = [];
  let old: string | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const where = `seed ${seed}, round ${round}, ${format}`;
    if (below(20) === 0) {
      git(['read-tree', '--empty']);
      old = null;
    }
    const edits = someEdits(old === null ? [] : await objects.files(old));
    // Removals come first, so that git doesn't remove what the same edit has put below a removed path.
    const lines = [...edits]
      .sort(([, one], [, other]) => Number(other === null) - Number(one === null))
      .map(([path, edit]) => {
        const { mode, oid } = edit === null || edit === 'all' ? { mode: '0', oid: blobs[0] } : edit;
        return Buffer.concat([Buffer.from(`${mode} ${oid}\t`), pathBytes(path), Buffer.of(0)]);
      });
    git(['update-index', '-z', '--replace', '--index-info'], Buffer.concat(lines));
    const wanted = git(['write-tree', '--missing-ok']).toString('utf8').trim();
    const made = await objects.edit(old, edits);
    if (made !== wanted) found.push(`${where}: tree ${made}, git ${wanted}`);

    const staged = git(['ls-files', '--stage', '-z']).toString('latin1');
    const files = await objects.files(made);
    const listed = files.map(({ mode, oid, path }) => `${mode} ${oid} 0\t${path}\0`).join('');
    if (listed !== staged) found.push(`${where}: files differ`);
    const entries = parseIndexFile(readFileBytes(index), made.length);
    const read = entries?.map(({ mode, oid, stage, path }) => `${mode} ${oid} ${stage}\t${path}\0`).join('');
    if (read !== staged) found.push(`${where}: index differs`);

    const from = old ?? (await objects.edit(null, new Map()));
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, made];
    const differs = JSON.stringify(parseDiff(git(args)).raw);
    if (JSON.stringify(await objects.diff(from, made)) !== differs) found.push(`${where}: diff differs`);
    old = made;
  }
  const fsck = spawnSync('git', ['fsck', '--strict', '--no-dangling'], { cwd: root, encoding: 'utf8' });
  // A submodule's commit and the targets of links needn't exist; any other report of git is a fault.
  const faults = `${fsck.stdout}${fsck.stderr}`
    .split('\n')
    .filter((line) => /^error|bad|corrupt/i.test(line));
  found.push(...faults.map((line) => `seed ${seed}, ${format}: fsck: ${line}`));
  objects.end();
  return found;

  /** Returns random edits that don't contradict one another: none lies below a path that becomes a file. */
  function someEdits(files: readonly { readonly path: BytePath }[]): ReadonlyMap<BytePath, TreeEdit> {
    const edits = new Map<BytePath, TreeEdit>();
    for (let left = 1 + below(8); left > 0; left -= 1) {
      const takes = files.length > 0 && below(3) === 0;
      const path = takes ? pick(files).path : somePath();
      const clashes = [...edits.keys()].some(
        (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
      );
      if (!clashes) edits.set(path, takes ? null : someEntry());
    }
    return edits;
  }
}
