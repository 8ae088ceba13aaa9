import { shortened } from 'ralph-kit/text';
import type { Answerable, Notification } from '../../../domain/notification.ts';

/** How a message is answered in one chat service. */
export type HowTo = {
  /** Choices that you type; the others have buttons. */
  readonly typed: readonly { readonly type: string; readonly label: string }[];
  readonly hasButtons: boolean;
  /** How you answer in your own words, such as `reply to this message`. */
  readonly inWords: string;
};

type Layout = {
  readonly repository: string;
  /** The request that a message asks for an answer to; `null`: the message can't be answered. */
  readonly nonce: string | null;
  readonly howTo: HowTo;
  /** The longest text, in characters. */
  readonly most: number;
};

/** Returns the code of the message that an answer repeats; `null`: it has none. */
export function nonceIn(text: string): string | null {
  return [...text.matchAll(/, code ([a-z0-9]{10})\)$/gm)].at(-1)?.[1] ?? null;
}

/** Returns the text below a message's title: cause, work, how to answer, commands. */
export function chatText(
  { text, run, taskId, next, waits }: Notification,
  { repository, nonce, howTo, most }: Layout,
): string {
  const about = [
    repository,
    ...(run === 'none' ? [] : [`run ${run}`]),
    ...(taskId === null ? [] : [`task ${taskId}`]),
    ...(nonce === null ? [] : [`code ${nonce}`]),
  ];
  const below = [
    `(${about.join(', ')})`,
    ...(waits === null ? [] : ['', ...answering(waits.kind === 'stop', waits.answerable, howTo)]),
    ...(next.length === 0 ? [] : ['', 'On the machine:', ...next.map((command) => `  ${command}`)]),
  ].join('\n');
  return `${shortened(text.trimEnd(), Math.max(200, most - below.length - 2))}\n\n${below}`;
}

function answering(isStop: boolean, answerable: Answerable, { typed, hasButtons, inWords }: HowTo): string[] {
  if (!answerable.ok) return [`${answerable.why} What is said here has no effect.`];
  const { words } = answerable;
  const lines = [
    ...(hasButtons ? ['Tap a choice.'] : []),
    ...(words === null ? [] : [`${hasButtons ? 'Or' : 'To answer,'} ${inWords}. ${words}`]),
    ...(typed.length === 0
      ? []
      : ['More choices:', ...typed.map(({ type, label }) => `  ${type}: ${label}`)]),
  ];
  return isStop ? [...lines, 'It counts when `ralph run` starts next.'] : lines;
}
