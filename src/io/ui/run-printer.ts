import type { LoopEvent } from '../../domain/loop-event.ts';
import { displayWidth, fitWidth } from '../../lib/columns.ts';
import { onOneLine } from '../../lib/text.ts';
import { agentWords, lastWords } from './agent-words.ts';
import { eventText, pausedText, waitText } from './event-text.ts';
import { openLiveLine } from './live/live-line.ts';
import { liveText, severalText } from './live/live-text.ts';
import { isLive, type LiveView, NOTHING_LIVE, nextView } from './live/live-view.ts';
import { printable } from './printable.ts';
import { narrowed, type Terminal } from './terminal.ts';

type Printer = {
  /** `taskId`: what it is about, where several tasks are worked at at once; its lines begin with that. */
  readonly emit: (event: LoopEvent, taskId?: string) => void;
  /** Values that are never printed among the agent's words. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly dispose: () => void;
};

export type PrinterOptions = {
  readonly terminal: Terminal;
  /** Where the lines go, and the live line below them. */
  readonly stream: NodeJS.WriteStream;
  readonly quiet: boolean;
  /** Print what the agent says as it says it. */
  readonly words: boolean;
  /** The records of the run are there afterwards, so commands that show them work. */
  readonly isLasting?: boolean;
};

/** Prints the loop's events: with a live line in a terminal, as plain lines elsewhere. */
export function runPrinter(options: PrinterOptions): Printer {
  const { terminal, stream, quiet, isLasting } = options;
  const line = openLiveLine(terminal, stream, quiet);
  const words = agentWords(terminal, (text) => print(text));
  const last = lastWords();
  let view = NOTHING_LIVE;
  /** By task, where several are worked at at once. */
  const views = new Map<string, LiveView>();

  function print(text: string): void {
    if (!quiet) stream.write(text);
  }

  /** Brings the live line in step with what happened. */
  function follow(event: LoopEvent): void {
    const wasLive = isLive(view);
    const message = event.kind === 'agent_event' ? last.lastMessage(event) : null;
    view = nextView(view, event, performance.now(), message);
    // The agent's own words are what shows that it works.
    const shown = isLive(view) && !(options.words && view.gates.running.length === 0);
    if (shown) line.show((width) => liveText(view, performance.now(), width));
    else if (wasLive) line.hide();
    if (event.kind === 'waiting' && event.working === 0)
      line.show((width) => fitWidth(`${waitText(event)} (Ctrl-C to stop)`, width));
    if (event.kind === 'paused')
      line.show((width) => fitWidth(`${pausedText(event)} (Ctrl-C to stop)`, width));
    if (ENDS_LINE.has(event.kind)) line.hide();
  }

  function followTask(event: LoopEvent, taskId: string): void {
    const known = event.kind === 'iteration_started' ? NOTHING_LIVE : views.get(taskId);
    if (event.kind === 'iteration_finished') views.delete(taskId);
    else if (known !== undefined) views.set(taskId, nextView(known, event, performance.now()));
    if (views.size === 0) line.hide();
    else line.show((width) => severalText([...views.values()], performance.now(), width));
  }

  function emit(given: LoopEvent, taskId?: string): void {
    if (given.kind === 'agent_event') {
      // What several agents say at once isn't shown: `ralph logs TASK --follow` shows one.
      if (taskId !== undefined) return;
      if (options.words) words.say(given);
      follow(last.shareable(given));
      return;
    }
    const event = printable(given);
    if (QUIET.has(event.kind)) {
      if (taskId === undefined) follow(event);
      else followTask(event, taskId);
      return;
    }
    words.end();
    if (event.kind === 'iteration_started') words.begin(event.agent);
    if (ENDS_LINE.has(event.kind)) line.hide();
    // In a terminal the live line counts the wait down.
    const isWait = (event.kind === 'waiting' && event.working === 0) || event.kind === 'paused';
    const isOnLine = terminal.live && isWait;
    const label = taskId === undefined ? '' : `${onOneLine(taskId)} | `;
    const room = label === '' ? terminal : narrowed(terminal, displayWidth(label));
    const made = isOnLine ? null : eventText(event, room, isLasting);
    const text = made === null ? null : labelled(room.fitted(made), label);
    if (text !== null && event.kind === 'run_finished') stream.write(`${text}\n`);
    else if (text !== null) print(`${text}\n`);
    if (taskId === undefined) follow(event);
    else followTask(event, taskId);
  }

  function hide(secrets: readonly string[]): void {
    words.hide(secrets);
    last.hide(secrets);
  }
  return { emit, hide, dispose: line.hide };
}

/** Each line of a text behind the task that it is about. */
function labelled(text: string, label: string): string {
  if (label === '') return text;
  return text
    .replace(/^\n+/, '')
    .split('\n')
    .map((line) => `${label}${line}`.trimEnd())
    .join('\n');
}

/** They print nothing, whatever is on the screen. */
const QUIET: ReadonlySet<LoopEvent['kind']> = new Set([
  ...(['gate_started', 'gate_finished', 'agent_finished', 'phase_entered'] as const),
]);

const ENDS_LINE: ReadonlySet<LoopEvent['kind']> = new Set([
  'iteration_finished',
  'baseline_finished',
  'waited',
  'unpaused',
  'run_finished',
]);
