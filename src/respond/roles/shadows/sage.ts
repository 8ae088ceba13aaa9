import type { ReviewFinding } from '../../../domain/workflow/roles.ts';
import { THRESHOLDS } from '../thresholds.ts';
import {
  count,
  found,
  fullText,
  isChanged,
  namesChange,
  type RoleLook,
  type SignDetector,
  saidIn,
  wordsIn,
} from './look.ts';

const LIMITS = THRESHOLDS.sage;

const CONSIDER = /\b(?:consider|think about|it (?:might|may|could) be (?:worth|nice|good)|perhaps|maybe)\b/i;
const WANTS_DOCS =
  /\b(?:add|write|needs?|missing|lacks?|no|without|should have|deserves?) (?:a |an |any |some |the )?(?:\w+ )?(?:js ?docs?|doc ?strings?|doc comments?|docs?|documentation|comments?)\b/i;
const TRIVIAL =
  /\b(?:getter|setter|trivial|one[- ]liner|simple|small|tiny|private|internal|helper|accessor|wrapper|constant)\b/i;
const PUBLIC = /^\s*(?:export\b|pub\b|public\b|module\.exports)/;

/** Sage → bureaucrat. */
export const BUREAUCRAT: readonly SignDetector[] = [
  {
    sign: 'wordy',
    find: (look) => {
      const { answer, changed } = look;
      if (answer === null) return null;
      const words = wordsIn(saidIn(answer));
      const lines = changed.reduce((sum, { added, removed }) => sum + added + removed, 0);
      if (words <= lines * LIMITS.wordsOver) return null;
      return found(
        `${words} words about ${count(lines, 'line')}`,
        words < LIMITS.wordsFrom && 'the review is short',
      );
    },
  },
  {
    sign: 'outside_change',
    find: (look) => {
      const outside = (look.answer?.findings ?? []).filter((one) => !isChanged(one, look));
      if (outside.length < LIMITS.outsideAtLeast) return null;
      return found(
        `${count(outside.length, 'finding')} outside the change`,
        outside.every((one) => namesChange(one, look)) && 'each says which changed file leads there',
      );
    },
  },
  {
    sign: 'consider_without_action',
    find: ({ answer }) => {
      const vague = (answer?.findings ?? []).filter(({ claim, fix }) => CONSIDER.test(claim) && fix === null);
      if (vague.length <= LIMITS.considerOver) return null;
      return found(
        `${vague.length} times "consider" without an action`,
        vague.every(({ alternative }) => alternative !== null) && 'each names an alternative',
      );
    },
  },
  {
    sign: 'docs_for_trivial',
    find: (look) => {
      const asked = (look.answer?.findings ?? []).filter(
        (one) => WANTS_DOCS.test(fullText(one)) && isTrivial(one, look),
      );
      if (asked.length < LIMITS.trivialDocsAtLeast) return null;
      return found(
        `docs asked for ${count(asked.length, 'trivial function')}`,
        asked.every((one) => PUBLIC.test(lineOf(one, look))) && 'they are part of what others call',
      );
    },
  },
];

/** By what the review says of it, or by its line: one that opens and ends a function. */
function isTrivial(finding: ReviewFinding, look: RoleLook): boolean {
  return TRIVIAL.test(finding.claim) || /(?:\{.*\}|=>[^{]*;?)\s*$/.test(lineOf(finding, look));
}

function lineOf({ file, line }: ReviewFinding, { lines }: RoleLook): string {
  return (line === null ? undefined : lines.get(file)?.get(line)) ?? '';
}
