import type { Language, LanguageName, LockFile, Packages, TestCode, TestList } from '../protocol.ts';
import { language as c } from './c.ts';
import { language as dart } from './dart.ts';
import { language as dotnet } from './dotnet.ts';
import { language as elixir } from './elixir.ts';
import { language as erlang } from './erlang.ts';
import { language as gherkin } from './gherkin.ts';
import { language as go } from './go.ts';
import { language as haskell } from './haskell.ts';
import { language as java } from './java.ts';
import { language as julia } from './julia.ts';
import { language as lua } from './lua.ts';
import { language as node } from './node.ts';
import { language as perl } from './perl.ts';
import { language as php } from './php.ts';
import { language as python } from './python.ts';
import { language as r } from './r.ts';
import { language as ruby } from './ruby.ts';
import { language as rust } from './rust.ts';
import { language as scala } from './scala.ts';
import { language as shell } from './shell.ts';
import { language as swift } from './swift.ts';
import { language as zig } from './zig.ts';

/** Languages with more than a runner's output known. */
export const LANGUAGES: readonly Language[] = [
  ...[node, python, go, rust, java, dotnet, ruby, php, swift, c, elixir, dart, scala, shell],
  ...[erlang, gherkin, haskell, julia, lua, perl, r, zig],
];

const all = <Value>(of: (language: Language) => readonly Value[] | undefined): readonly Value[] =>
  LANGUAGES.flatMap((language) => of(language) ?? []);

export const TEST_CODE: Readonly<Partial<Record<LanguageName, TestCode>>> = Object.assign(
  {},
  ...LANGUAGES.map(({ code }) => code),
);

export const TEST_LISTS: readonly TestList[] = all(({ lists }) => lists);

/** Sets of programs that do the same job. */
export const EQUIVALENT_CHECKERS: readonly ReadonlySet<string>[] = all(({ checkers }) => checkers).map(
  (words) => new Set(words.split(' ')),
);

export const CHECKERS: readonly string[] = [...new Set(EQUIVALENT_CHECKERS.flatMap((words) => [...words]))];

export const PROGRAMS: ReadonlySet<string> = new Set([
  ...CHECKERS,
  ...all(({ programs }) => programs?.split(' ')),
]);

export const ASKS_FOR_TESTS: readonly RegExp[] = all(({ asksForTests }) => asksForTests);
export const TEST_VARIABLES: readonly string[] = all(({ variables }) => variables);
export const REWRITES_SNAPSHOTS: readonly RegExp[] = all(({ rewritesSnapshots }) =>
  rewritesSnapshots === undefined ? [] : [rewritesSnapshots],
);
export const UNCOVERED = {
  comments: all(({ uncovered }) => (uncovered?.comment === undefined ? [] : [uncovered.comment])),
  code: all(({ uncovered }) => (uncovered?.code === undefined ? [] : [uncovered.code])),
};
export const RECEIVERS: ReadonlySet<string> = new Set(all(({ receivers }) => receivers));
export const TOOL_CACHES: readonly string[] = all(({ caches }) => caches);

const PACKAGES: readonly Packages[] = all(({ packages }) => (packages === undefined ? [] : [packages]));
export const LOCK_FILES: ReadonlyMap<string, LockFile> = new Map(
  PACKAGES.flatMap(({ locks }) => locks.map((lock) => [lock.file, lock])),
);
export const MANIFESTS: readonly RegExp[] = PACKAGES.flatMap(({ manifests }) => manifests ?? []);
export const PACKAGE_HOSTS: Packages['hosts'] = PACKAGES.flatMap(({ hosts }) => hosts);
export const OUTPUTS = {
  folders: all(({ outputs }) => outputs?.folders),
  files: all(({ outputs }) => outputs?.files),
};
