import { tryOr } from 'ralph-kit/try-or';

/** Names without an extension or with one of these may be executable; scripts only process others. */
const RUNNABLE = /(?:^|\/)[^./][^./]*$|\.(?:sh|bash|zsh|fish|py|rb|pl|php|lua|[cm]?[jt]s)$/;

/** Returns paths that a program or file name may stand for, below these folders. */
export function pathsNamed(word: string, folders: readonly string[]): string[] {
  if (word.includes('..') || !RUNNABLE.test(word)) return [];
  const below = folders.map((folder) => `${folder}/${word.replace(/^\.?\//, '')}`);
  return word.includes('/') || word.includes('.')
    ? below
    : [...below, `${folders[0]}/node_modules/.bin/${word}`];
}

/** Settings files of programs that hooks call, at the top of a repository. */
const TOOLS: readonly { readonly called: RegExp; readonly files: RegExp; readonly entry: string }[] = [
  { called: /lefthook/, files: /^\.?lefthook.*$/, entry: 'lefthook' },
  { called: /pre[-_]commit/, files: /^\.pre-commit-config\.yaml$/, entry: 'pre-commit' },
  { called: /lint-staged/, files: /^(?:\.lintstagedrc.*|lint-staged\.config\..*)$/, entry: 'lint-staged' },
  { called: /commitlint/, files: /^(?:\.commitlintrc.*|commitlint\.config\..*)$/, entry: 'commitlint' },
  { called: /overcommit/, files: /^\.overcommit\.yml$/, entry: 'overcommit' },
];

export function toolFiles(text: string, names: readonly string[]): string[] {
  return TOOLS.filter(({ called }) => called.test(text)).flatMap(({ files }) =>
    names.filter((name) => files.test(name)),
  );
}

type PackageEntry = { readonly name: string; readonly text: string; readonly kind: 'script' | 'settings' };

export function packageEntries(
  text: string,
  called: readonly string[],
  packageJson: string,
): readonly PackageEntry[] {
  const json = parsed(packageJson);
  const scripts = Object.entries(json.scripts instanceof Object ? json.scripts : {});
  const tools = TOOLS.filter(({ called, entry }) => called.test(text) && json[entry] !== undefined);
  return [
    ...scripts
      .filter(([name]) => called.includes(name))
      .map(([name, script]) => ({ name: `scripts.${name}`, text: String(script), kind: 'script' as const })),
    ...tools.map(({ entry }) => ({
      name: entry,
      text: JSON.stringify(json[entry]),
      kind: 'settings' as const,
    })),
  ];
}

export function packageEntry(packageJson: string, name: string): string {
  const json = parsed(packageJson);
  if (!name.startsWith('scripts.')) return JSON.stringify(json[name]) ?? '';
  const scripts = json.scripts instanceof Object ? Object.entries(json.scripts) : [];
  return String(scripts.find(([key]) => key === name.slice('scripts.'.length))?.[1] ?? '');
}

function parsed(text: string): Record<string, unknown> {
  const json: unknown = tryOr(null, () => JSON.parse(text));
  return json instanceof Object ? { ...json } : {};
}
