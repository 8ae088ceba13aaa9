import { displayWidth, wordColumnsOf } from 'ralph-kit/columns';
import { redactor, secretsFromEnv } from 'ralph-kit/redact';
import { streamLines } from 'ralph-kit/stream-lines';
import type { EntryOf } from '../../domain/entry.ts';
import { markLine } from './mark-line.ts';
import type { Terminal } from './terminal.ts';

type AgentEvent = EntryOf<'agent_reported'>;

/** Room for an agent's words beside their mark, in columns, however narrow the terminal is. */
const LEAST_ROOM = 20;

/** What an agent says and does as it comes (`--stream`): whole lines, each marked as the agent's own. */
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
    /** Something else is printed next. */
    end,
  };
}

/** The last whole line that an agent printed, and its actions, ready to be shown in one line. */
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
    /** The last line that this event ends; `null`: none. */
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

/** Text of an agent, each line of it marked as the agent's own; broken between words where a terminal shows it. */
export function agentLines(agent: string, text: string, { style, width, piped }: Terminal): string[] {
  const lines = text.replaceAll('\t', '  ').split('\n');
  const room = Math.max(LEAST_ROOM, width - displayWidth(markLine(agent, '')));
  // The terminal would begin the rest of a longer line at its left edge, as if it were ralph's.
  const pieces = piped ? lines : lines.flatMap((line) => wordColumnsOf(line, room));
  return pieces.map((piece) => markLine(style.dim(agent), piece));
}

/** Lines of the block that agents report with; a block without its end is over at the first line of another kind. */
const FIELD = /^\W*(?:TASK|STATUS|EXIT_SIGNAL|EVIDENCE|REASON|RECOMMENDATION)\b|^\s*(?:[-*]\s|$)/;
const BEGINS = /^\W*RALPH_STATUS\W*$/;
const ENDS = /^\W*END[_ ]RALPH_STATUS\b/;

/** Tells line by line whether it is for people: the status block is for ralph. */
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

export function withoutStatusBlock(text: string): string {
  return text.split('\n').filter(wordsForPeople()).join('\n').trimEnd();
}
