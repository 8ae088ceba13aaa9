/**
 * The four protocols that ralph knows the tools of others by: `Runner`, its `CanaryWriter`, `Project` and `Language`. Every implementation
 * is a value in a file of its own, listed in `runners.ts`, `projects.ts` or `languages/index.ts`, and passes `conformance.test.ts`.
 * All functions are pure and throw nothing, whatever they are given.
 */
import type { Idiom } from './idiom.ts';

export type TestCounts = {
  /** Number of tests that ran: all except skipped ones. */
  readonly run: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
};

/** Results that a runner printed. Missing facts are absent or `null`, never zero. */
export type Reading = {
  /** Counts of tests; `null`: failing tests are named, but not counted. */
  readonly tests: TestCounts | null;
  readonly failing: readonly string[];
  /** Every passing test, if all are named. */
  readonly passing?: readonly string[] | undefined;
  /** The output says in words that no test ran; zero counts don't need this (`ranNone`). */
  readonly none?: boolean;
  /** Files that couldn't be loaded or compiled, as printed; empty: some exist, but aren't named. */
  readonly notLoaded?: readonly string[];
  /** The output says that a focus left tests out. */
  readonly focused?: boolean;
  /** Places of failures as `file:line`, relative to the runner's folder. */
  readonly places?: readonly { readonly test: string; readonly place: string }[];
  /** Indexes of the lines that hold the counts. Runners with similar formats must not read them again. */
  readonly at?: readonly number[];
};

/**
 * Returns a runner's results; `null`: the output isn't this runner's.
 * @param lines Standard output and error, without terminal escapes.
 * @param whole The lines are complete; else they are only the end.
 */
export type Reader = (lines: readonly string[], whole: boolean) => Reading | null;

/**
 * A program that runs tests. Its file has everything known about it, and one line of `runners.ts` registers it, at the place where it is
 * recognised: each runner reads the lines that those before it left.
 */
export type Runner = {
  /** Usual name in lower case, as in `[gates] parses`. */
  readonly name: string;
  /** The name has no other meaning, so code and prose that contain it are about this runner. */
  readonly isDistinct?: true;
  readonly read: Reader;
  /** Matches a command that starts the runner, so that its results are expected (`startedAs`). */
  readonly starts?: RegExp;
  /** Many programs write this format, so it doesn't show which one ran. */
  readonly writtenByMany?: true;
  /** Adds a failing test; absent: no known way. */
  readonly canary?: CanaryWriter;
  /** The runner exits with 0 even if tests fail; failing tests then fail the command. */
  readonly endsWithZero?: true;
};

export type CanaryPlace = {
  readonly runner: string;
  /** The existing test that the new test is written beside: path and text. */
  readonly path: string;
  readonly text: string;
  readonly loads: readonly string[];
  readonly paths: ReadonlySet<string>;
  readonly word: string;
  readonly name: string;
};

/** Text of a failing test, with the changed files that it loads before it fails. */
export type TestText = { readonly text: string; readonly loads: readonly string[] };

export type CanaryWriter = {
  /** Confidence that the runner takes a file for a test: 2 by its name, 1 by its folder, else 0. */
  readonly rank: (path: string, paths: ReadonlySet<string>) => number;
  /** Returns a failing test for a place; `null`: no known way to write one there. */
  readonly text: (place: CanaryPlace) => TestText | null;
  /** Path of the new test; absent or `undefined`: the neighbour's with the word added; `null`: no suitable place. */
  readonly path?: (neighbour: string, word: string, paths: ReadonlySet<string>) => string | null | undefined;
};

/** Files that show how a repository is checked. Paths are relative to its root, with `/`. */
export type SeenFiles = {
  readonly paths: ReadonlySet<string>;
  /** Returns a file's text; `null` if it is missing, binary or unusually large. */
  readonly read: (path: string) => string | null;
};

export type GateKind = 'format' | 'lint' | 'types' | 'test';

export type FoundGate = {
  readonly kind: GateKind;
  /** Name, unless another gate has the same. */
  readonly name: string;
  /** Command to run in the gate's folder. */
  readonly run: string;
  /** Alternative command, which `ralph init` tries if `run` can't load test files. */
  readonly otherwise?: string | undefined;
  readonly tool: string;
};

export type Found = {
  readonly gates: readonly FoundGate[];
  /** Sentences about checks that were left out, with the reason. */
  readonly notes: readonly string[];
};

/** Files with settings that can make a runner check nothing. */
export type RunnerSettings = {
  /** Matches the runner's name. */
  readonly programs: RegExp;
  /** Paths relative to the runner's folder. */
  readonly files: readonly string[];
  /** The part that configures checks; `null`: the whole file. */
  readonly part: RegExp | null;
  /** A setting that disables all checks; `why` explains it. */
  readonly vacuous: RegExp;
  readonly why: string;
};

/** Detection of a kind of project, its checks, and settings that can disable them. */
export type Project = {
  readonly name: string;
  /** Returns the project's gates; `null` if the files aren't a project of this kind. */
  readonly detect: (files: SeenFiles) => Found | null;
  readonly settings?: readonly RunnerSettings[];
};

/** Forms of strings, comments and other text that isn't code, for the lexer. */
export type Syntax = {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [string, string])[];
  /** Longer openings come first. */
  readonly strings: readonly StringForm[];
  /** `/…/` is a regular expression where a value may stand. */
  readonly regexes?: boolean;
  /** `'a'` is a character and `'a` doesn't begin a string. */
  readonly characters?: boolean;
};

export type StringForm = {
  readonly open: string;
  readonly close: string;
  readonly escapes: boolean;
  readonly lines: boolean;
};

export type LanguageName =
  | 'js'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'kotlin'
  | 'csharp'
  | 'ruby'
  | 'php'
  | 'swift'
  | 'cpp'
  | 'elixir'
  | 'dart'
  | 'scala'
  | 'shell'
  | 'perl'
  | 'lua'
  | 'r'
  | 'julia'
  | 'zig'
  | 'haskell'
  | 'data';

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
  readonly manifest?: string;
  /** Returns the command that installs the locked versions. @param text The lock file's text. */
  readonly install?: (text: string) => string;
  /** Returns the command that rewrites the lock file from its manifest and keeps versions. */
  readonly rewriteCommand?: (text: string) => string;
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

/** Facts about a language and its tools, except runners and finding a project. */
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
