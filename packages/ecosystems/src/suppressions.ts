import { UNCOVERED } from './languages/index.ts';

/** Comments that suppress a checker. */
export const SUPPRESSING_COMMENTS =
  /\beslint\s+[\w@/-]+\s*:\s*["'[]*(?:0|off)\b|@ts-(?:ignore|nocheck|expect-error)\b|\b(?:eslint|tslint|oxlint|jshint|jslint|stylelint|markdownlint)-?(?:disable|:disable|ignore)|\btslint:disable\b|\b(?:biome|rome|prettier|deno-lint|svelte|sonar)-ignore\b|\$Flow(?:FixMe|Issue|IgnoreError)\b|#\s*noqa\b|#\s*(?:type|pyright|mypy|pyre|ty|ruff|flake8|pylint|bandit|isort|fmt|yapf|pytype)\s*:\s*(?:ignore|disable|noqa|skip|off|basic|ignore-errors|skip-file)[\w-]*|#\s*pyre-(?:ignore|fixme|unsafe)|#\s*nosec\b|\/\/\s*nolint\b|\/\/\s*(?:nosec|lint:ignore|revive:disable|staticcheck|#nosec)|\bNOSONAR\b|\bNOLINT(?:NEXTLINE|BEGIN)?\b|\bnoinspection\b|\bCHECKSTYLE:\s*OFF|@(?:phpstan|psalm)-(?:ignore|suppress)[\w-]*|@codingStandardsIgnore\w*|\bphpcs:(?:ignore|disable)\w*|@SuppressWarnings|\brubocop:(?:disable|todo)|\bstandard:disable|\bswiftlint:disable|\bcredo:disable|\bktlint-disable|\bdetekt:disable|\bscalastyle:off|\bscalafix:off|\bignore(?:_for_file)?:\s*\w+|\bReSharper\s+disable|\bsorbet|\btyped:\s*(?:false|ignore)|\bshellcheck\s+disable|\bclang-format\s+off|\bcppcheck-suppress|\bstandard-disable|\breek:|@dialyzer/gi;
/** Code that suppresses a checker. */
export const SUPPRESSED =
  /#!?\[(?:cfg_attr\([^\]]*,\s*)?(?:allow|expect)\s*\([^\]]*\)\s*\)?\]|@(?:file:)?Suppress(?:\w*Warnings|Lint)?\b|\[(?:assembly:\s*|module:\s*)?(?:System\.\w+\.\w+\.)?SuppressMessage\b|#pragma\s+(?:warning\s*\(?\s*(?:disable|push)|GCC\s+diagnostic\s+ignored|clang\s+diagnostic\s+ignored)|#nullable\s+disable|@(?:typing\.)?no_type_check\b|@nowarn\b|@unchecked\b|@dialyzer\b|\berror_reporting\s*\(\s*0|^[ \t]*(?:set \+e|set \+o (?:errexit|pipefail))\b/gm;

/** Global patterns of all suppressions, including exclusions from coverage. */
const ALL = [SUPPRESSING_COMMENTS, SUPPRESSED, ...UNCOVERED.comments, ...UNCOVERED.code].map(
  ({ source, flags }) => new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
);

/** Returns `now` without suppressions on lines that `before` doesn't have. */
export function withoutNewSuppressions(before: string, now: string): string {
  const known = new Set(before.split('\n').map((line) => line.trim()));
  return now
    .split('\n')
    .map((line) => (known.has(line.trim()) ? line : unsuppressed(line)))
    .join('\n');
}

function unsuppressed(line: string): string {
  const found = ALL.flatMap((pattern) => [...line.matchAll(pattern)].map((match) => match.index));
  if (found.length === 0) return line;
  const at = Math.min(...found);
  const comment = Math.max(line.lastIndexOf('//', at), line.lastIndexOf('#', at));
  const isBlock = line.lastIndexOf('/*', at) > line.lastIndexOf('*/', at);
  if (isBlock) return line.replaceAll(/\/\*(?:(?!\*\/).)*(?:\*\/|$)/g, '');
  if (comment >= 0 && !/^#!?\[/.test(line.slice(comment))) return line.slice(0, comment).trimEnd();
  return ALL.reduce(
    (text, pattern) =>
      text.replaceAll(new RegExp(`(?:${pattern.source})(?:\\([^()]*\\))?`, pattern.flags), ''),
    line,
  );
}
