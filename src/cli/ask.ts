import { cancel, confirm, intro, isCancel, multiselect, select, selectKey, text } from '@clack/prompts';

/** Where questions are asked, and what else ends them. */
export type Place = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly color: boolean;
  /** Ends a question like Ctrl-C. Where it is given, Ctrl-C is a signal for the whole process as well. */
  readonly stop?: AbortSignal;
};

/** Ctrl-C at a question, or what `Place.stop` is for. */
export const STOPPED = Symbol('stopped');

/** `null`: Esc, or the terminal was closed. */
export type Answer<T> = T | null | typeof STOPPED;

type Option<T> = { readonly value: T; readonly label: string; readonly hint?: string };

/** The questions of ralph: one look, and none is answered by accident. */
export function questionsAt(place: Place) {
  const asked = <T>(prompt: (at: Streams) => Promise<T | symbol>) => answerOf(prompt, place);
  return {
    intro: (title: string) => intro(title, { output: place.output as NodeJS.WriteStream }),
    cancel: (message: string) => cancel(message, { output: place.output as NodeJS.WriteStream }),
    /** `y` or `n`; Enter is a no, unless a yes is harmless. */
    confirm: (message: string, initialValue = false) =>
      asked((at) => confirm({ message, initialValue, ...at })),
    /** One of these with the arrow keys; the first where nothing else is picked. */
    select: <T>(message: string, options: readonly Option<T>[]) =>
      asked<T>((at) =>
        select({ message, options: options as Parameters<typeof select<T>>[0]['options'], ...at }),
      ),
    /** Any of these, all of them at the beginning. */
    several: <T>(message: string, options: readonly Option<T>[]) =>
      asked<T[]>((at) =>
        multiselect<T>({
          ...{ message, required: false, initialValues: options.map(({ value }) => value) },
          options: options as Parameters<typeof multiselect<T>>[0]['options'],
          ...at,
        }),
      ),
    /** One key of these; Enter is the first of them. */
    key: (message: string, options: readonly Option<string>[]) =>
      asked((at) => selectKey({ message, options: [...options], ...at })).then((value) =>
        value === undefined ? (options[0]?.value ?? null) : value,
      ),
    /** A line, without the blanks around it; Enter alone is ''. */
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
      ...{ input: input as NodeJS.ReadStream, output: output as NodeJS.WriteStream },
      signal: left.signal,
    });
    // The question takes Ctrl-C from the terminal, where it is meant for the run.
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

/** Ctrl-C for the whole process; ends when the run has taken note of it. */
function interrupt(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Until then nothing else may be there to wait for.
    const held = setInterval(() => {}, 1000);
    const end = () => {
      clearInterval(held);
      resolve();
    };
    stop.addEventListener('abort', end, { once: true });
    process.kill(process.pid, 'SIGINT');
  });
}
