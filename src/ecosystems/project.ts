/** The files of a repository that say how it is checked. Paths are relative to its top, with `/` between. */
export type SeenFiles = {
  readonly paths: ReadonlySet<string>;
  /** The text of a file; `null` where it isn't there, or no text of a usual size. */
  readonly read: (path: string) => string | null;
};

export type GateKind = 'format' | 'lint' | 'types' | 'test';

/** A check that a repository has. */
export type FoundGate = {
  readonly kind: GateKind;
  /** What it is called where it is the only one of this name. */
  readonly name: string;
  /** The command, to be run in its folder. */
  readonly run: string;
  /** Another command for the same check: `ralph init` tries it where `run` can't load files of tests. */
  readonly otherwise?: string | undefined;
  /** The program that does the work. */
  readonly tool: string;
};

/** What the files of one kind of project say. */
export type Found = {
  readonly gates: readonly FoundGate[];
  /** Checks that aren't taken, with the reason, as a sentence. */
  readonly notes: readonly string[];
};

export const NOTHING: Found = { gates: [], notes: [] };

/** The files below a folder, as if it was the top; `''` is the top. */
export function within({ paths, read }: SeenFiles, folder: string): SeenFiles {
  if (folder === '') return { paths, read };
  const inside = [...paths].flatMap((path) =>
    path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
  );
  return { paths: new Set(inside), read: (path) => read(`${folder}/${path}`) };
}

/** The first of these files that is there, with its text. */
export function firstFile(
  { paths, read }: SeenFiles,
  names: readonly string[],
): { readonly path: string; readonly text: string } | null {
  const path = names.find((name) => paths.has(name));
  return path === undefined ? null : { path, text: read(path) ?? '' };
}

/** Files with settings that can make a runner check nothing. */
export type RunnerSettings = {
  /** The runner, by its name. */
  readonly programs: RegExp;
  /** Relative to the folder that it runs in. */
  readonly files: readonly string[];
  /** What of the file steers the checks. `null`: all of it. */
  readonly part: RegExp | null;
  /** A part by which nothing is checked, and why. */
  readonly vacuous: RegExp;
  readonly why: string;
};

/** One kind of project: how it is recognised, what checks it, and what can keep that from checking. */
export type Project = {
  /** As its language or its tool is called. */
  readonly name: string;
  /** What its files say; `null` where it isn't one. */
  readonly detect: (files: SeenFiles) => Found | null;
  readonly settings?: readonly RunnerSettings[];
};

/** A project that one of some files shows, with what is usual for it. */
export function byFile(
  names: readonly string[],
  gates: (files: SeenFiles) => FoundGate[],
): Project['detect'] {
  return (files) => (firstFile(files, names) === null ? null : { gates: gates(files), notes: [] });
}

/** The usual gate for tests. */
export function testGate(tool: string, run: string): FoundGate {
  return { kind: 'test', name: 'test', run, tool };
}
