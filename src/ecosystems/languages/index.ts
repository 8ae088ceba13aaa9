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
import type { Language, LockFile, Packages, TestCode, TestList } from './language.ts';
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
import type { LanguageName } from './syntax.ts';
import { language as zig } from './zig.ts';

/** Every language of which more is known than how its runners print. */
export const LANGUAGES: readonly Language[] = [
  ...[node, python, go, rust, java, dotnet, ruby, php, swift, c, elixir, dart, scala, shell],
  ...[erlang, gherkin, haskell, julia, lua, perl, r, zig],
];

const all = <Value>(of: (language: Language) => readonly Value[] | undefined): readonly Value[] =>
  LANGUAGES.flatMap((language) => of(language) ?? []);

/** How tests look, by the language of the code. */
export const TEST_CODE: Readonly<Partial<Record<LanguageName, TestCode>>> = Object.assign(
  {},
  ...LANGUAGES.map(({ code }) => code),
);

export const TEST_LISTS: readonly TestList[] = all(({ lists }) => lists);

/** Sets of programs that do the same job. */
export const ALIKE: readonly ReadonlySet<string>[] = all(({ checkers }) => checkers).map(
  (words) => new Set(words.split(' ')),
);

/** Programs that check something. */
export const CHECKERS: readonly string[] = [...new Set(ALIKE.flatMap((words) => [...words]))];

/** Programs that work on a project calls, whatever the task. */
export const PROGRAMS: ReadonlySet<string> = new Set([
  ...CHECKERS,
  ...all(({ programs }) => programs?.split(' ')),
]);

/** How production code asks whether it is under test, in words of a tool. */
export const ASKS_FOR_TESTS: readonly RegExp[] = all(({ asksForTests }) => asksForTests);
/** Names of variables that are set while tests run, as patterns. */
export const TEST_VARIABLES: readonly string[] = all(({ variables }) => variables);
export const REWRITES_SNAPSHOTS: readonly RegExp[] = all(({ rewritesSnapshots }) =>
  rewritesSnapshots === undefined ? [] : [rewritesSnapshots],
);
/** How code is left out of the coverage. */
export const UNCOVERED = {
  comments: all(({ uncovered }) => (uncovered?.comment === undefined ? [] : [uncovered.comment])),
  code: all(({ uncovered }) => (uncovered?.code === undefined ? [] : [uncovered.code])),
};
/** Words in front of a check that demand nothing, of all languages. */
export const RECEIVERS: ReadonlySet<string> = new Set(all(({ receivers }) => receivers));
/** Folders in which tools keep what they could make again. */
export const TOOL_CACHES: readonly string[] = all(({ caches }) => caches);

const PACKAGES: readonly Packages[] = all(({ packages }) => (packages === undefined ? [] : [packages]));
/** Lock files by their names. */
export const LOCK_FILES: ReadonlyMap<string, LockFile> = new Map(
  PACKAGES.flatMap(({ locks }) => locks.map((lock) => [lock.file, lock])),
);
/** Names of files that ask for packages. */
export const MANIFESTS: readonly RegExp[] = PACKAGES.flatMap(({ manifests }) => manifests ?? []);
/** Hosts that tools fetch packages from, by the files that say so. */
export const PACKAGE_HOSTS: Packages['hosts'] = PACKAGES.flatMap(({ hosts }) => hosts);
/** What tools fill or leave beside others. */
export const OUTPUTS = {
  folders: all(({ outputs }) => outputs?.folders),
  files: all(({ outputs }) => outputs?.files),
};
