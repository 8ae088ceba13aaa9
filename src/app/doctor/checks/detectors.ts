import { noisyPatterns, noisyText } from '../../../domain/human/state.ts';
import { check, warning } from '../check.ts';

/** Kinds of findings of which over 10 % were false positives, by what you decided. */
export const detectorsCheck = check({
  gather: ({ state }) => noisyPatterns(state.human.detections),
  judge: (noisy) =>
    noisy.map((one) =>
      warning(
        'detectors.false_positives',
        noisyText(one),
        'each confirmed one makes the next finding of this kind less sure',
        `ralph whitelist add ${one.pattern} --path FILE --reason TEXT`,
      ),
    ),
});
