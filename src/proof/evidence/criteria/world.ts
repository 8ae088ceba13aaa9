import type { CriterionStatus, FileFact } from '../../../domain/claim.ts';
import { nameOf } from '../../../lib/paths.ts';

/** What the criteria are compared with. */
export type CriteriaWorld = {
  /** Of `pathsOfCriteria`. */
  readonly facts: readonly FileFact[];
  /** All files of the tree. */
  readonly paths: readonly string[];
  /** The text of a file; `null`: it can't be had. */
  readonly read: (path: string) => string | null;
};

/** How one statement of a criterion stands. */
export type Seen = { readonly standing: CriterionStatus; readonly why: string };

export const shown = (why: string): Seen => ({ standing: 'shown', why });
export const contradicted = (why: string): Seen => ({ standing: 'contradicted', why });
export const notChecked = (why: string): Seen => ({ standing: 'not_checked', why });

type Place =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  /** It may be another one. */
  | { readonly kind: 'unclear'; readonly why: string };

/** The file that a path in a criterion stands for: the very one, or the only one that it can be short for. */
export function locate(path: string, { paths, facts }: CriteriaWorld): Place {
  if (paths.includes(path)) return { kind: 'found', path };
  const fact = facts.find((one) => one.path === path);
  if (fact === undefined || fact.ignored || fact.exists)
    return { kind: 'unclear', why: `${path} is not a file that git has` };
  const stem = stemOf(path);
  const typed = paths.filter((one) => /\.[cm]?jsx?$/.test(path) && one === path.replace(/js(x?)$/, 'ts$1'));
  const longer = paths.filter((one) => one.endsWith(`/${path}`));
  const ending = nameOf(path).includes('.') ? [] : paths.filter((one) => withoutEnding(one) === path);
  const [only, ...more] = [...new Set([...typed, ...longer, ...ending])];
  if (only !== undefined && more.length === 0) return { kind: 'found', path: only };
  const like =
    only ??
    paths.find((one) => stemOf(one) === stem || one.includes(`/${stem}/`) || one.startsWith(`${stem}/`));
  return like === undefined
    ? { kind: 'missing' }
    : { kind: 'unclear', why: `${path} is not there, and ${like} may be meant` };
}

/** The name without folders and ending. */
function stemOf(path: string): string {
  return nameOf(path)
    .replace(/(?<=.)\..*$/, '')
    .toLowerCase();
}

function withoutEnding(path: string): string {
  return path.replace(/(?<=[^/])\.[^/.]+$/, '');
}
