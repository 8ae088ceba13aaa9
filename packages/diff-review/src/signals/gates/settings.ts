import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import type { Side } from '../../lex/side.ts';
import { remembered } from '../../remember.ts';
import { type Sign, signalAt } from '../sign.ts';
import { hasNewForm } from './lists.ts';
import { isOfNewStep } from './steps.ts';

type Setting = { readonly key: string; readonly value: string; readonly line: number };

const sign = (kind: string, reason: string): Sign => ({
  category: 'gate_weakening',
  kind,
  confidence: 0.85,
  reason,
});
const LOWERED = sign('threshold_lowered', 'A threshold demands less than before');
const LOST = sign('threshold_removed', 'A threshold is gone');
const LOOSENED = sign('option_loosened', 'An option of a checker is looser than before');
const RULE = sign('rule_disabled', 'A rule was turned off or down');
const RETRIED = sign('retries_added', 'Failing tests are run again until they pass');

const FLOORS =
  /^(?:fail_?under|cov-fail-under|fail-under\S*|lines|branches|functions|statements|global|minimum|min(?:imum)?_?-?coverage\S*|coverage\S*|covered_?ratio|target|threshold\S*|line_?rate|level|errorLevel|msi|minMsi|minCoveredMsi|min-?msi|high|low|break|minimum_coverage\w*|check-coverage|per_?file|minBound|coverageMinimum\S*|coverageFailOnMinimum|minValue|mutationThreshold)$/i;
const CEILINGS =
  /^(?:max-?warnings|maxWarnings|maxAllowedWarnings|max-?complexity|complexity|max-lines\S*|cyclomatic\S*|maxIssues|maxErrors|maxAllowedViolations|maxPriority\d Violations|errorLevel|fail-?threshold|allowed_?failures|max-?line-?length|Max|CountComments|slowTestThreshold|max-?diff\w*|maxDiffPixel\w*)$/;
const RETRIES =
  /^(?:retry|retries|retryTimes|reruns|retry_?count|maxRetries|max_?retries|flaky-?test-?attempts|rerunFailingTestsCount|runner-retries|retry-?failed|retriesOnFailure|testRetries|test-?retries|max_?attempts)$/i;
const STRICT =
  /^(?:strict\w*|no(?:Implicit|Unused|Unchecked|Fallthrough|PropertyAccess|Unsafe|Uninitialized)\w*|exactOptional\w*|useUnknownIn\w*|alwaysStrict|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|xfail_strict|TreatWarningsAsErrors|WarningsAsErrors|allWarningsAsErrors|\w*[fF]ailOn\w+|fail-?fast|failIfNoTests|abortOnError|warningsAsErrors|beStrictAbout\w*|isFailOnError|EnforceCodeStyleInBuild|Nullable|[eE]nabled?|isEnabled|required|bail|forbid-?[oO]nly|forbidPending|forbid-pending|noEmitOnError|branch|autotests|test|tests|RunAnalyzers\w*|IsTestProject|failOnNoDiscoveredTests|checkJs|errorOnDeprecated|EnableNETAnalyzers|check|check-?coverage|all|recommended|sonar\.qualitygate\.wait|strict-markers|strict-config|errorOnUnmatched\w*|halt|haltOnFailure|fail_ci_if_error|if_ci_failed)$/;
const LENIENT =
  /^(?:disable-all|default-disable|DisabledByDefault|ignore_outcome|ignoreSourceErrors|autoUpdate|updateSnapshots?|update-?snapshots?|invert|runxfail|snapshot-update|passWithNoTests|pass-with-no-tests|testFailureIgnore|test\.failure\.ignore|maven\.test\.failure\.ignore|skipTests?|skipITs|maven\.test\.skip|skip\w*|ignoreFailures|ignore_errors|ignore_missing_imports|allow_untyped_\w+|allow_\w+|allow-?failure|continue-?on-?error|ContinueOnError|allowOnly|dangerouslyIgnoreUnhandledErrors|informational|allowEmpty|NoWarn|ignoreDeprecations|suppressImplicitAnyIndexErrors|ignoreErrors|isIgnoreFailures|disable[\w-]*|noEmitOnError_off|exitZero|exit-zero|silent|allowJs_off|ignoreBuildErrors|ignoreDuringBuilds|failsafe_skip|todo|SkipLocalTests|treatWarningsAsErrors_off|reportUnmatchedIgnoredErrors_off|allowUnreachableCode|allowUnusedLabels)$/i;
export function settingSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(
      ({ role, before, after }) =>
        role === 'config' ||
        role === 'pipeline' ||
        (role === 'test_support' && /minimum_coverage/.test(before.side.text + after.side.text)),
    )
    .flatMap((change) => {
      const elsewhere = setElsewhere(change, all);
      return [
        ...numbers(change, elsewhere),
        ...switches(change, elsewhere),
        ...(hasNewForm(change, all) ? [] : rules(change, elsewhere)),
      ];
    });
}

function setElsewhere(change: Change, all: readonly Change[]): (setting: Setting) => boolean {
  const others = all.filter((one) => one !== change && (one.role === 'config' || one.role === 'pipeline'));
  const now = new Set(
    others.flatMap(({ after }) => settingsOf(after.side, true).map(({ key, value }) => `${key}=${value}`)),
  );
  return ({ key, value }) => now.has(`${key}=${value}`);
}

/** Returns the `key: value` pairs of the lines, in any format, including several on a line. */
function settingsOf(side: Side, changedOnly: boolean): readonly Setting[] {
  return changedOnly ? changedSettings(side) : allSettings(side);
}

const allSettings = remembered((side: Side): readonly Setting[] => {
  return side.lines.flatMap(({ text }, line) => {
    const code =
      side.language.name === 'data' && /\.xml|proj$|props$|targets$/.test(side.path)
        ? text.replace(/<!--.*?-->/g, '')
        : side.code.slice(side.starts[line], side.starts[line + 1]);
    const pairs = [
      ...code.matchAll(
        /["'`]?(--?)?([\w][\w./@-]*)["'`]?\s*(?::=|=>|[:=])\s*(\[[^\]]*\]?|\{(?=\s*$)|"[^"]*"|'[^']*'|[^\s,;{}()]+)/g,
      ),
    ].map((match) => ({ key: match[2] ?? '', value: unquoted(match[3] ?? ''), line }));
    const tags = [...code.matchAll(/<([\w.-]+)>([^<]*)<\/\1>/g)].map((match) => ({
      key: match[1] ?? '',
      value: (match[2] ?? '').trim(),
      line,
    }));
    const calls = [
      ...code.matchAll(/\b([\w-]+)[ (]+(?:line:\s*|global:\s*)?(\d+(?:\.\d+)?)\)?[\s})]*$/g),
    ].map((match) => ({ key: match[1] ?? '', value: match[2] ?? '', line }));
    const flags = [...code.matchAll(/--([\w-]+)[ =]+(\d+(?:\.\d+)?)/g)].map((match) => ({
      key: match[1] ?? '',
      value: match[2] ?? '',
      line,
    }));
    const bare = [...code.matchAll(/--((?:no-?|pass|exit|allow|disable|skip)[\w-]+)(?![\w=-])/gi)].map(
      (match) => ({ key: match[1] ?? '', value: 'true', line }),
    );
    const property = [...code.matchAll(/-D([\w.]+)(?:=(\w+))?/g)].map((match) => ({
      key: match[1] ?? '',
      value: match[2] ?? 'true',
      line,
    }));
    return [...pairs, ...tags, ...calls, ...flags, ...bare, ...property];
  });
});

const changedSettings = remembered((side: Side): readonly Setting[] =>
  allSettings(side).filter(({ line }) => side.lines[line]?.changed === true),
);

const unquoted = (text: string): string => text.replace(/^["'`](.*)["'`]$/, '$1').trim();
const numberOf = (text: string): number => Number(/^-?[\d.]+(?=%?$)/.exec(text)?.[0] ?? Number.NaN);

function firstByKey(settings: readonly Setting[]): ReadonlyMap<string, Setting> {
  const first = new Map<string, Setting>();
  for (const one of settings) if (!first.has(one.key)) first.set(one.key, one);
  return first;
}

function numbers(change: Change, elsewhere: (setting: Setting) => boolean): readonly Signal[] {
  const old = settingsOf(change.before.side, true).filter((one) => !elsewhere(one));
  const now = [...settingsOf(change.after.side, true)];
  const all = new Set(settingsOf(change.after.side, false).map(({ key }) => key));
  const byKey = new Map<string, Setting[]>();
  for (const one of now) {
    if (Number.isNaN(numberOf(one.value))) continue;
    const others = byKey.get(one.key) ?? [];
    others.push(one);
    byKey.set(one.key, others);
  }
  const found = old.flatMap((before): Signal[] => {
    const value = numberOf(before.value);
    const floor = FLOORS.test(before.key);
    if (Number.isNaN(value) || !(floor || CEILINGS.test(before.key))) {
      return /coverageThreshold|^thresholds?$|minimum_coverage|jacocoTestCoverageVerification/.test(
        before.key,
      ) &&
        !all.has(before.key) &&
        isGateFile(change)
        ? [signalAt(change, change.before.side, before.line, before.line, LOST)]
        : [];
    }
    const after = byKey.get(before.key)?.shift();
    if (after === undefined)
      return floor &&
        (!all.has(before.key) || OF_COVERAGE.test(before.key)) &&
        isCoverageKey(before.key, change)
        ? [signalAt(change, change.before.side, before.line, before.line, LOST)]
        : [];
    const looser =
      floor && !/errorLevel/.test(before.key) && !isTolerated(before.key, change)
        ? numberOf(after.value) < value
        : numberOf(after.value) > value;
    return looser
      ? [
          {
            ...signalAt(change, change.after.side, after.line, after.line, LOWERED),
            before: `${before.key} ${before.value}`,
          },
        ]
      : [];
  });
  const retried = now.filter(
    ({ key, value }) =>
      RETRIES.test(key) &&
      numberOf(value) > 0 &&
      !old.some((one) => one.key === key && numberOf(one.value) >= numberOf(value)),
  );
  return [...found, ...retried.map(({ line }) => signalAt(change, change.after.side, line, line, RETRIED))];
}

/** Codecov's `threshold` is the drop in coverage that it tolerates. */
function isTolerated(key: string, { path }: Change): boolean {
  return key === 'threshold' && /codecov/.test(path);
}

/** A file has several of these keys, each a demand of its own: for all files, for a folder. */
const OF_COVERAGE = /^(?:lines|branches|functions|statements|minimum|fail-?_?under)$/i;

/** Returns whether a key means a threshold; some words do only in a file about coverage. */
function isCoverageKey(key: string, { before }: Change): boolean {
  return (
    /cov|fail|minimum|max-?warn|msi|branches|statements|level/i.test(key) ||
    /cover|threshold/i.test(before.side.text)
  );
}

function isGateFile({ role }: Change): boolean {
  return role === 'config' || role === 'pipeline';
}

function switches(change: Change, elsewhere: (setting: Setting) => boolean): readonly Signal[] {
  const old = firstByKey(settingsOf(change.before.side, true));
  const now = settingsOf(change.after.side, true);
  const all = new Set(settingsOf(change.after.side, false).map(({ key }) => key));
  const isTrue = (text: string) => /^(?:true|1|yes|on|enable|always)$/i.test(text);
  const isFalse = (text: string) => /^(?:false|0|no|off|disable|never|basic|none)$/i.test(text);
  const after = now.flatMap(({ key, value, line }): Signal[] => {
    const before = old.get(key);
    const off =
      STRICT.test(key) &&
      isFalse(value) &&
      (before === undefined || !isFalse(before.value)) &&
      (before !== undefined ||
        /strict|disallow|warn_|noImplicit|TreatWarnings|failOn|abortOnError|enabled|required|forbid|noEmitOnError|checkJs|RunAnalyzers|IsTestProject|^autotests$/i.test(
          key,
        ) ||
        (/^tests?$/.test(key) && /Cargo\.toml$|golangci/.test(change.path)));
    const on =
      LENIENT.test(key) &&
      isTrue(value) &&
      !/skipLibCheck|disallow|skipFiles|skipDuplicate|disableHostCheck|silent$|allowJs|allowImporting|allowSynthetic|allowArbitrary|skip(?:Default|Install|Checkout)|allow_redefinition/.test(
        key,
      ) &&
      !(before !== undefined && isTrue(before.value));
    const exits = /^(?:issues|failure|error)-exit-code$/.test(key) && value === '0' && before?.value !== '0';
    const typeCheck =
      /^(?:typeCheckingMode|type_checking_mode)$/.test(key) &&
      /^(?:off|basic)$/.test(value) &&
      before !== undefined;
    const tolerated = change.role === 'pipeline' && on && isOfNewStep(change, line);
    return off || (on && !tolerated) || exits || typeCheck
      ? [signalAt(change, change.after.side, line, line, LOOSENED)]
      : [];
  });
  // The options of a strict base aren't visible here.
  const isExtended = now.some(({ key, value }) => key === 'extends' && /strict/i.test(value));
  const gone = [...old.values()].filter(
    ({ key, value, line }) =>
      !isExtended &&
      !elsewhere({ key, value, line }) &&
      STRICT.test(key) &&
      /strict|^no[A-Z]|exactOptional|disallow_|warn_|check_untyped|Warnings?AsErrors|failOn|useUnknown/i.test(
        key,
      ) &&
      isTrue(value) &&
      !all.has(key),
  );
  return [...after, ...gone.map(({ line }) => signalAt(change, change.before.side, line, line, LOOSENED))];
}

const STRENGTH: Readonly<Record<string, number>> = {
  off: 0,
  0: 0,
  allow: 0,
  none: 0,
  ignore: 0,
  silent: 0,
  suggestion: 1,
  info: 1,
  hint: 1,
  warn: 1,
  warning: 1,
  1: 1,
  error: 2,
  2: 2,
  deny: 2,
  forbid: 2,
};

function rules(change: Change, elsewhere: (setting: Setting) => boolean): readonly Signal[] {
  const level = (value: string): number | undefined =>
    STRENGTH[
      unquoted(
        value
          .replace(/^\[\s*/, '')
          .replace(/[,\]].*$/s, '')
          .trim(),
      ).toLowerCase()
    ];
  const old = firstByKey(settingsOf(change.before.side, true));
  const all = new Set(settingsOf(change.after.side, false).map(({ key }) => key));
  const isLint = /eslint|oxlint|stylelint/.test(change.path);
  const isRule = (value: string) => isLint || !/^\d/.test(value.replace(/^\[\s*/, ''));
  const lowered = settingsOf(change.after.side, true).flatMap(({ key, value, line }): Signal[] => {
    const now = level(value);
    if (now === undefined || now > 1 || !isRule(value)) return [];
    const before = old.get(key);
    const was = before === undefined ? (now === 0 ? 2 : now) : (level(before.value) ?? now);
    return now < was &&
      !RETRIES.test(key) &&
      (isLint || /off|allow|none|ignore|silent|warn|info|suggestion|hint/i.test(value)) &&
      !/^(?:type|shell|color|log\w*|cache|audit|fund|severity_off|trace)$/.test(key)
      ? [signalAt(change, change.after.side, line, line, RULE)]
      : [];
  });
  const dropped = [...old.values()].filter(
    ({ key, value, line }) =>
      level(value) === 2 &&
      !elsewhere({ key, value, line }) &&
      isRule(value) &&
      !all.has(key) &&
      /eslint|biome|clippy|Cargo|stylelint|oxlint|analysis|editorconfig|tslint/.test(change.path),
  );
  return [...lowered, ...dropped.map(({ line }) => signalAt(change, change.before.side, line, line, RULE))];
}
