import { GitError } from '../../domain/ports.ts';

export type Commit = {
  readonly id: string;
  readonly tree: string;
  /** Ids of the parents; a shallow clone may lack these commits. */
  readonly parents: readonly string[];
  /** Author: name, address, seconds since 1970 and time zone, one character per byte. */
  readonly author: string;
  readonly committer: string;
  /** Time of the commit in seconds since 1970. */
  readonly date: number;
  /** Whole message; `null` when it isn't UTF-8. */
  readonly message: string | null;
};

export type NewCommit = Pick<Commit, 'tree' | 'parents' | 'author' | 'committer'> & {
  /** Message that is stored unchanged: no line end is added. */
  readonly message: string;
};

/** Parses a commit object. @throws GitError when it has no tree. */
export function parseCommit(id: string, content: Buffer): Commit {
  const blank = content.indexOf('\n\n');
  const head = content.toString('latin1', 0, blank < 0 ? content.length : blank).split('\n');
  // Signature lines begin with a space, headers never do.
  const all = (key: string) =>
    head.flatMap((line) => (line.startsWith(`${key} `) ? [line.slice(key.length + 1)] : []));
  const [tree] = all('tree');
  if (tree === undefined) throw new GitError(`commit ${id} is damaged`);
  const [committer = ''] = all('committer');
  const [encoding = 'utf-8'] = all('encoding');
  const body = content.subarray(blank < 0 ? content.length : blank + 2);
  return {
    id,
    tree,
    parents: all('parent'),
    author: all('author')[0] ?? '',
    committer,
    date: Number(/> (\d+) [+-]\d+$/.exec(committer)?.[1] ?? 0),
    message: /^utf-?8$/i.test(encoding) ? body.toString('utf8') : null,
  };
}

export function encodeCommit({ tree, parents, author, committer, message }: NewCommit): Buffer {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author}`,
    `committer ${committer}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n\n`, 'latin1'), Buffer.from(message)]);
}
