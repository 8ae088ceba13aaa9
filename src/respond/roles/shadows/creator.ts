import { isTestFile } from '../../../lib/paths.ts';
import { planOf } from '../plan.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { count, found, type RoleLook, type SignDetector } from './look.ts';

const LIMITS = THRESHOLDS.creator;

const FUTURE =
  /\bfuture[- ]?proof\w*|\bin case (?:we|you|it|they) (?:later|ever|one day)\b|\b(?:might|may|could) (?:need|want) (?:it |this |that |to )?(?:later|one day|in (?:the )?future)\b|\bfor (?:possible |potential )?future (?:use|needs|requirements|extensions?|extensibility|providers?|backends?)\b|\bYAGNI be damned\b/i;
const NEGATED = /\b(?:no|not|without|avoid\w*|rather than|instead of|never|don't|isn't|drop\w*|unneeded)\b/i;

/** Creator → over-architect. */
export const OVER_ARCHITECT: readonly SignDetector[] = [
  {
    sign: 'new_abstractions',
    find: ({ text, task }) => {
      const { abstractions } = planOf(text);
      if (abstractions.length <= LIMITS.abstractionsOver) return null;
      const own = abstractions.filter((name) => !asksFor(task, name));
      return found(
        `${count(abstractions.length, 'new abstraction')}: ${abstractions.join(', ')}`,
        own.length <= LIMITS.abstractionsOver && 'the task asks for them by name',
      );
    },
  },
  {
    sign: 'future_proof',
    find: ({ text, task }) => {
      const reasons = text.split(/\n+|(?<=[.!?;])\s+/).filter((part) => FUTURE.test(part));
      const [reason] = reasons;
      if (reason === undefined) return null;
      const seen = `"${FUTURE.exec(reason)?.[0] ?? ''}" as a reason`;
      if (FUTURE.test(task.text)) return found(seen, 'the task asks for it');
      return found(seen, reasons.every((part) => NEGATED.test(part)) && 'it says so as a reason against');
    },
  },
  {
    sign: 'scope',
    find: ({ text, task }) => {
      const { files } = planOf(text);
      const expected = task.expectedPaths.length;
      if (expected === 0 || files.length <= expected * LIMITS.scopeOver) return null;
      const work = files.filter((path) => !isTestFile(path));
      return found(
        `${files.length} files planned where the task expects ${expected}`,
        work.length <= expected * LIMITS.scopeOver && 'the rest are tests',
      );
    },
  },
  {
    sign: 'new_packages',
    find: ({ text, task }) => {
      const { packages } = planOf(text);
      if (packages.length <= LIMITS.packagesOver) return null;
      const own = packages.filter((name) => !asksFor(task, name));
      return found(
        `${count(packages.length, 'new package')}: ${packages.join(', ')}`,
        own.length <= LIMITS.packagesOver && 'the task asks for them by name',
      );
    },
  },
];

function asksFor({ text }: RoleLook['task'], name: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_@/.-]+/u)
    .some((word) => word.replace(/[.]+$/, '') === name.toLowerCase());
}
