import type { Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { type Sign, signalAt } from './sign.ts';

const REWRITTEN: Sign = {
  category: 'assertion_weakening',
  kind: 'snapshot_rewritten',
  confidence: 0.8,
  reason: 'An expected output was rewritten, and no production code changed',
};

export function snapshotSignals({ all, production }: Changes): readonly Signal[] {
  if (production) return [];
  // A line with the name of a test isn't its output.
  const isNoise = (text: string) => /^(?:exports\[[^\n]*\]\s*=\s*`?$|\/\/)/.test(text.trim());
  const written = all
    .filter(({ role }) => role !== 'golden')
    .flatMap(({ after }) => after.side.lines.flatMap(({ changed, text }) => (changed ? [text] : [])))
    .join('\n');
  /** The output of a snapshot that is written into its test stays what it was. */
  const isInline = (text: string) =>
    written.includes(text.trim().replace(/^exports\[[^\n]*\]\s*=\s*`"?|"?`;$/g, ''));
  const testsGone = all.some(({ before, after }) => before.tests.length > after.tests.length);
  return all.flatMap((change) => {
    const { role, file, before, after } = change;
    if (role !== 'golden' || file.oldPath === null || file.oldPath !== (file.newPath ?? file.oldPath))
      return [];
    const now = new Set(after.side.lines.map(({ text }) => text.trim()));
    const gone = before.side.lines.findIndex(
      ({ changed, text }) =>
        changed &&
        text.trim() !== '' &&
        !now.has(text.trim()) &&
        !isNoise(text) &&
        !(file.newPath === null && isInline(text)),
    );
    const added = after.side.lines.some(({ changed }) => changed);
    return gone < 0 || (!added && testsGone) ? [] : [signalAt(change, before.side, gone, gone, REWRITTEN)];
  });
}
