import { type BytePath, bytePath } from '../call/git-path.ts';

/** Differences between work tree and index, without the staged column. */
export type Status = {
  readonly head: string | null;
  readonly branch: string | null;
  /** Changed in content, mode or type, unmerged, or intent-to-add. */
  readonly changed: readonly BytePath[];
  readonly deleted: readonly BytePath[];
  readonly untracked: readonly BytePath[];
  /** Untracked folders that are git repositories. */
  readonly repositories: readonly BytePath[];
};

/** Number of fields before the path. */
const ORDINARY_FIELDS = 8;
const UNMERGED_FIELDS = 10;

/** Parses `git status --porcelain=v2 --branch -z --no-renames`. @see git-status(1), "Porcelain Format Version 2" */
export function parseStatus(output: Buffer): Status {
  let head: string | null = null;
  let branch: string | null = null;
  const changed: BytePath[] = [];
  const deleted: BytePath[] = [];
  const untracked: BytePath[] = [];
  const repositories: BytePath[] = [];
  for (const record of output.toString('latin1').split('\0')) {
    switch (record[0]) {
      case '#': {
        const value = record.slice(record.indexOf(' ', 2) + 1);
        if (record.startsWith('# branch.oid ') && value !== '(initial)') head = value;
        if (record.startsWith('# branch.head ') && value !== '(detached)') {
          branch = Buffer.from(value, 'latin1').toString('utf8');
        }
        break;
      }
      case '?': {
        const path = record.slice(2);
        if (path.endsWith('/')) repositories.push(path.slice(0, -1) as BytePath);
        else untracked.push(path as BytePath);
        break;
      }
      case '1': {
        const path = afterFields(record, ORDINARY_FIELDS);
        if (record[3] === 'D') deleted.push(path);
        else if (record[3] !== '.') changed.push(path);
        break;
      }
      case 'u':
        changed.push(afterFields(record, UNMERGED_FIELDS));
        break;
      default:
        break;
    }
  }
  return { head, branch, changed, deleted, untracked, repositories };
}

/** The path is last and may contain spaces. */
function afterFields(record: string, count: number): BytePath {
  let at = 0;
  for (let field = 0; field < count; field += 1) at = record.indexOf(' ', at) + 1;
  return record.slice(at) as BytePath;
}

export function parsePaths(output: Buffer): BytePath[] {
  const paths: BytePath[] = [];
  for (let from = 0; from < output.length; ) {
    const to = output.indexOf(0, from);
    const end = to < 0 ? output.length : to;
    paths.push(bytePath(output.subarray(from, end)));
    from = end + 1;
  }
  return paths;
}
