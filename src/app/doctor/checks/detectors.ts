import { noisyPatterns, noisyText } from '../../../domain/human/state.ts';
import { check, warning } from '../check.ts';

/** Warns of kinds of findings with over 10 % false positives, by your decisions. */
export const detectorsCheck = check({
  gather: ({ state }) => noisyPatterns(state.human.detections),
  judge: (noisy) =>
    noisy.map((one) =>
      warning(
        'detectors.false_positives',
        noisyText(one),
        'each false positive that you confirm makes the next finding of this kind less sure',
        `ralph whitelist add ${one.pattern} --path FILE --reason TEXT`,
      ),
    ),
});
