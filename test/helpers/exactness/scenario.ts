import { lstatSync, utimesSync } from 'node:fs';
import { makeRepository, repositoryAt, type TestRepository } from '../repository.ts';

/** Something that an agent may do to a work tree, and the change set that it has to give. */
export type Scenario = {
  readonly id: string;
  readonly name: string;
  /** Files that are committed at the start; `null`: no commit yet. */
  readonly files?: Readonly<Record<string, string>> | null;
  /** Called before the first snapshot. */
  readonly before?: (repo: TestRepository) => void;
  /** Returns the work tree to check, if that isn't the repository's own. */
  readonly place?: (repo: TestRepository) => TestRepository;
  /** Acts as the agent. */
  readonly act: (repo: TestRepository) => void;
  /** `kind path` of each expected change, or the number of added files. */
  readonly changes: readonly string[] | { readonly added: number };
  readonly commits?: number;
  /** Set where git itself, reading from nothing, would see something else. */
  readonly coldDiffers?: true;
  /** Set where the first snapshot is also compared with one that is read from nothing. */
  readonly checkFirst?: true;
  /** Set where the scenario takes seconds, so only the torture run plays it. */
  readonly heavy?: true;
};

export const START = {
  'a.txt': 'one\n',
  'b.txt': 'two\n',
  'dir/c.txt': 'three\n',
  '.gitignore': 'ignored/\n*.log\n',
};

/** Edits a file so that size and modification time stay equal. */
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

/** Runs a git command that may end with a failure, such as a merge with conflicts. */
export function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // The failure is wanted.
  }
}
