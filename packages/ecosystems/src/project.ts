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

export const NOTHING: Found = { gates: [], notes: [] };

/** Returns the files below a folder, with that folder as root; `''` is the root. */
export function within({ paths, read }: SeenFiles, folder: string): SeenFiles {
  if (folder === '') return { paths, read };
  const inside = [...paths].flatMap((path) =>
    path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
  );
  return { paths: new Set(inside), read: (path) => read(`${folder}/${path}`) };
}

export function firstFile(
  { paths, read }: SeenFiles,
  names: readonly string[],
): { readonly path: string; readonly text: string } | null {
  const path = names.find((name) => paths.has(name));
  return path === undefined ? null : { path, text: read(path) ?? '' };
}

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

/** Returns a project recognised by any of these files, with its usual gates. */
export function byFile(
  names: readonly string[],
  gates: (files: SeenFiles) => FoundGate[],
): Project['detect'] {
  return (files) => (firstFile(files, names) === null ? null : { gates: gates(files), notes: [] });
}

export function testGate(tool: string, run: string): FoundGate {
  return { kind: 'test', name: 'test', run, tool };
}
