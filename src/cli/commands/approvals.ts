import { Argument, type Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { ApprovalsInput, ApprovalsResult } from '../../app/commands/human/approvals.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { dateTime, nextLine, words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { atTerminal } from '../loop-input.ts';

export const examples: Examples = {
  approvals: [
    'approvals',
    'approvals show G-1',
    'approvals decide G-1 approve --guidance "Keep the old test, too"',
    'approvals report e-12 --reason "The test was moved"',
    'approvals verify',
  ],
};

export function define(program: Command): void {
  program
    .command('approvals')
    .addArgument(
      new Argument('[action]', 'list requests, show one, decide one, verify the log, report a false positive')
        .choices(['list', 'show', 'decide', 'verify', 'report'])
        .default('list'),
    )
    .argument('[id]', 'G-3 or 3; to report: the event, e-12')
    .argument('[option]', 'to decide: approve, reject, …; without it you are asked at a terminal')
    .option('--reason <text>', 'why, for the log and the agent')
    .option('--guidance <text>', 'what the agent should do')
    .option('--agent <name>', 'to delegate: the agent that gets the task')
    .option('--key <file>', 'private SSH key to sign with; by default the one in ssh-agent or ~/.ssh')
    .action(actionOf(run, (action) => action === 'decide' || action === 'report'));
}

export async function run(
  call: Call,
  action: ApprovalsInput['action'],
  id: string | null = null,
  option: string | null = null,
  options: Partial<ApprovalsInput> = {},
) {
  const { approvals } = await import('../../app/commands/human/approvals.ts');
  const { askGate } = await import('../ask-gate.ts');
  const { reason = null, guidance = null, agent = null, key = null } = options;
  const ask = atTerminal(call)(askGate);
  await call.print(
    await approvals({ ...call, action, id, option, reason, guidance, agent, key, ask }),
    approvalsText,
  );
}

export function approvalsText(data: ApprovalsResult, terminal: Terminal): string {
  const { style, para } = terminal;
  switch (data.action) {
    case 'list':
      return listText(data, terminal);
    case 'show':
      return [
        data.panel,
        para(authorityText(data.authority)),
        `Next: ralph approvals decide ${data.request.id} …`,
      ].join('\n');
    case 'view':
      return data.text;
    case 'report':
      return `${style.green('✔')} ${data.event} is reported; ${data.task_id} waits at ${style.bold(data.id)}.\nNext: ralph approvals decide ${data.id}`;
    case 'verify':
      return verifyText(data, terminal);
    case 'decide': {
      const signed = data.signed ? ', signed' : '';
      return `${style.green('✔')} ${style.bold(data.id)} (${data.task_id}): ${data.option}, by ${data.user}${signed}.\n${nextLine(data.next)}`;
    }
  }
}

type Of<A extends ApprovalsResult['action']> = Extract<ApprovalsResult, { action: A }>;

function listText({ open, incidents, decided }: Of<'list'>, { style, table, para }: Terminal): string {
  const rows = [
    ...open.map(({ id, gate, task_id, at, why, action }) => [id, gate, task_id, dateTime(at), action ?? why]),
    ...incidents.map(({ id, task_id, at, why }) => [id, 'incident', task_id, dateTime(at), why]),
  ];
  const next = open[0] === undefined ? incidents[0]?.command : `ralph approvals show ${open[0].id}`;
  const waiting =
    rows.length === 0
      ? ['Nothing waits for your decision.']
      : [table(rows, ['id', 'gate', 'task', 'since', 'why']), '', `Next: ${next}`];
  const over = decided.map(({ id, task_id, option, user, at }) =>
    para(`${id} ${task_id}: ${option} (${user}, ${dateTime(at)})`, '  ', '    '),
  );
  return [...waiting, ...(over.length === 0 ? [] : ['', style.bold('Decided'), ...over])].join('\n');
}

function verifyText({ path, lines, problems }: Of<'verify'>, { style, para }: Terminal): string {
  if (problems.length === 0)
    return `${style.green('✔')} ${path}: ${counted(lines, 'line')}, nothing changed.`;
  const rows = problems.map(({ kind, message }) => para(`${kind}: ${message}`, '  ', '    '));
  const isRecord = ({ kind }: (typeof problems)[0]) =>
    kind === 'signature' || kind === 'time' || kind === 'unlogged';
  if (problems.every(isRecord))
    return [
      style.red(`✘ ${path} has decisions that may not be yours:`),
      ...rows,
      'A signature counts with a key of [human.people] alone. See: ralph approvals',
    ].join('\n');
  return [
    style.red(`✘ ${path} isn't as ralph wrote it:`),
    ...rows,
    'The journal has the correct version of this file; ralph restores it with the next decision.',
  ].join('\n');
}

function authorityText({ role, signed }: Of<'show'>['authority']): string {
  return `Who may decide: a ${words(role)}${signed ? ', with a signature' : ''}.`;
}
