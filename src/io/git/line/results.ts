import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { ResultId } from '../../../domain/ports.ts';
import { objectGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** A verified result as it is kept. */
export type Kept = ResultId & {
  /** `TASK/N`, as refs name it. */
  readonly name: string;
  readonly commit: string;
  /** The line's commit that it was made on. */
  readonly parent: string;
  readonly tree: string;
  /** Seconds since 1970, and the order in which results were kept. */
  readonly date: number;
  readonly order: number;
  /** Full name of the ref that it lands on; `HEAD`: none is checked out. */
  readonly ref: string;
  /** Tasks that it relies on. */
  readonly needs: readonly string[];
  /** Without the trailers. */
  readonly message: string;
};

export type Mark = 'landed' | 'withdrawn' | 'superseded';

/** Where what is verified is kept of one work tree. */
export function refsOf({ gitDir, commonDir }: WorkTree): string {
  return gitDir === commonDir ? 'refs/ralph' : `refs/ralph/worktrees/${encoded(basename(gitDir))}`;
}

/** Longer names are cut: file systems end at 255 bytes. */
const LONGEST = 120;

/** A part of a ref's name, whatever characters are in it; different ones for different texts. */
export function encoded(text: string): string {
  const name = [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9_-]/.test(char) ? char : `=${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (name !== '' && name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST)}=${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** The commits at refs below a folder, by what follows that in their names. */
export async function marksIn(tree: WorkTree, kind: Mark | 'results'): Promise<ReadonlyMap<string, string>> {
  const folder = `${refsOf(tree)}/${kind}/`;
  const listed = await objectGit(tree, ['for-each-ref', '--format=%(objectname) %(refname)', folder]);
  return new Map(
    listed.stdout
      .toString('utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(line.indexOf(' ') + 1 + folder.length), line.slice(0, line.indexOf(' '))]),
  );
}

const TRAILERS = ['Ralph-Task', 'Ralph-Result', 'Ralph-Order', 'Ralph-Onto', 'Ralph-Needs'] as const;

/** The message of a result's commit. */
export function messageOf(
  result: Pick<Kept, 'taskId' | 'name' | 'order' | 'ref' | 'needs'>,
  said: string,
): string {
  return [
    said.trimEnd(),
    '',
    `Ralph-Task: ${result.taskId}`,
    `Ralph-Result: ${result.name}`,
    `Ralph-Order: ${result.order}`,
    `Ralph-Onto: ${result.ref}`,
    ...result.needs.map((id) => `Ralph-Needs: ${id}`),
    '',
  ].join('\n');
}

/** All results that are kept, in the order in which they were verified. */
export async function readResults(tree: WorkTree): Promise<Kept[]> {
  const refs = await marksIn(tree, 'results');
  if (refs.size === 0) return [];
  const shown = ['log', '--no-walk=unsorted', '-z', '--format=%H%x00%P%x00%T%x00%ct%x00%B', '--stdin'];
  const input = `${[...refs.values()].join('\n')}\n`;
  const fields = (await objectGit(tree, shown, { input })).stdout.toString('utf8').split('\0');
  const found: Kept[] = [];
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [commit = '', parent = '', id = '', date = '', body = ''] = fields.slice(at, at + 5);
    const value = (key: (typeof TRAILERS)[number]) =>
      [...body.matchAll(new RegExp(`^${key}: (.*)$`, 'gm'))].map(([, text = '']) => text);
    const [name = ''] = value('Ralph-Result');
    if (refs.get(name) !== commit) continue;
    found.push({
      ...{ name, commit, parent, tree: id, date: Number(date) },
      taskId: value('Ralph-Task')[0] ?? '',
      number: Number(name.slice(name.lastIndexOf('/') + 1)),
      order: Number(value('Ralph-Order')[0] ?? 0),
      ref: value('Ralph-Onto')[0] ?? 'HEAD',
      needs: value('Ralph-Needs'),
      message: body.slice(0, body.lastIndexOf('\nRalph-Task: ')).trimEnd(),
    });
  }
  return found.sort((one, other) => one.order - other.order);
}
