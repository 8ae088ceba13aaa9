import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import type { LoggedAttempt } from '../../app/records/logged-attempt.ts';
import { agentLines, linesText, type Terminal, withoutStatusBlock } from '../../io/ui/index.ts';
import {
  cutOffText,
  EFFECT,
  FATE_WORD,
  findingText,
  gateLine,
  gateRunText,
  localTime,
  refutedBy,
  spentParts,
  stateWord,
  withLocalTimes,
  words,
} from '../../tell/index.ts';

type Entry = LoggedAttempt['transcript'][number];

/** Maximum number of lines of output that are shown for a failed call. */
const OUTPUT_LINES = 12;

export function attemptText(attempt: LoggedAttempt, terminal: Terminal): string {
  const lines = attempt.transcript.flatMap((entry) => entryLines(entry, attempt.agent, terminal));
  const body = lines.length === 0 ? [NO_OUTPUT[attempt.state]] : lines;
  return [headText(attempt, terminal), '', ...body, ...endLines(attempt, terminal)].join('\n');
}

/** Returns the output that made an attempt fail: that of its gates, otherwise the agent's errors. */
export function failedText(attempt: LoggedAttempt, terminal: Terminal): string {
  const { style, fitted } = terminal;
  const failed = attempt.gates.filter((gate) => FAILED.has(gate.outcome) || refutedBy(gate) !== null);
  const parts = failed.map((gate) => {
    const { name, output } = gate;
    const status = refutedBy(gate);
    const head =
      status === null
        ? style.bold(`gate "${name}"`)
        : linesText([gateLine({ name, standing: status, why: gate.why })], terminal);
    return `${head}\n${fitted(output.trimEnd())}`;
  });
  const errors = parts.length === 0 && attempt.errors.trim() !== '' ? [fitted(attempt.errors.trimEnd())] : [];
  const none = parts.length + errors.length === 0 ? ['(no gate failed, and the agent printed no error)'] : [];
  return [headText(attempt, terminal), ...parts, ...errors, ...none].join('\n\n');
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'timed_out', 'tool_missing']);

const NO_OUTPUT = {
  finished: '(the agent printed nothing)',
  running: '(the agent has printed nothing yet)',
  cut_off: '(the agent had printed nothing)',
};

export function headText(attempt: LoggedAttempt, { style, para }: Terminal): string {
  const { iteration, task_id: id, title, cause, agent, started_at: at, duration_ms: ms } = attempt;
  const facts = [
    stateWord(attempt),
    ...(agent === null ? [] : [agent]),
    ...(attempt.attempt === null ? [] : [`attempt ${attempt.attempt}`]),
    ...(at === null ? [] : [localTime(at, new Date())]),
    ...(ms === null ? [] : [formatDuration(ms)]),
  ].filter((part) => part !== '');
  return [
    para(`${style.bold(`#${iteration} ${id ?? ''}`)} ${title ?? ''}`.trimEnd()),
    style.dim(para(facts.join(', '), '  ')),
    ...(cause === null ? [] : [para(withLocalTimes(cause, new Date()), '  ')]),
    ...(attempt.state === 'cut_off' ? [para(cutOffText(iteration, id ?? ''), '  ')] : []),
  ].join('\n');
}

/** Returns the lines of an entry, marked with the agent's name. A call has its outcome. */
export function entryLines(entry: Entry, agent: string | null, terminal: Terminal): string[] {
  const { style } = terminal;
  const marked = (text: string) => agentLines(agent ?? 'agent', text, terminal);
  if (entry.kind === 'said') {
    const text = withoutStatusBlock(entry.text);
    return text === '' ? [] : marked(text);
  }
  if (entry.kind === 'note') return marked(`! ${entry.text}`).map((line) => style.yellow(line));
  const outcome = outcomeText(entry);
  const lines = marked(`> ${entry.action}${outcome === '' ? '' : ` (${outcome})`}`);
  if (entry.ok !== false) return lines;
  const tail = entry.output.split('\n').slice(-OUTPUT_LINES).join('\n');
  return [...lines.map((line) => style.red(line)), ...(tail === '' ? [] : marked(indented(tail)))];
}

function outcomeText({ ok, exit_code: code, duration_ms: ms }: Extract<Entry, { kind: 'call' }>): string {
  const failed = code === null || code === 0 ? 'failed' : `exit ${code}`;
  const outcome = ok === null ? [] : [ok ? 'ok' : failed];
  return [...outcome, ...(ms === null ? [] : [formatDuration(ms)])].join(', ');
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

export function endLines(attempt: LoggedAttempt, terminal: Terminal): string[] {
  const { style, para } = terminal;
  const lines = attempt.notes.map((note) => style.dim(para(note, '  ')));
  const add = (title: string, content: readonly string[]) => {
    if (content.length > 0) lines.push('', style.bold(title), ...content);
  };
  add(
    'Standard error',
    attempt.errors.trim() === ''
      ? []
      : agentLines(attempt.agent ?? 'agent', attempt.errors.trimEnd(), terminal),
  );
  add('Found', [
    ...attempt.findings.map(({ type, summary }) => para(summary, `  ${words(type)}: `, '    ')),
    ...attempt.denied.flatMap(({ action, reason }) => [
      style.yellow(para(action, '  denied: ', '    ')),
      para(reason, '    '),
    ]),
  ]);
  add(
    'Done about it',
    attempt.interventions.map(({ type }) => para(`${EFFECT[type]}.`, '  ', '    ')),
  );
  add(
    'Gates',
    attempt.gates.flatMap((gate) => gateLines(gate, terminal)),
  );
  add(
    'Roles',
    attempt.roles.flatMap((role) => roleLines(role, terminal)),
  );
  add('Changes', changeLines(attempt, terminal));
  return [...lines, '', style.dim(attempt.folder)];
}

function roleLines(role: LoggedAttempt['roles'][number], { style, para }: Terminal): string[] {
  const { failure, verdict, findings, duration_ms: ms, tokens, cost_usd, estimated_usd, wrote } = role;
  const spent = { tokens, costUsd: cost_usd, estimatedUsd: estimated_usd };
  const who = [role.agent, ...(role.model === null ? [] : [role.model])].join(', ');
  const how = `${role.replaced ? ', in place of another agent' : ''}${role.adversarial ? ', looked again' : ''}`;
  const result =
    failure !== null ? `failed: ${failure}` : verdict === null ? 'done' : words(verdict.toLowerCase());
  const facts = [result, formatDuration(ms), ...spentParts(spent)].join(', ');
  const head = para(`${role.role} (${who})${how}: ${facts}`, '  ', '    ');
  return [
    failure === null ? head : style.red(head),
    ...findings.map((finding) =>
      para(`${findingText(finding)} (${FATE_WORD[finding.fate]})`, '    ', '      '),
    ),
    ...(wrote.length === 0
      ? []
      : [style.yellow(para(`wrote ${wrote.join(', ')}; undone`, '    ', '      '))]),
  ];
}

function gateLines(gate: LoggedAttempt['gates'][number], terminal: Terminal): string[] {
  const { name, outcome, output } = gate;
  const { style } = terminal;
  const passed = outcome === 'passed';
  const status = refutedBy(gate);
  if (status !== null)
    return [`  ${linesText([gateLine({ name, standing: status, why: gate.why })], terminal)}`];
  const text = `${passed ? '✔' : outcome === 'skipped' ? '–' : '✖'} ${gateRunText(gate)}`;
  if (passed || outcome === 'skipped') return [`  ${passed ? style.green(text) : style.dim(text)}`];
  const tail = output.trimEnd();
  return [`  ${style.red(text)}`, ...(tail === '' ? [] : agentLines(`    ${name}`, tail, terminal))];
}

const CHANGE_WORDS = {
  added: 'new',
  modified: 'changed',
  deleted: 'deleted',
  renamed: 'renamed',
  mode_changed: 'mode',
  type_changed: 'type',
} as const;

function changeLines({ changes, iteration }: LoggedAttempt, { style, para, table }: Terminal): string[] {
  if (changes.length === 0) return [];
  const rows = changes.map(({ path, old_path: old, kind, lines_added: added, lines_removed: removed }) => [
    `  ${CHANGE_WORDS[kind]}`,
    style.green(`+${added}`),
    style.red(`-${removed}`),
    `${old === null ? '' : `${old} → `}${path}`,
  ]);
  return [table(rows), para(`${counted(changes.length, 'file')}: ralph diff ${iteration}`, '  ')];
}
