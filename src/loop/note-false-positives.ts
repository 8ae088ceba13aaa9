import { noisyPatterns, noisyText } from '../domain/human/state.ts';
import type { LoopContext } from './context.ts';

/** Each kind of finding is reported once, and again if it recurs. */
export function noteFalsePositives({ ports: { store } }: LoopContext): void {
  const { human } = store.refresh();
  const noisy = noisyPatterns(human.detections);
  const patterns = noisy.map(({ pattern }) => pattern).toSorted();
  if (patterns.join() === human.told.join()) return;
  const texts = noisy.filter(({ pattern }) => !human.told.includes(pattern)).map(noisyText);
  store.commit(() => [{ type: 'false_positives_told', patterns, texts }]);
}
