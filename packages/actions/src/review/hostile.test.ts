import { explain, reviewAction, tomlRules } from 'ralph-actions/review';
import { LONGEST_COMMAND } from 'ralph-actions/shell';
import { describe, expect, it } from 'vitest';
import { HOSTILE } from '../../../../test/helpers/hostile.ts';
import { action, PLACE } from '../../../../test/helpers/review-place.ts';

const COMMANDS = HOSTILE.flatMap(({ name, input }) =>
  // Cut in the middle of a here-document, all that follows is its text.
  typeof input.command === 'string' && name !== 'here-documents' ? [[name, input.command] as const] : [],
);
/** What an ordinary long action asks of the disk, many times over. */
const MOST_QUESTIONS = 6000;

/** Returns a place that counts the questions about files. */
function counted() {
  let questions = 0;
  const count =
    <A extends unknown[], R>(ask: (...given: A) => R) =>
    (...given: A): R => {
      questions += 1;
      return ask(...given);
    };
  const place = {
    ...PLACE,
    realPath: count(PLACE.realPath),
    existed: count(PLACE.existed),
    entries: count(() => Array.from({ length: 5000 }, (_, index) => `entry-${index}`)),
    writtenText: count(() => 'true\n'.repeat(20_000)),
  };
  return { place, questions: () => questions };
}

describe('an action that is made to take long', () => {
  it.each(COMMANDS)('hides nothing behind it: %s', (_name, command) => {
    const whole = `${command.slice(0, LONGEST_COMMAND - 4000)}\nrm -rf /srv/x`;
    expect(reviewAction(action('Bash', { command: whole }), PLACE).decision).toBe('deny');
  });

  it.each(HOSTILE)('asks the disk only so much: $name', ({ tool, input }) => {
    const { place, questions } = counted();
    explainOrThrow(tool, input, place);
    expect(questions()).toBeLessThan(MOST_QUESTIONS);
  });

  it('is denied where your own rules take too long for it', () => {
    const words = Array.from({ length: 50 }, (_, index) => `*${'a?'.repeat(90)}${index}`);
    const { rules, problems } = tomlRules({
      rule: Array.from({ length: 100 }, (_, index) => ({
        name: `slow_${index}`,
        ruling: 'warn',
        reason: 'x',
        words,
      })),
    });
    expect(problems).toEqual([]);
    const long = action('Bash', { command: `echo ${'ab'.repeat(8000)}` });
    expect(() => explain(long, PLACE, rules)).toThrow('TooMuch');
    expect(explain(action('Bash', { command: 'ls' }), PLACE, rules).ruling.decision).toBe('allow');
  });
});

/** An action that takes more steps than a review may throws here, and is denied where that is caught. */
function explainOrThrow(tool: string, input: Record<string, unknown>, place: typeof PLACE): void {
  try {
    explain(action(tool, input), place);
  } catch (error) {
    expect(error).toHaveProperty('name', 'TooMuch');
  }
}
