import type { Idiom } from '../idiom.ts';
import type { LanguageName, Syntax } from './syntax.ts';

/** How the tools of a language name their files, as patterns of paths. */
export type FileNames = {
  /** Files that its runners find tests in by these names alone, whatever is usual elsewhere. */
  readonly only?: RegExp;
  /** Files of tests that are no code. */
  readonly data?: RegExp;
  /** A runner finds tests in them. */
  readonly tests?: RegExp;
  /** They are loaded before or around tests: set-up, fixtures of a runner. */
  readonly support?: RegExp;
  /** Settings of tests, linters, types, builds. */
  readonly settings?: RegExp;
  /** Steps of a build or of hooks. */
  readonly recipes?: RegExp;
};

/** A file that says which versions of packages are installed. */
export type LockFile = {
  readonly file: string;
  /** The manifest that it belongs to. */
  readonly of?: string;
  /** The command that installs what it names, and the one that makes it anew from its manifest and keeps its versions; by its text. */
  readonly install?: (text: string) => string;
  readonly anew?: (text: string) => string;
  /** Its tool fetches what is missing by itself. */
  readonly fetches?: true;
};

/** What a project's packages are, and where they come from. */
export type Packages = {
  /** Names of files that ask for packages; `null`: none but settings. */
  readonly manifests: RegExp | null;
  readonly locks: readonly LockFile[];
  /** Hosts that its tools fetch from, by the files that say so. */
  readonly hosts: readonly (readonly [files: readonly string[], hosts: readonly string[]])[];
};

/** How tests look in the code of a language. */
export type TestCode = {
  /** How a test begins; the first group that isn't empty is its name. Suites aren't tests. */
  readonly headers: readonly RegExp[];
  /** What keeps a test from running, or all others. */
  readonly idioms: readonly Idiom[];
  /** What rewrites the outcome of a run, in code that runs around tests. */
  readonly rewritesOutcome?: RegExp;
  /** Production code that has whatever loads it end with 0, a runner as well. */
  readonly endsWell?: RegExp;
};

/** Its code: the endings of its files, one behind the other, what in them isn't code, and how tests look. */
export type Code = Syntax & TestCode & { readonly endings: string };

/** Settings that say which tests there are. */
export type TestList = {
  readonly files: RegExp;
  /** Names a test, in its first group: one that is named no more doesn't run. */
  readonly names?: RegExp;
  /** What leaves tests out. */
  readonly idioms: readonly Idiom[];
};

/** What is known of a language and its tools, apart from each runner (`runner.ts`) and from finding a project (`project.ts`). */
export type Language = {
  readonly files?: FileNames;
  readonly packages?: Packages;
  readonly code?: Readonly<Partial<Record<LanguageName, Code>>>;
  readonly lists?: readonly TestList[];
  /** Programs that check something, by their words in a command; those of one string do the same job. */
  readonly checkers?: readonly string[];
  /** Other programs that work on it calls, whatever the task. */
  readonly programs?: string;
  /** Variables that its runners set, as patterns: code that asks for one asks whether it is under test. */
  readonly variables?: readonly string[];
  /** How its code asks whether it is under test. */
  readonly asksForTests?: readonly RegExp[];
  /** Has snapshots written anew instead of compared, in a command. */
  readonly rewritesSnapshots?: RegExp;
  /** How code is left out of the coverage. */
  readonly uncovered?: { readonly comment?: RegExp; readonly code?: RegExp };
  /** Words in front of a check that demand nothing. */
  readonly receivers?: readonly string[];
  /** Folders that its tools fill and a project ignores; files that they leave beside others, as patterns. */
  readonly outputs?: { readonly folders?: readonly string[]; readonly files?: readonly string[] };
  /** Folders in which its tools keep what they could make again, and rename it. */
  readonly caches?: readonly string[];
};
