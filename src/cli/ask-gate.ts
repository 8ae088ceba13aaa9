import { emitKeypressEvents } from 'node:readline';
import type { Answer, Asking } from '../app/commands/human/approvals.ts';
import { stripControl, wordColumnsOf } from '../lib/text.ts';
import { askLine } from './ask-trust.ts';

type Input = NodeJS.ReadableStream & Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>;
type Output = NodeJS.WritableStream & { readonly columns?: number };

/** Without a known width of the terminal. */
const DEFAULT_WIDTH = 80;

/** What is asked for beside the key. */
const QUESTIONS: Readonly<Record<string, string>> = {
  reason: 'Why? ',
  guidance: 'What should the agent do instead? ',
  agent: 'To which agent? ',
};

/** What may be said with an option that needs nothing said; Enter: nothing. */
const OPTIONAL: Readonly<Record<string, 'reason' | 'guidance'>> = {
  approve: 'guidance',
  retry: 'guidance',
  reject: 'reason',
  abort: 'reason',
  violation: 'reason',
};

/**
 * Shows the panel of a request and takes one key. What shows something is shown and asked again; Enter or Esc is "not
 * now". Ctrl-C stops the run, or is "not now" where there is none.
 */
export async function askGate(
  asking: Asking,
  input: Input,
  output: Output,
  stop?: AbortSignal,
): Promise<Answer | null> {
  for (;;) {
    const key = await readKey(asking, input, output, stop);
    if (key === null) return null;
    const { option, effect, needs } = key;
    if (effect === 'shows') {
      output.write(`${shown(asking.show(option), option, output.columns ?? DEFAULT_WIDTH)}\n`);
      continue;
    }
    const what = needs ?? OPTIONAL[option] ?? null;
    const empty = { option, reason: null, guidance: null, agent: null };
    if (what === null) return empty;
    const question =
      needs === null ? `${what === 'reason' ? 'Why' : 'Guidance'} (Enter: none)? ` : QUESTIONS[what];
    const said = await askLine(question ?? '', input, output, stop);
    if (said === null || stop?.aborted === true) return null;
    if (needs !== null && said.trim() === '') continue;
    return { ...empty, [what]: said.trim() === '' ? null : said.trim() };
  }
}

/** Sentences break between words; lines of a patch stay as they are. */
function shown(text: string, option: string, width: number): string {
  const lines = stripControl(text).split('\n');
  return (option === 'diff' ? lines : lines.flatMap((line) => wordColumnsOf(line, width))).join('\n');
}

type Key = Asking['keys'][number];

function readKey(
  { panel, keys, request }: Asking,
  input: Input,
  output: Output,
  stop: AbortSignal | undefined,
): Promise<Key | null> {
  const names = keys.map(({ key }) => key).join('/');
  const show = () => {
    output.write(`\n${panel(output.columns ?? DEFAULT_WIDTH)}\n`);
    prompt();
  };
  const prompt = () => output.write(`Decide ${request.id} [${names}], Enter: not now: `);
  return new Promise((resolve) => {
    const end = (key: Key | null) => {
      input.off('keypress', onKey);
      output.off('resize', show);
      stop?.removeEventListener('abort', onStop);
      input.setRawMode?.(false);
      input.pause();
      output.write('\n');
      resolve(key);
    };
    const onStop = () => end(null);
    const onKey = (
      text: string | undefined,
      { name, ctrl }: { readonly name?: string; readonly ctrl?: boolean },
    ) => {
      if (ctrl === true && name === 'c') {
        // The signal ends the question, too.
        if (stop === undefined) end(null);
        else process.kill(process.pid, 'SIGINT');
        return;
      }
      if (name === 'return' || name === 'enter' || name === 'escape') return end(null);
      const key = keys.find((one) => one.key === text?.toLowerCase());
      if (key !== undefined) {
        output.write(key.option);
        return end(key);
      }
      const pressed = stripControl(text ?? '').trim();
      output.write(`\n${pressed === '' ? 'That key' : `"${pressed}"`} isn't one of ${names}.\n`);
      prompt();
    };
    emitKeypressEvents(input);
    input.on('keypress', onKey);
    output.on('resize', show);
    stop?.addEventListener('abort', onStop);
    input.setRawMode?.(true);
    input.resume();
    show();
    if (stop?.aborted === true) end(null);
  });
}
