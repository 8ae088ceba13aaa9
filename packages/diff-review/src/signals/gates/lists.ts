import { CHECKERS, EQUIVALENT_CHECKERS, TEST_LISTS } from 'ralph-ecosystems';
import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { findCode, type Side } from '../../lex/side.ts';
import { remembered } from '../../remember.ts';
import { type Sign, signalAt } from '../sign.ts';

const sign = (kind: string, reason: string): Sign => ({
  category: 'gate_weakening',
  kind,
  confidence: 0.85,
  reason,
});
const EXCLUDED = sign('excluded', 'Tests or code are left out of a check');
const NARROWED = sign('scope_narrowed', 'A check covers less than before');
const UNLISTED: Sign = {
  category: 'test_deletion',
  kind: 'test_unlisted',
  confidence: 0.85,
  reason: 'A test is no longer in the list of those that run',
};
const BASELINE = sign('baseline_grown', 'Known problems were added to a baseline');

const EXCLUDES =
  /^(?:exclude\w*|excludes|-?exclude-\w+|testPathIgnorePatterns|modulePathIgnorePatterns|coveragePathIgnorePatterns|watchPathIgnorePatterns|ignore|ignores|ignorePatterns|ignored|omit|collect_ignore\w*|norecursedirs|addopts|per-file-ignores|extend-ignore|extend-exclude|extend_skip|disable|disable_error_code|skip|skips|exclude_lines|exclude_also|exclude_dirs|testIgnore|specsExclude|excludeSpecPattern|ignoreErrors|excludePaths|excluded|disabled_rules|sonar\.exclusions|sonar\.coverage\.exclusions|sonar\.test\.exclusions|excludedGroups|excludeTags|exclude_files|disabled|skip-dirs|skip-files|skippedTests|Exclude|NoWarn|nowarn|DisabledTests|spec_exclude|exclude_tags|exclude-tags|exclude_patterns|deselect|filter_?out|default-filter)$/i;
const INCLUDES =
  /^(?:include|includes|testMatch|testRegex|testpaths|testDir|spec|specs|specPattern|files|roots|collectCoverageFrom|source|enable|select|extend-select|python_files|python_functions|python_classes|rules|testPathPattern|packages|paths|linters|only_rules|opt_in_rules|group|groups|suites|--tests?|plugins|extends|members|default-run|directory|testsuite|projects|dir|suites?)$/;
const HARMLESS =
  /node_modules|\bdist\b|\bbuild\b|\bout\b|\.venv|\bvenv\b|vendor|\bcoverage\b|generated|\bgen\b|__pycache__|\.git\b|\.next|\.nuxt|\.turbo|\.cache|\btarget\b|\bbin\b|\bobj\b|\.tox|\.nox|\.eggs|site-packages|migrations|fixtures?\b|\*\.d\.ts|\.min\.|storybook|third_party|protobuf|_pb2|\.worktrees?|\btmp\b|\btemp\b|snapshots?\b|TYPE_CHECKING|__main__|NotImplementedError|abstractmethod|__repr__|\be2e\b|playwright|cypress|\bdocs?\b|\b_version\.|\bpublic\b|\bassets\b|\blocales?\b|\.yarn|\.idea|\.vscode/;

export function listSignals({ all }: Changes): readonly Signal[] {
  const settings = all.filter(({ role }) => role === 'config' || role === 'pipeline');
  const listed = new Set(all.flatMap(({ after }) => listedIn(after.side).map(({ name }) => name)));
  return [
    ...settings.flatMap((change) => [...lists(change, all), ...baselines(change)]),
    ...all.flatMap((change) => unlisted(change, listed)),
  ];
}

function unlisted(change: Change, now: ReadonlySet<string>): readonly Signal[] {
  const { before, after } = change;
  // A test that is called otherwise still runs the same command.
  const commandOf = (side: Side, { name, line }: Listed) => {
    const text = (side.lines[line]?.text ?? '').trim();
    return /\bCOMMAND\s+\S/.test(text) ? text.replace(name, '') : null;
  };
  const added = new Set(
    listedIn(after.side).flatMap((one) => (one.changed ? [commandOf(after.side, one)] : [])),
  );
  return listedIn(before.side)
    .filter((one) => {
      const command = commandOf(before.side, one);
      return one.changed && !now.has(one.name) && !(command !== null && added.has(command));
    })
    .map(({ name, line }) => signalAt(change, before.side, line, line, UNLISTED, name));
}

type Listed = { readonly name: string; readonly line: number; readonly changed: boolean };

function listedIn(side: Side): readonly Listed[] {
  return TEST_LISTS.flatMap(({ files, names }) =>
    names === undefined || !files.test(side.path)
      ? []
      : findCode(side, names).map(({ groups: [, name = ''], line, changed }) => ({ name, line, changed })),
  );
}

const unquoted = (text: string): string => text.replace(/^["'`](.*)["'`]$/, '$1').trim();

function lists(change: Change, all: readonly Change[]): readonly Signal[] {
  const { before, after } = change;
  const old = entriesOf(before.side);
  const now = entriesOf(after.side);
  const others = all.filter((one) => one !== change && (one.role === 'config' || one.role === 'pipeline'));
  const changedIn = (side: Side) => entriesOf(side).filter((one) => one.changed);
  // What was left out by another file's settings is moved.
  const excludedBefore = new Set(
    [...old, ...others.flatMap((one) => changedIn(one.before.side))]
      .filter(({ key }) => EXCLUDES.test(key))
      .map(({ text }) => text),
  );
  const replaced = hasNewForm(change, all);
  const present = new Set([
    ...now.map(({ text }) => text),
    ...others.flatMap(({ after: { side } }) => changedIn(side).map(({ text }) => text)),
  ]);
  const added = new Map<string, string[]>();
  for (const { key, text, changed } of now) {
    const texts = added.get(key) ?? [];
    if (changed && texts.length < MOST_ENTRIES) texts.push(text);
    added.set(key, texts);
  }
  const excluded = now.filter(
    ({ key, text, changed, line }) =>
      changed &&
      EXCLUDES.test(key) &&
      isExclusion(key, text, change.path) &&
      !excludedBefore.has(text) &&
      !isMatrixLeg(change, line),
  );
  const included = old.filter(
    ({ key, text, changed }) =>
      changed &&
      INCLUDES.test(key) &&
      !present.has(text) &&
      !isMoved(text, added.get(key) ?? [], all) &&
      !replaced &&
      (isNarrower(text, added.get(key) ?? [], change) ||
        (/^(?:directory|testsuite)$/.test(key) && (added.get(key) ?? []).length === 0) ||
        isShrunk(key, added.get(key) ?? [], old, change)),
  );
  return [
    ...excluded.map(({ line }) => signalAt(change, after.side, line, line, EXCLUDED)),
    ...included.map(({ line }) => signalAt(change, before.side, line, line, NARROWED)),
    ...flagged(change),
  ];
}

/** Returns whether the tests that a pattern names lie, all that the diff has, where one of the new patterns looks. */
function isMoved(text: string, now: readonly string[], all: readonly Change[]): boolean {
  const folderOf = (pattern: string) => pattern.replace(/^\.\//, '').replace(/\/?\*.*$/, '');
  const isIn = (path: string | null, pattern: string) =>
    folderOf(pattern) !== '' && path !== null && path.startsWith(`${folderOf(pattern)}/`);
  const there = all.filter(({ file }) => isIn(file.oldPath, text));
  const arrived = all.filter(
    ({ file, role }) =>
      role === 'test' && file.newPath !== file.oldPath && now.some((one) => isIn(file.newPath, one)),
  );
  return (
    there.length > 0 && there.every(({ file }) => !isIn(file.newPath, text)) && arrived.length >= there.length
  );
}

const OTHERS: ReadonlySet<string> = new Set(['tsconfig', 'babel', 'coverage']);

export function hasNewForm({ file, path }: Change, all: readonly Change[]): boolean {
  const tools = [...EQUIVALENT_CHECKERS, OTHERS].filter((kind) =>
    [...kind].some((name) => path.includes(name)),
  );
  return (
    file.newPath === null &&
    all.some(
      (one) =>
        one.file.oldPath === null &&
        one.role === 'config' &&
        tools.some((kind) => [...kind].some((name) => one.path.includes(name))),
    )
  );
}

const MOST_ENTRIES = 200;

type Entry = {
  readonly key: string;
  readonly text: string;
  readonly line: number;
  readonly changed: boolean;
};

const entriesOf = remembered((side: Side): readonly Entry[] => {
  let key = /ignore$/.test(side.path) ? 'exclude' : '';
  let indent = 0;
  let added = false;
  return side.lines.flatMap(({ text, changed }, line): Entry[] => {
    const code = side.code.slice(side.starts[line], side.starts[line + 1]).trimEnd();
    const [, start, name, rest] =
      /^(\s*)["']?([\w][\w.-]*)["']?\s*(?:[:=(]|\+=|\s(?=["'*]))\s*(.*)$/.exec(code) ?? [];
    const own = /^\s*(?:-\s+)?["'*\w./-]/.test(code) && name === undefined;
    const item = (value: string): Entry[] =>
      (/^exclude_(?:lines|also)$/.test(key)
        ? (value.match(/"[^"]*"|'[^']*'/g) ?? [value])
        : value.split(/[,\s]+/)
      )
        .map((one) => unquoted(one.replace(/^[-[\]{}(]+|[\]}),]+$/g, '').trim()))
        .filter((one) => one !== '')
        .map((one) => ({ key, text: one, line, changed: changed || added }));
    const inline = [...code.matchAll(/([\w.-]+)["']?\s*[:=]\s*\[([^\]]*)\]/g)].filter(
      (match) => match[1] !== name,
    );
    if (inline.length > 0) {
      return inline.flatMap((match) =>
        item(match[2] ?? '').map((entry) => ({ ...entry, key: match[1] ?? '' })),
      );
    }
    if (name !== undefined) {
      key = name;
      indent = start?.length ?? 0;
      added = changed && (rest ?? '') === '';
      return item(rest ?? '');
    }
    // Entries on their own lines are indented further, or begin with a dash.
    if (own && text.search(/\S/) >= indent) return item(code.trim().replace(/^-\s+/, ''));
    return [];
  });
});

function isMatrixLeg({ path, after }: Change, line: number): boolean {
  return /\.github\//.test(path) && /^\s*(?:-\s+)?[\w-]+:\s/.test(after.side.lines[line]?.text ?? '');
}

function isExclusion(key: string, text: string, path: string): boolean {
  // In package.json, many tools have lists of exclusions that don't concern checks.
  if (
    /package\.json$/.test(path) &&
    /^(?:ignored?|exclude|disabled|skip)$/.test(key) &&
    !/test|spec|\bsrc\b|\blib\b/.test(text)
  )
    return false;
  if (
    HARMLESS.test(text) ||
    /^(?:true|false|\d+|-q|-v+|-ra|--strict\S*|-n|auto|--cov\S*|--tb\S*|--color\S*|-p)$/.test(text)
  )
    return false;
  return !/^addopts$/.test(key) && /\w/.test(text);
}

function isShrunk(key: string, now: readonly string[], old: readonly Entry[], { path }: Change): boolean {
  if (/package\.json$/.test(path) || /^(?:plugins|members|files|source|packages)$/.test(key)) return false;
  const before = new Set(old.flatMap((one) => (one.key === key ? [one.text] : [])));
  return now.length > 0 && now.every((one) => before.has(one));
}

function isNarrower(text: string, now: readonly string[], { path }: Change): boolean {
  if (/package\.json$/.test(path) && !/test|spec/.test(text)) return false;
  // The new pattern for test names no longer matches tests.
  if (
    /test|spec/.test(text) &&
    text.includes('*') &&
    now.length > 0 &&
    !now.some((one) => /test|spec/.test(one))
  ) {
    return true;
  }
  if (now.length === 0)
    return /golangci/.test(path)
      ? /^[a-z]\w+$/.test(text)
      : /test|spec|src|errcheck|^[A-Z]\d*$|[a-z]+check|vet|lint|recommended|strict/i.test(text);
  const length = (one: string) => one.replace(/\*+/g, '').length;
  const stars = (one: string) => one.match(/\*/g)?.length ?? 0;
  const most = (of: (one: string) => number) => now.reduce((max, one) => Math.max(max, of(one)), 0);
  const stem = text.replace(/\/?\*.*$/, '');
  return (
    (now.some((one) => one !== text && one.startsWith(stem) && one.length > 0) &&
      most(length) > length(text)) ||
    stars(text) > most(stars)
  );
}

const FLAGS =
  /--(?:ignore|deselect|ignore-glob|exclude(?:-tags?|-group|_tags)?|testPathIgnorePatterns|skip|exit-zero|no-verify|passWithNoTests|pass-with-no-tests|allow-no-tests|no-fail(?:-fast)?-off|if-present)\b(?:[ =]("[^"]*"|'[^']*'|[^\s"']+))?|-k[ =]["']not\b|-m[ =]["']not\b|-skip[ =]|--\s+--skip\b|--tags?[ =]~|-DskipTests\b|-Dmaven\.test\.skip|-x[ =]test\b|-short\b|--no-coverage\b|--reporter[ =]silent/g;

function flagged(change: Change): readonly Signal[] {
  const before = change.before.side.lines
    .filter(({ changed }) => changed)
    .map(({ text }) => text)
    .join('\n');
  return change.after.side.lines.flatMap(({ changed, text }, line): Signal[] => {
    const flags = changed
      ? [...text.matchAll(FLAGS)]
          .map((match) => match[0])
          .filter((flag) => !before.includes(flag) && !HARMLESS.test(flag))
      : [];
    const isCheck =
      /test|lint|check|cargo|addopts|commit|push/i.test(text + change.path) ||
      CHECKERS.some((name) => (text + change.path).includes(name));
    return flags.length > 0 && isCheck && !/^\s*(?:#|\/\/)/.test(text)
      ? [signalAt(change, change.after.side, line, line, EXCLUDED)]
      : [];
  });
}

function baselines(change: Change): readonly Signal[] {
  if (!/baseline|_todo\.ya?ml$|suppressions?\.\w+$/.test(change.path)) return [];
  const count = (lines: readonly { readonly changed: boolean; readonly text: string }[]) =>
    lines.filter(({ changed, text }) => changed && text.trim() !== '').length;
  const [gone, added] = [count(change.before.side.lines), count(change.after.side.lines)];
  const line = change.after.side.lines.findIndex(({ changed }) => changed);
  return added > gone && line >= 0 ? [signalAt(change, change.after.side, line, line, BASELINE)] : [];
}
