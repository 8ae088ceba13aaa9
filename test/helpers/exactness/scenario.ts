import { lstatSync, utimesSync } from 'node:fs';
import { makeRepository, repositoryAt, type TestRepository } from '../repository.ts';

/** One thing an agent may do to a work tree, and what the change set has to say about it. */
export type Scenario = {
  readonly id: string;
  readonly name: string;
  /** What is committed at the start; `null`: no commit yet. */
  readonly files?: Readonly<Record<string, string>> | null;
  /** Done before the first snapshot. */
  readonly before?: (repo: TestRepository) => void;
  /** The work tree to look at, where it is another one than the repository's own. */
  readonly place?: (repo: TestRepository) => TestRepository;
  /** What the agent does. */
  readonly act: (repo: TestRepository) => void;
  /** `kind path` of each change, or how many files were added. */
  readonly changes: readonly string[] | { readonly added: number };
  readonly commits?: number;
  /** Git itself, reading from nothing, would see something else. */
  readonly coldDiffers?: true;
  /** The first snapshot is to be compared with one read from nothing, too. */
  readonly checkFirst?: true;
  /** Takes seconds: for the torture run alone. */
  readonly heavy?: true;
};

export const START = {
  'a.txt': 'one\n',
  'b.txt': 'two\n',
  'dir/c.txt': 'three\n',
  '.gitignore': 'ignored/\n*.log\n',
};

/** Same size, modification time put back. */
export function sneakyEdit(repo: TestRepository, name: string, content: string): void {
  const { atime, mtime } = lstatSync(repo.path(name));
  repo.write(name, content);
  utimesSync(repo.path(name), atime, mtime);
}

export function nested(
  repo: TestRepository,
  name: string,
  files: Record<string, string>,
  commit: boolean,
): void {
  repo.write(`${name}/.keep`, '');
  repo.remove(`${name}/.keep`);
  const inner = repositoryAt(repo.path(name));
  inner.git('init', '-q');
  for (const [path, content] of Object.entries(files)) inner.write(path, content);
  if (commit) inner.commitAll('inner');
}

export function withSubmodule(repo: TestRepository): void {
  const origin = makeRepository({ 'inner.txt': 'inner\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.root, 'sub');
  repo.commitAll('submodule');
}

/** For what git does and ends with a failure, such as a merge with conflicts. */
export function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // That it fails is the point.
  }
}
