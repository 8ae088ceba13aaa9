import { noisyPatterns, noisyText } from '../../domain/human/state.ts';
import type { LoopContext } from '../context.ts';
import { tellPeople } from './tell-people.ts';

/** Kinds of findings that are wrong too often by your decisions: you are told once, and again where one comes anew. */
export async function tellFalsePositives(context: LoopContext): Promise<void> {
  const { store } = context.ports;
  const { human, counters } = store.refresh();
  const noisy = noisyPatterns(human.detections);
  const patterns = noisy.map(({ pattern }) => pattern).toSorted();
  if (patterns.join() === human.told.join()) return;
  const lines = noisy.filter(({ pattern }) => !human.told.includes(pattern)).map(noisyText);
  store.commit(() => [{ type: 'false_positives_told', patterns, texts: lines }]);
  if (lines.length === 0) return;
  await tellPeople(context, counters.iteration, {
    kind: 'false_positives',
    ...{ taskId: null, incident: null, severity: 'warning', result: null },
    title: `ralph: ${lines[0]}`,
    text: lines.join('\n'),
    next: ['ralph doctor', 'ralph whitelist add PATTERN --path FILE --reason TEXT'],
  });
}
