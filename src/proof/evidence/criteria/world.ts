import { nameOf } from 'ralph-kit/paths';
import type { CriterionStatus, FileFact } from '../../../domain/claim.ts';

export type CriteriaWorld = {
  /** Whether each path that a criterion names exists, whether git ignores it, and its number of lines. */
  readonly facts: readonly FileFact[];
  readonly paths: readonly string[];
  /** Returns the text of a file, or `null` if it can't be read. */
  readonly read: (path: string) => string | null;
};

export type CriterionResult = { readonly standing: CriterionStatus; readonly why: string };

export const shownResult = (why: string): CriterionResult => ({ standing: 'shown', why });
export const contradicted = (why: string): CriterionResult => ({ standing: 'contradicted', why });
export const notChecked = (why: string): CriterionResult => ({ standing: 'not_checked', why });

type Place =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  /** The path may mean another file. */
  | { readonly kind: 'unclear'; readonly why: string };

/** Returns the file that a path in a criterion means: itself, or the only one that it may abbreviate. */
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

function stemOf(path: string): string {
  return nameOf(path)
    .replace(/(?<=.)\..*$/, '')
    .toLowerCase();
}

function withoutEnding(path: string): string {
  return path.replace(/(?<=[^/])\.[^/.]+$/, '');
}
