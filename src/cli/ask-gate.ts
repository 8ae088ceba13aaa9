import { wordColumnsOf } from 'ralph-kit/columns';
import { stripControl } from 'ralph-kit/text';
import type { Answer, Asking } from '../app/commands/human/approvals.ts';
import { type Place, questionsAt, STOPPED } from './ask.ts';

/** Width in columns if the terminal doesn't report its own. */
const DEFAULT_WIDTH = 80;

/** Questions that follow an option that needs one more answer, by what it needs. */
const QUESTIONS: Readonly<Record<string, string>> = {
  reason: 'Why?',
  guidance: 'What should the agent do instead?',
  agent: 'To which agent?',
};

/** Options to which you may add a reason or guidance. Enter alone adds nothing. */
const OPTIONAL: Readonly<Record<string, 'reason' | 'guidance'>> = {
  approve: 'guidance',
  retry: 'guidance',
  reject: 'reason',
  abort: 'reason',
  violation: 'reason',
};

/** Key for "not now", which no option of a gate has. */
const NOT_NOW = '-';

/**
 * Asks you at a human gate. The question is repeated after options that only show something. Enter and Esc mean "not
 * now"; Ctrl-C stops the run, or means "not now" without an active run.
 */
export async function askGate({ request, keys, panel, show }: Asking, place: Place): Promise<Answer | null> {
  const width = () => (place.output as NodeJS.WriteStream).columns ?? DEFAULT_WIDTH;
  const questions = questionsAt(place);
  place.output.write(`\n${panel(width())}\n`);
  for (;;) {
    const pressed = await questions.key(`Decide ${request.id}`, [
      { value: NOT_NOW, label: 'not now' },
      ...keys.map(({ key, option, label }) => ({ value: key, label: option, hint: label })),
    ]);
    const chosen = keys.find(({ key }) => key === pressed);
    if (chosen === undefined) return null;
    const { option, effect, needs } = chosen;
    if (effect === 'shows') {
      place.output.write(`${shown(show(option), option, width())}\n`);
      continue;
    }
    const empty = { option, reason: null, guidance: null, agent: null };
    const further = askedWith({ option, needs });
    if (further === null) return empty;
    const answer = await questions.line(further.question);
    if (answer === STOPPED || answer === null) return null;
    if (needs !== null && answer === '') continue;
    return { ...empty, [further.into]: answer === '' ? null : answer };
  }
}

/** Returns the question that follows an option, and the field for its answer; `null`: there is none. */
export function askedWith({ option, needs }: Pick<Asking['keys'][number], 'option' | 'needs'>) {
  const into = needs ?? OPTIONAL[option] ?? null;
  if (into === null) return null;
  const optional = into === 'reason' ? 'Why? (Enter: no reason)' : 'Guidance? (Enter: none)';
  return { question: needs === null ? optional : (QUESTIONS[into] ?? ''), into };
}

function shown(text: string, option: string, width: number): string {
  const lines = stripControl(text).split('\n');
  return (option === 'diff' ? lines : lines.flatMap((line) => wordColumnsOf(line, width))).join('\n');
}
