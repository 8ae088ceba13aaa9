import { cancel, confirm, intro, isCancel, multiselect, select, selectKey, text } from '@clack/prompts';

export type Place = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly color: boolean;
  /** Ends a question like Ctrl-C. If the signal is set, Ctrl-C at a question also reaches the whole process. */
  readonly stop?: AbortSignal;
};

/** Answer to a question that was ended by Ctrl-C or by `Place.stop`. */
export const STOPPED = Symbol('stopped');

/** An answer; `null`: Esc was pressed, or the terminal was closed. */
export type Answer<T> = T | null | typeof STOPPED;

type Option<T> = { readonly value: T; readonly label: string; readonly hint?: string };

type SelectOptions<T> = Parameters<typeof select<T>>[0]['options'];
type MultiselectOptions<T> = Parameters<typeof multiselect<T>>[0]['options'];

export function questionsAt(place: Place) {
  const asked = <T>(prompt: (at: Streams) => Promise<T | symbol>) => answerOf(prompt, place);
  return {
    intro: (title: string) => intro(title, { output: place.output as NodeJS.WriteStream }),
    cancel: (message: string) => cancel(message, { output: place.output as NodeJS.WriteStream }),
    /** Enter alone means no, unless the caller says that yes is harmless. */
    confirm: (message: string, initialValue = false) =>
      asked((at) => confirm({ message, initialValue, ...at })),
    select: <T>(message: string, options: readonly Option<T>[]) =>
      asked<T>((at) => select({ message, options: options as SelectOptions<T>, ...at })),
    /** All options are selected at the beginning. */
    several: <T>(message: string, options: readonly Option<T>[]) =>
      asked<T[]>((at) =>
        multiselect<T>({
          message,
          required: false,
          initialValues: options.map(({ value }) => value),
          options: options as MultiselectOptions<T>,
          ...at,
        }),
      ),
    /** Enter alone chooses the first option; `null`: there are no options. */
    key: (message: string, options: readonly Option<string>[]) =>
      asked((at) => selectKey({ message, options: [...options], ...at })).then((value) =>
        value === undefined ? (options[0]?.value ?? null) : value,
      ),
    /** Returns the line without blanks around it; '' for Enter alone. */
    line: (message: string, placeholder = '') =>
      asked<string>(async (at) => {
        const answer = await text({ message, placeholder, defaultValue: '', ...at });
        return isCancel(answer) ? answer : answer.trim();
      }),
  };
}

type Streams = {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
};
type Key = { readonly name?: string; readonly ctrl?: boolean };

async function answerOf<T>(
  prompt: (at: Streams) => Promise<T | symbol>,
  { input, output, color, stop }: Place,
): Promise<Answer<T>> {
  const isStopped = () => stop?.aborted === true;
  if (isStopped()) return STOPPED;
  const left = new AbortController();
  const pressed = { ctrlC: false };
  const leave = () => left.abort();
  const onKey = (_: unknown, { name, ctrl }: Key) => {
    if (ctrl !== true) return;
    if (name === 'c') pressed.ctrlC = true;
    if (name === 'd') leave();
  };
  const colours = process.env.NO_COLOR;
  if (!color) process.env.NO_COLOR = '1';
  input.on('keypress', onKey);
  input.once('end', leave);
  stop?.addEventListener('abort', leave);
  try {
    const value = await prompt({
      input: input as NodeJS.ReadStream,
      output: output as NodeJS.WriteStream,
      signal: left.signal,
    });
    // The question receives Ctrl-C from the terminal, so it has to pass it on to the run.
    if (pressed.ctrlC && stop !== undefined && !stop.aborted) await interrupt(stop);
    if (pressed.ctrlC || isStopped()) return STOPPED;
    return isCancel(value) ? null : (value as T);
  } finally {
    input.off('keypress', onKey);
    input.off('end', leave);
    stop?.removeEventListener('abort', leave);
    if (colours === undefined) delete process.env.NO_COLOR;
    else process.env.NO_COLOR = colours;
  }
}

/** Sends Ctrl-C to the whole process. Resolves when the run has noticed it. */
function interrupt(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Without this timer, Node would end as soon as nothing else is pending.
    const held = setInterval(() => {}, 1000);
    const end = () => {
      clearInterval(held);
      resolve();
    };
    stop.addEventListener('abort', end, { once: true });
    process.kill(process.pid, 'SIGINT');
  });
}
