import type { Answer, Asking } from '../app/commands/human/approvals.ts';
import { wordColumnsOf } from '../lib/columns.ts';
import { stripControl } from '../lib/text.ts';
import { type Place, questionsAt, STOPPED } from './ask.ts';

/** Without a known width of the terminal. */
const DEFAULT_WIDTH = 80;

/** What is asked for beside the key. */
const QUESTIONS: Readonly<Record<string, string>> = {
  reason: 'Why?',
  guidance: 'What should the agent do instead?',
  agent: 'To which agent?',
};

/** What may be said with an option that needs nothing said; Enter: nothing. */
const OPTIONAL: Readonly<Record<string, 'reason' | 'guidance'>> = {
  approve: 'guidance',
  retry: 'guidance',
  reject: 'reason',
  abort: 'reason',
  violation: 'reason',
};

/** No option of a gate has it. */
const NOT_NOW = '-';

/**
 * Shows the panel of a request and takes one key. What shows something is shown and asked again; Enter or Esc is "not
 * now". Ctrl-C stops the run, or is "not now" where there is none.
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

/** What is asked with an option, and what the answer is; `null`: nothing. */
export function askedWith({ option, needs }: Pick<Asking['keys'][number], 'option' | 'needs'>) {
  const into = needs ?? OPTIONAL[option] ?? null;
  if (into === null) return null;
  const optional = into === 'reason' ? 'Why? (Enter: no reason)' : 'Guidance? (Enter: none)';
  return { question: needs === null ? optional : (QUESTIONS[into] ?? ''), into };
}

/** Sentences break between words; lines of a patch stay as they are. */
function shown(text: string, option: string, width: number): string {
  const lines = stripControl(text).split('\n');
  return (option === 'diff' ? lines : lines.flatMap((line) => wordColumnsOf(line, width))).join('\n');
}
