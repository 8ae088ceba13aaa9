import { displayWidth, fitWidth } from 'ralph-kit/columns';
import { redactor, secretsFromEnv } from 'ralph-kit/redact';
import { onOneLine } from 'ralph-kit/text';
import { type Entry, type EntryOf, isKept } from '../../domain/entry.ts';
import type { GateRequest } from '../../domain/human/gate.ts';
import { entryLines, isPrinted, waitText } from '../../tell/index.ts';
import { agentWords, lastWords } from './agent-words.ts';
import { linesText } from './lines.ts';
import { openLiveLine } from './live/live-line.ts';
import { liveText, severalText } from './live/live-text.ts';
import { isLive, type LiveView, NOTHING_LIVE, nextView } from './live/live-view.ts';
import { printable } from './printable.ts';
import { reportText } from './run-report.ts';
import { narrowed, type Terminal } from './terminal.ts';

type Printer = {
  /**
   * Prints an entry. `taskId`: the task that it is about, where several workers are active; its lines begin
   * with that.
   */
  readonly show: (entry: Entry, taskId?: string) => void;
  /** Values that are never printed among the agent's words. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly dispose: () => void;
};

export type PrinterOptions = {
  readonly terminal: Terminal;
  /** The stream that the lines go to, and the live line below them. */
  readonly stream: NodeJS.WriteStream;
  readonly quiet: boolean;
  /** Whether to print what the agent says as it says it. */
  readonly words: boolean;
  /** Whether the run's records stay on disk afterwards, so that commands that show them work. */
  readonly isLasting?: boolean;
  /** Returns the panel of a request for your decision; absent: no panel is printed. */
  readonly panelOf?: (request: GateRequest) => string;
};

/** Prints what happens in a run: with a live line in a terminal, as plain lines elsewhere. */
export function runPrinter(options: PrinterOptions): Printer {
  const { terminal, stream, quiet, isLasting = true } = options;
  /** `null`: no line is shown, so that what it would say isn't made. */
  const line = terminal.live && !quiet ? openLiveLine(terminal, stream) : null;
  const words = agentWords(terminal, (text) => print(text));
  const last = lastWords();
  let secrets = secretsFromEnv(process.env);
  let view = NOTHING_LIVE;
  /** The view of each task, by its id, where several workers are active. */
  const views = new Map<string, LiveView>();

  function print(text: string): void {
    if (!quiet) stream.write(text);
  }

  /** Updates the live line by an entry. */
  function follow(entry: Entry): void {
    if (line === null) return;
    const wasLive = isLive(view);
    const message = entry.type === 'agent_reported' ? last.lastMessage(entry) : null;
    view = nextView(view, entry, performance.now(), message);
    // With `--stream`, the agent's own words show that it works, so the live line isn't needed.
    const shown = isLive(view) && !(options.words && view.gates.running.length === 0);
    if (shown) line.show((width) => liveText(view, performance.now(), width));
    else if (wasLive) line.hide();
    if (isWholeWait(entry))
      line.show((width) => fitWidth(`${waitText(entry.wait, new Date())} (Ctrl-C to stop)`, width));
    if (endsLine(entry)) line.hide();
  }

  function followTask(entry: Entry, taskId: string): void {
    if (line === null) return;
    const known = entry.type === 'iteration_started' ? NOTHING_LIVE : views.get(taskId);
    if (entry.type === 'iteration_finished') views.delete(taskId);
    else if (known !== undefined) views.set(taskId, nextView(known, entry, performance.now()));
    if (views.size === 0) line.hide();
    else line.show((width) => severalText([...views.values()], performance.now(), width));
  }

  function textOf(entry: Entry, room: Terminal): string | null {
    // In a terminal the live line counts a wait down, so no line is printed.
    if (terminal.live && isWholeWait(entry)) return null;
    if (entry.type === 'run_reported') return `\n${reportText(entry.report, room)}`;
    if (entry.type !== 'human_gate_opened') {
      const lines = entryLines(entry, { now: new Date(), isLasting });
      return lines.length === 0 ? null : linesText(lines, room);
    }
    const panel = options.panelOf?.(entry.request) ?? null;
    return panel === null ? null : `\n${room.style.yellow(redactor(secrets)(panel))}`;
  }

  function show(given: Entry, taskId?: string): void {
    if (given.type === 'agent_reported' && given.retry === undefined) {
      // What several agents say at once isn't printed; `ralph logs TASK --follow` shows one of them.
      if (taskId !== undefined) return;
      if (options.words) words.say(given);
      follow(last.shareable(given));
      return;
    }
    // Long entries that are kept and not printed need no cleaning for the terminal.
    const entry = isPrinted(given.type) || !isKept(given) ? printable(given) : given;
    if (isPrinted(entry.type)) {
      words.end();
      if (entry.type === 'iteration_started') words.begin(entry.agent);
      if (endsLine(entry)) line?.hide();
      const label = taskId === undefined ? '' : `${onOneLine(taskId)} | `;
      const room = label === '' ? terminal : narrowed(terminal, displayWidth(label));
      const made = textOf(entry, room);
      const text = made === null ? null : labelled(room.fitted(made), label);
      if (text !== null && entry.type === 'run_reported') stream.write(`${text}\n`);
      else if (text !== null) print(`${text}\n`);
    }
    if (taskId === undefined) follow(entry);
    else followTask(entry, taskId);
  }

  function hide(values: readonly string[]): void {
    secrets = [...new Set([...secrets, ...values])];
    words.hide(values);
    last.hide(values);
  }
  return { show, hide, dispose: () => line?.hide() };
}

/** Returns a text with the task that it is about in front of each line. */
function labelled(text: string, label: string): string {
  if (label === '') return text;
  return text
    .replace(/^\n+/, '')
    .split('\n')
    .map((line) => `${label}${line}`.trimEnd())
    .join('\n');
}

/** Whether the whole run waits, so that nothing else is active. */
function isWholeWait(entry: Entry): entry is EntryOf<'wait_started'> {
  return entry.type === 'wait_started' && (entry.wait.for !== 'agent' || entry.wait.working === 0);
}

function endsLine(entry: Entry): boolean {
  return (
    ENDS_LINE.has(entry.type) ||
    (entry.type === 'gates_finished' && entry.gate === null && entry.judgements.length === 0)
  );
}

const ENDS_LINE: ReadonlySet<Entry['type']> = new Set([
  ...(['iteration_finished', 'wait_finished', 'run_finished'] as const),
]);
