/** What keeps a test from running, or all others, as it stands in code: quoted idioms don't match. */
export type Idiom = {
  readonly kind: 'skip_added' | 'focus_added';
  readonly pattern: RegExp;
  /** It's a directive in a comment. */
  readonly comment?: true;
  /** It only says in which runs a test has a part: of a new test it's no loss. */
  readonly group?: true;
};

export const skips = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'skip_added', pattern }));
export const focuses = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'focus_added', pattern }));

export const directives = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map((pattern) => ({ kind: 'skip_added', pattern, comment: true }));
/** Groups that the usual run leaves out; `NAME` in a pattern stands for one of them. */
export const groups = (...patterns: readonly RegExp[]): readonly Idiom[] =>
  patterns.map(({ source }) => ({
    kind: 'skip_added',
    pattern: new RegExp(source.replace('NAME', ASIDE), 'gim'),
    group: true,
    ...(source.includes('@group') || source.includes('bats') ? { comment: true as const } : {}),
  }));
const ASIDE =
  '(?:skip\\w*|ignored?|disabled?|broken|quarantined?|flaky|unstable|slow\\w*|nightly|weekly|manual|wip|pending|excluded?|known_?(?:failure|issue)s?|expensive|heavy|later)\\b';
