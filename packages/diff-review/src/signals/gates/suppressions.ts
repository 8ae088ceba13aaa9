import { SUPPRESSED as SUPPRESSING, SUPPRESSING_COMMENTS, UNCOVERED } from 'ralph-ecosystems';
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

const CASTS = /\s*\bas\s+(?:any\b|unknown\s+as\s+[\w.<>[\]]+)|<any>(?=\w)/g;

/** Matches a suppression that names its rule; group 1 is the reason. */
const REASONED =
  /(?:noqa:\s*[A-Z]+\d+[\w, ]*?|(?:ignore|disable|allow)\w*(?:-next-line|-line)?\s*(?:\[[\w-]+\]|[\w@/-]+)\s*(?:--|#|\/\/|:)|nolint:\w+\s*\/\/)\s*([^\n]*)/;

function isReasoned(line: string): boolean {
  const reason = REASONED.exec(line)?.[1] ?? '';
  return (
    (reason.match(/[\p{L}']{2,}/gu) ?? []).length >= 3 &&
    !/\b(?:TODO|FIXME|later|for now|fix|flaky|temporar\w*|make|pass\w*)\b/i.test(reason)
  );
}

export function suppressionSignals({ all }: Changes): readonly Signal[] {
  return all.flatMap((change) => {
    const { role, after } = change;
    if (role === 'other' || role === 'policy' || role === 'golden' || isWrittenByTool(change)) return [];
    const find = (pattern: RegExp, comments: boolean) =>
      added(change, (which) =>
        comments ? findComments(change[which].side, pattern) : findCode(change[which].side, pattern, 'bare'),
      );
    const suppressed = [...find(SUPPRESSING_COMMENTS, true), ...find(SUPPRESSING, false), ...casts(change)]
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
