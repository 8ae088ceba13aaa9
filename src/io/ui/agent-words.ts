import { displayWidth, wordColumnsOf } from 'ralph-kit/columns';
import { redactor, secretsFromEnv } from 'ralph-kit/redact';
import { streamLines } from 'ralph-kit/stream-lines';
import type { EntryOf } from '../../domain/entry.ts';
import { markLine } from './mark-line.ts';
import type { Terminal } from './terminal.ts';

type AgentEvent = EntryOf<'agent_reported'>;

/** Columns that an agent's words get at least, however narrow the terminal is. */
const LEAST_ROOM = 20;

/**
 * Prints what an agent says and does as it arrives (`--stream`): whole lines, each marked as the agent's own.
 */
export function agentWords(terminal: Terminal, write: (text: string) => void) {
  let agent = 'agent';
  let secrets = secretsFromEnv(process.env);
  let lines = streamLines(secrets);
  let isForPeople = wordsForPeople();

  function show(texts: readonly string[]): void {
    for (const line of texts.filter(isForPeople).flatMap((text) => agentLines(agent, text, terminal)))
      write(`${line}\n`);
  }
  const end = () => show(lines.end());

  return {
    begin: (name: string) => {
      agent = name;
      isForPeople = wordsForPeople();
    },
    hide: (values: readonly string[]) => {
      secrets = [...new Set([...secrets, ...values])];
      lines = streamLines(secrets);
    },
    say: ({ event, action }: AgentEvent) => {
      if (event.kind === 'text') {
        if (!event.delta) end();
        show(lines.push(event.text));
      } else if (action !== null) {
        end();
        show([...lines.push(`> ${action}`), ...lines.end()]);
      }
    },
    /** Ends the agent's unfinished line, since something else is printed next. */
    end,
  };
}

/** Keeps the last whole line that an agent printed, and its actions, for the live line. */
export function lastWords() {
  let secrets = secretsFromEnv(process.env);
  let lines = streamLines(secrets);
  let redact = redactor(secrets);
  const isForPeople = wordsForPeople();
  return {
    hide: (values: readonly string[]) => {
      secrets = [...new Set([...secrets, ...values])];
      lines = streamLines(secrets);
      redact = redactor(secrets);
    },
    /** Returns the last line of the agent's text that this event completes; `null`: it completes none. */
    lastMessage: ({ event }: AgentEvent): string | null => {
      if (event.kind !== 'text') return null;
      const ended = event.delta
        ? lines.push(event.text)
        : [...lines.end(), ...lines.push(event.text), ...lines.end()];
      return (
        ended
          .filter(isForPeople)
          .findLast((line) => line.trim() !== '')
          ?.trim() ?? null
      );
    },
    shareable: (event: AgentEvent): AgentEvent =>
      event.action === null ? event : { ...event, action: redact(event.action) },
  };
}

/**
 * Returns an agent's text with a mark of the agent on each line, broken between words where it goes to a
 * terminal.
 */
export function agentLines(agent: string, text: string, { style, width, piped }: Terminal): string[] {
  const lines = text.replaceAll('\t', '  ').split('\n');
  const room = Math.max(LEAST_ROOM, width - displayWidth(markLine(agent, '')));
  // The terminal would continue a longer line at its left edge, where it would look like one of ralph's.
  const pieces = piped ? lines : lines.flatMap((line) => wordColumnsOf(line, room));
  return pieces.map((piece) => markLine(style.dim(agent), piece));
}

/**
 * Lines of the status block that agents report with; a block without an end is over at the first line of
 * another kind.
 */
const FIELD = /^\W*(?:TASK|STATUS|EXIT_SIGNAL|EVIDENCE|REASON|RECOMMENDATION)\b|^\s*(?:[-*]\s|$)/;
const BEGINS = /^\W*RALPH_STATUS\W*$/;
const ENDS = /^\W*END[_ ]RALPH_STATUS\b/;

/**
 * Returns a function that decides line by line whether the agent's text is for people: its status block is for
 * ralph.
 */
function wordsForPeople(): (line: string) => boolean {
  let inside = false;
  return (line) => {
    if (BEGINS.test(line)) inside = true;
    else if (inside && ENDS.test(line)) {
      inside = false;
      return false;
    } else if (inside && !FIELD.test(line)) inside = false;
    return !inside;
  };
}

/** Returns the last line of an agent's words that is for people; `null`: there is none. */
export function lastLine(text: string): string | null {
  return (
    withoutStatusBlock(text)
      .split('\n')
      .findLast((line) => line.trim() !== '') ?? null
  );
}

export function withoutStatusBlock(text: string): string {
  return text.split('\n').filter(wordsForPeople()).join('\n').trimEnd();
}
