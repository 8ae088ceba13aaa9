import type { Idiom } from '../idiom.ts';
import type { LanguageName, Syntax } from './syntax.ts';

/** Patterns of paths, by what the language's tools do with the files. */
export type FileNames = {
  /** The runners collect only files of these names, whatever is usual elsewhere. */
  readonly only?: RegExp;
  /** Names of files that tests read and that hold no code. */
  readonly data?: RegExp;
  readonly tests?: RegExp;
  /** Files loaded before or around tests: set-up, fixtures of a runner. */
  readonly support?: RegExp;
  readonly settings?: RegExp;
  /** Names of files with steps of a build or of git hooks. */
  readonly recipes?: RegExp;
};

export type LockFile = {
  readonly file: string;
  /** Name of the manifest that the lock file belongs to. */
  readonly of?: string;
  /** Returns the command that installs the locked versions. @param text The lock file's text. */
  readonly install?: (text: string) => string;
  /** Returns the command that rewrites the lock file from its manifest and keeps versions. */
  readonly anew?: (text: string) => string;
  /** The tool fetches missing packages automatically. */
  readonly fetches?: true;
};

export type Packages = {
  /** Files that request packages; `null`: no such files are known, only settings. */
  readonly manifests: RegExp | null;
  readonly locks: readonly LockFile[];
  /** Hosts of packages, with the files that require them. */
  readonly hosts: readonly (readonly [files: readonly string[], hosts: readonly string[]])[];
};

export type TestCode = {
  /** Matches the beginning of a test; the first group that isn't empty is its name. Suites aren't tests. */
  readonly headers: readonly RegExp[];
  /** Idioms that skip a test, or all other tests. */
  readonly idioms: readonly Idiom[];
  /** Rewrites the result of a run, in code that runs around tests. */
  readonly rewritesOutcome?: RegExp;
  /** Production code that makes any process that loads it exit with 0, including a runner. */
  readonly endsWell?: RegExp;
};

/** `endings`: file endings, separated by spaces. */
export type Code = Syntax & TestCode & { readonly endings: string };

/** Files whose settings list the tests that run. */
export type TestList = {
  readonly files: RegExp;
  /** The first group names a test; a test that is no longer named doesn't run. */
  readonly names?: RegExp;
  /** Idioms of the language by which tests are left out of a run. */
  readonly idioms: readonly Idiom[];
};

/** Facts about a language and its tools, except runners (`runner.ts`) and finding a project (`project.ts`). */
export type Language = {
  readonly files?: FileNames;
  readonly packages?: Packages;
  readonly code?: Readonly<Partial<Record<LanguageName, Code>>>;
  readonly lists?: readonly TestList[];
  /** Words that start checkers in a command; those in one string do the same job. */
  readonly checkers?: readonly string[];
  readonly programs?: string;
  /** Patterns of variables that its runners set: code that reads one detects tests. */
  readonly variables?: readonly string[];
  readonly asksForTests?: readonly RegExp[];
  /** Matches a command that rewrites snapshots instead of comparing them. */
  readonly rewritesSnapshots?: RegExp;
  readonly uncovered?: { readonly comment?: RegExp; readonly code?: RegExp };
  /** Words before an assertion that check nothing. */
  readonly receivers?: readonly string[];
  /** Ignored folders that tools fill, and patterns of files that tools leave elsewhere. */
  readonly outputs?: { readonly folders?: readonly string[]; readonly files?: readonly string[] };
  /** Folders of data that tools can make again. Tools rename files in them. */
  readonly caches?: readonly string[];
};
