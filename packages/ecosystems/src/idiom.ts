/** Code that skips a test, or all other tests. Quoted idioms don't match. */
export type Idiom = {
  readonly kind: 'skip_added' | 'focus_added';
  readonly pattern: RegExp;
  /** The idiom is a directive in a comment. */
  readonly comment?: true;
  /** The idiom only selects the runs for a test, so a new test loses nothing. */
  readonly group?: true;
};

export const skips = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'skip_added', pattern }));
export const focuses = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'focus_added', pattern }));

export const directives = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'skip_added', pattern, comment: true }));
/** Returns idioms for groups that are left out by default; `NAME` in a pattern stands for a group's name. */
export const groups = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map(({ source }) => ({
    kind: 'skip_added',
    pattern: new RegExp(source.replace('NAME', ASIDE), 'gim'),
    group: true,
    ...(source.includes('@group') || source.includes('bats') ? { comment: true as const } : {}),
  }));
const ASIDE =
  '(?:skip\\w*|ignored?|disabled?|broken|quarantined?|flaky|unstable|slow\\w*|nightly|weekly|manual|wip|pending|excluded?|known_?(?:failure|issue)s?|expensive|heavy|later)\\b';
