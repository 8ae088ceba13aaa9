import { UNCOVERED } from '../../../../ecosystems/index.ts';
import { type Change, type Changes, isWrittenByTool } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { findCode, findComments, type Match } from '../../lex/side.ts';
import { Counts } from '../../remember.ts';
import { removedAround, type Sign, signalAt } from '../sign.ts';

const SUPPRESSED: Sign = {
  category: 'gate_weakening',
  kind: 'suppression_added',
  confidence: 0.75,
  reason: 'A checker is told to say nothing here',
};
const NOT_COVERED: Sign = {
  ...SUPPRESSED,
  kind: 'coverage_ignored',
  reason: 'Code is left out of the coverage',
};

const COMMENTS =
  /\beslint\s+[\w@/-]+\s*:\s*["'[]*(?:0|off)\b|@ts-(?:ignore|nocheck|expect-error)\b|\b(?:eslint|tslint|oxlint|jshint|jslint|stylelint|markdownlint)-?(?:disable|:disable|ignore)|\btslint:disable\b|\b(?:biome|rome|prettier|deno-lint|svelte|sonar)-ignore\b|\$Flow(?:FixMe|Issue|IgnoreError)\b|#\s*noqa\b|#\s*(?:type|pyright|mypy|pyre|ty|ruff|flake8|pylint|bandit|isort|fmt|yapf|pytype)\s*:\s*(?:ignore|disable|noqa|skip|off|basic|ignore-errors|skip-file)[\w-]*|#\s*pyre-(?:ignore|fixme|unsafe)|#\s*nosec\b|\/\/\s*nolint\b|\/\/\s*(?:nosec|lint:ignore|revive:disable|staticcheck|#nosec)|\bNOSONAR\b|\bNOLINT(?:NEXTLINE|BEGIN)?\b|\bnoinspection\b|\bCHECKSTYLE:\s*OFF|@(?:phpstan|psalm)-(?:ignore|suppress)[\w-]*|@codingStandardsIgnore\w*|\bphpcs:(?:ignore|disable)\w*|@SuppressWarnings|\brubocop:(?:disable|todo)|\bstandard:disable|\bswiftlint:disable|\bcredo:disable|\bktlint-disable|\bdetekt:disable|\bscalastyle:off|\bscalafix:off|\bignore(?:_for_file)?:\s*\w+|\bReSharper\s+disable|\bsorbet|\btyped:\s*(?:false|ignore)|\bshellcheck\s+disable|\bclang-format\s+off|\bcppcheck-suppress|\bstandard-disable|\breek:|@dialyzer/gi;
const CODE =
  /#!?\[(?:cfg_attr\([^\]]*,\s*)?(?:allow|expect)\s*\([^\]]*\)\s*\)?\]|@(?:file:)?Suppress(?:\w*Warnings|Lint)?\b|\[(?:assembly:\s*|module:\s*)?(?:System\.\w+\.\w+\.)?SuppressMessage\b|#pragma\s+(?:warning\s*\(?\s*(?:disable|push)|GCC\s+diagnostic\s+ignored|clang\s+diagnostic\s+ignored)|#nullable\s+disable|@(?:typing\.)?no_type_check\b|@nowarn\b|@unchecked\b|@dialyzer\b|\berror_reporting\s*\(\s*0|^[ \t]*(?:set \+e|set \+o (?:errexit|pipefail))\b/gm;

/** What turns the check of types off for a value. */
const CASTS = /\s*\bas\s+(?:any\b|unknown\s+as\s+[\w.<>[\]]+)|<any>(?=\w)/g;

/** Names what it suppresses and says in a sentence why. */
const REASONED =
  /(?:noqa:\s*[A-Z]+\d+[\w, ]*?|(?:ignore|disable|allow)\w*(?:-next-line|-line)?\s*(?:\[[\w-]+\]|[\w@/-]+)\s*(?:--|#|\/\/|:)|nolint:\w+\s*\/\/)\s*([^\n]*)/;

function isReasoned(line: string): boolean {
  const reason = REASONED.exec(line)?.[1] ?? '';
  return (
    (reason.match(/[\p{L}']{2,}/gu) ?? []).length >= 3 &&
    !/\b(?:TODO|FIXME|later|for now|fix|flaky|temporar\w*|make|pass\w*)\b/i.test(reason)
  );
}

/** Suppressions that weren't there before; moved ones are none. */
export function suppressionSignals({ all }: Changes): readonly Signal[] {
  return all.flatMap((change) => {
    const { role, after } = change;
    if (role === 'other' || role === 'policy' || role === 'golden' || isWrittenByTool(change)) return [];
    const find = (pattern: RegExp, comments: boolean) =>
      added(change, (which) =>
        comments ? findComments(change[which].side, pattern) : findCode(change[which].side, pattern, 'bare'),
      );
    const suppressed = [...find(COMMENTS, true), ...find(CODE, false), ...casts(change)]
      .filter(({ text }) => !((role === 'test' || role === 'test_support') && /expect-error/i.test(text)))
      .filter(({ line }) => !isReasoned(after.side.lines[line]?.text ?? ''));
    return [
      ...suppressed.map(({ line }) => signalAt(change, after.side, line, line, SUPPRESSED)),
      ...[
        ...UNCOVERED.comments.flatMap((pattern) => find(pattern, true)),
        ...UNCOVERED.code.flatMap((pattern) => find(pattern, false)),
      ].map(({ line }) => signalAt(change, after.side, line, line, NOT_COVERED)),
    ];
  });
}

/** An expression that was there before, now without its type. */
function casts(change: Change): readonly Match[] {
  const { role, after } = change;
  if (role !== 'source' || !/\.[mc]?tsx?$/.test(change.path)) return [];
  const bare = (text: string) => text.replace(CASTS, '').replace(/[\s()]/g, '');
  return findCode(after.side, CASTS, 'bare').filter(({ line, changed }) => {
    const text = after.side.lines[line]?.text ?? '';
    return changed && removedAround(change, line).some((old) => bare(old) === bare(text) && old !== text);
  });
}

function added({ role }: Change, find: (which: 'before' | 'after') => readonly Match[]): readonly Match[] {
  const gone = new Counts(
    find('before')
      .filter(({ changed }) => changed)
      .map(({ text }) => text.toLowerCase()),
  );
  return find('after').filter(({ changed, text }) => {
    if (!changed || (role === 'config' && /ignore:/i.test(text))) return false;
    return !gone.take(text.toLowerCase());
  });
}
