import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { type Sign, signalAt } from '../sign.ts';

const sign = (kind: string, reason: string): Sign => ({
  category: 'gate_weakening',
  kind,
  confidence: 0.85,
  reason,
});
const REWRITES = sign(
  'expectations_rewritten',
  'A check of expected output writes it anew instead of comparing',
);
const RUNS_LESS = sign('tests_selected', 'Only some of the tests are run, or none');
const LOOSER = sign('option_loosened', 'A checker is called with looser options than before');
const REMOVED = sign('check_removed', 'A check is no longer run');
const EXCLUDED = sign('excluded', 'Tests or code are left out of a check');

/** What a command or an option of a runner is told, by what it leads to. */
const FLAGS: readonly (readonly [RegExp, Sign])[] = [
  [
    /(?:\b(?:vitest|jest|ava|bun test|playwright test)\b[^&|;"]*\s(?:-u|--update(?:-?[sS]napshots?)?)(?![\w-])|--updateSnapshot\b|--update-snapshots\b|--snapshot-update\b|--inline-snapshot=(?:fix|create|update)|--ci[= ]false\b|--accept-?snapshots?\b|\bUPDATE_(?:SNAPSHOTS?|GOLDENS?|EXPECT)=1|-update\b(?=[^"]*(?:\.\/\.\.\.|$)))/,
    REWRITES,
  ],
  [
    /(?:\b(?:vitest|jest)\b[^&|;"]*\s(?:list\b|related\b|--related\b|--changed\b|--onlyChanged\b|-o\b|--lastCommit\b|--listTests\b|--onlyFailures\b)|\bpytest\b[^&|;"]*\s(?:--co|--collect-only|--lf|--last-failed|--sw|--stepwise)(?![\w-])|^\s*addopts\b[^\n]*\s(?:--co|--collect-only|--lf|--last-failed|--snapshot-update|--runxfail)(?![\w-])|\bmocha\b[^&|;"]*--dry-run\b|\bcargo test\b[^&|;"]*--no-run\b|\bgo test\b[^&|;"]*\s-(?:c|list|run=\^\$|run \^\$)(?![\w-])|\bmvn\b[^&|;"]*\btest-compile\b)/,
    RUNS_LESS,
  ],
  [
    /(?:(?:\beslint\b|\blint\s+--\s)[^&|;]*--(?:quiet|no-eslintrc|no-config-lookup|rule\b[^&|;]*(?:off|:\s*0))|--(?:max-warnings|maxWarnings)[= ]+[1-9]\d*|--dangerouslyIgnoreUnhandledErrors\b|--no-cov\b|--coverage\.(?:enabled=false|thresholds?\.\w+=0)|--no-strict\b|--strict(?:NullChecks)?[= ]false\b|--ignore-errors\b|--allow-dirty-tests|\bruff check\b[^&|;"]*--(?:select|ignore|extend-ignore)\b|--cov-fail-under[= ]0\b|\bmypy\b[^&|;"]*--(?:ignore-missing-imports|allow-\w+|follow-imports[= ]s\w+)|\bshell:\s*bash \{0\}|\bgit\s+(?:push|commit|merge)\b[^&|;]*--no-verify\b)/,
    LOOSER,
  ],
];

/** Settings that leave tests or code out, in the words of XML, Gradle and others that aren't lists. */
const EXCLUSIONS =
  /<exclude>[^<]*<|<excludedGroups>\s*\w|<(?:NoWarn|WarningsNotAsErrors)>[^<]*\w|<Compile\s+Remove=|\b(?:excludeTags|excludeTestsMatching|excludeGroups|excludeCategories)\b\s*[("']|\bexclude\s*\(?\s*['"][^'"]*[tT]est|\bonlyIf\s*\{\s*false\b|\badd_filter\s*\(?\s*['"]\/?(?:app|lib|src)\b|^\s*-\s*[\w-]*baseline[\w.-]*\.(?:neon|xml)|^\s*-\s*["']?#.*#|\bcollectCoverageFrom\b[^\n]*["']!(?![^"']*(?:node_modules|\.d\.ts|index|stories))|^\s*["'](?!tests?\b|[^"']*(?:__init__|conftest|migrations|tests?\/|scripts))[^"'\n]+["']\s*=\s*\[\s*["'](?:ALL|[A-Z]{1,4}\d*)["']|^\s*-?\s*["']?(?:grepInvert|testNamePattern|grep|fgrep)["']?\s*[:=]\s*[/"']|^\s*stages:\s*\[\s*manual\s*\]|^exclude:\s*\.\*|\{\s*Credo\.[\w.]+,\s*false\s*\}|^\s*python_(?:files|functions|classes)\s*=\s*(?![^\n]*[tT]est)|^\s*testRegex\s*:\s*(?![^\n]*(?:test|spec))/m;
/** Settings that are looser than what holds without them. */
const LOOSE =
  /\bonUnhandledError\b|\bupdateSnapshots?["']?\s*:\s*["'](?:all|changed|always)|^\s*update["']?\s*:\s*(?:true|["']all)|\bfollow_imports\s*=\s*["']?(?:skip|silent)|\bmaxDiffPixelRatio["']?\s*:\s*(?:1\b|0?\.[1-9])|IgnorePattern["']?\s*:\s*["']\^?\.\*?["']|-p no:python\b|^\s*filterwarnings\s*=\s*\[?\s*["']?(?:default|ignore|once)["']?\s*\]?\s*$/;
/** What is generated, or isn't the project's own, is no loss. */
const HARMLESS =
  /generated|_pb2|_pb\.|\*\.d\.ts|node_modules|vendor|third_party|\bbuild\/|\bdist\b|migrations|\$\(NoWarn\)\s*;?\s*1591|testdata|fixtures/;

/** Commands of checks that are told to look at less, or to find nothing. */
export function commandFlagSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(
      ({ role, path }) =>
        role === 'config' || role === 'pipeline' || /\.(?:sh|bash)$|spec_helper\.rb$/.test(path),
    )
    .flatMap((change) => [
      ...flags(change),
      ...exclusions(change),
      ...losesCoverage(change),
      ...lostHooks(change),
    ]);
}

function addedLines({ before, after }: Change): readonly { readonly text: string; readonly line: number }[] {
  const gone = new Set(before.side.lines.filter(({ changed }) => changed).map(({ text }) => text.trim()));
  return after.side.lines.flatMap(({ text, changed }, line) =>
    changed && !gone.has(text.trim()) && !/^\s*(?:#(?!!)|\/\/|<!--)/.test(text) ? [{ text, line }] : [],
  );
}

function removedText({ before }: Change): string {
  return before.side.lines
    .filter(({ changed }) => changed)
    .map(({ text }) => text)
    .join('\n');
}

/** A script beside the one that checks may do so: only what a command is told anew counts. */
function flags(change: Change): readonly Signal[] {
  const old = removedText(change);
  const known = new Set(old.match(/"[\w:.-]+"(?=\s*:)/g) ?? []);
  const scripts = /(?:^|\/)(?:package|composer|deno)\.jsonc?$/.test(change.path);
  return addedLines(change).flatMap(({ text, line }) => {
    const name = /^\s*("[\w:.-]+")\s*:/.exec(text)?.[1];
    if (old === '' && !/addopts/.test(text)) return [];
    if (scripts && name !== undefined && !known.has(name)) return [];
    const found = FLAGS.find(([pattern]) => pattern.test(text) && !pattern.test(old));
    return found === undefined ? [] : [signalAt(change, change.after.side, line, line, found[1])];
  });
}

function exclusions(change: Change): readonly Signal[] {
  const old = removedText(change);
  return addedLines(change).flatMap(({ text, line }) => {
    if (LOOSE.test(text) && !LOOSE.test(old))
      return [signalAt(change, change.after.side, line, line, LOOSER)];
    const words = EXCLUSIONS.exec(text)?.[0];
    return words === undefined || HARMLESS.test(text) || old.includes(words.trim())
      ? []
      : [signalAt(change, change.after.side, line, line, EXCLUDED)];
  });
}

/** A test script that no longer measures what a threshold is for. */
function losesCoverage(change: Change): readonly Signal[] {
  const { before, after } = change;
  const measures = /\b(?:vitest|jest|pytest|c8|nyc|mocha|go test|rspec|phpunit)\b[^\n]*--cov(?:erage)?\b/;
  const line = before.side.lines.findIndex(({ changed, text }) => changed && measures.test(text));
  const kept = after.side.lines.some(({ text }) => /--cov(?:erage)?\b|\bc8\b|\bnyc\b/.test(text));
  return line >= 0 &&
    !kept &&
    after.side.lines.some(({ changed }) => changed) &&
    /package\.json$/.test(change.path)
    ? [signalAt(change, before.side, line, line, LOOSER)]
    : [];
}

/** Hooks of pre-commit that are gone. */
function lostHooks(change: Change): readonly Signal[] {
  const { before, after, path } = change;
  if (!/\.pre-commit-config\.ya?ml$/.test(path)) return [];
  const id = (text: string) => /^\s*-\s*id:\s*(\S+)/.exec(text)?.[1];
  const now = new Set(after.side.lines.map(({ text }) => id(text)));
  const added = after.side.lines.filter(({ changed, text }) => changed && id(text) !== undefined).length;
  const lost = before.side.lines.flatMap(({ changed, text }, line) =>
    changed && id(text) !== undefined && !now.has(id(text)) ? [line] : [],
  );
  return lost.slice(added).map((line) => signalAt(change, before.side, line, line, REMOVED));
}
