import { join } from 'node:path';
import { gitCall } from '../../../src/git/call/environment.ts';
import type { WorkTree } from '../../../src/git/call/work-tree.ts';
import { openObjects } from '../../../src/git/objects/objects.ts';
import { repositoryFormat } from '../../../src/git/objects/repository-format.ts';
import { openStore } from '../../../src/git/objects/stores.ts';
import { runTestGit, temporaryFolder } from '../repository.ts';

export type TestFormat = 'sha1' | 'sha256';

/** Makes a new repository without a commit, and opens its objects. */
export function makeObjects(format: TestFormat = 'sha1') {
  const root = temporaryFolder();
  runTestGit(root, ['init', '-q', '-b', 'main', '--template=', `--object-format=${format}`]);
  return { ...openTestObjects(root), root };
}

/** Opens the objects of an existing repository as the product does. */
export function openTestObjects(root: string) {
  const tree = testTree(root);
  const listed = runTestGit(root, ['config', '--list']).split('\n');
  const settings = new Map(
    listed.map((line): [string, string] => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ]),
  );
  const format = repositoryFormat(settings);
  return {
    tree,
    format,
    objects: openObjects(
      openStore(tree, format, () => gitCall({ kind: 'objects', tree })),
      tree,
    ),
  };
}

/** Returns a work tree as the product describes one that isn't linked. */
export function testTree(root: string): WorkTree {
  const gitDir = join(root, '.git');
  return { top: root, gitDir, commonDir: gitDir, ownFolder: null, view: null };
}
