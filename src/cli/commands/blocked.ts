import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { capitalized } from 'ralph-kit/text';
import type { BlockedResult } from '../../app/commands/blocked.ts';
import { type Strategy, strategyWord } from '../../domain/records/blocked.ts';
import { workText } from '../../domain/work-place.ts';
import { failingLines, type Terminal } from '../../io/ui/index.ts';
import { words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  blocked: ['blocked', 'blocked --suggest'],
};

export function define(program: Command): void {
  program
    .command('blocked')
    .option('--suggest', 'what to do about each, with the command for it')
    .action(actionOf(run, false));
}

export async function run(call: Call, { suggest = false }: { readonly suggest?: boolean }) {
  const { blocked } = await import('../../app/commands/blocked.ts');
  await call.print(await blocked({ ...call, suggest }), blockedText);
}

type Blocked = BlockedResult['blocked'][number];

const WAITING_SHOWN = 10;

export function blockedText({ blocked, waiting, needs_you }: BlockedResult, terminal: Terminal): string {
  const decisions = needs_you.map((task) => decisionText(task, terminal));
  if (blocked.length === 0) return ['No task is blocked.', ...decisions].join('\n\n');
  const suggested = blocked.flatMap((task) => suggestionText(task, terminal));
  const parts = suggested.length > 0 ? suggested : [blockedTable(blocked, terminal)];
  parts.push(...decisions);
  if (waiting.length > 0) parts.push(waitingText(waiting, terminal));
  if (suggested.length === 0) {
    parts.push(terminal.style.dim('What to do about them: ralph blocked --suggest'));
  }
  return parts.join('\n\n');
}

function blockedTable(list: readonly Blocked[], { table }: Terminal): string {
  const rows = list.map(({ id, reason, attempts, spent_ms, title }) => [
    id,
    words(reason),
    String(attempts),
    attempts === 0 ? '-' : formatDuration(spent_ms),
    title,
  ]);
  return table(rows, ['task', 'reason', 'attempts', 'spent', 'title']);
}

function strategyText(strategy: Strategy): string {
  const word = strategyWord(strategy);
  return strategy === 'manual_review' ? capitalized(word) : `Try: ${word}`;
}

function suggestionText(task: Blocked, { style, para }: Terminal): string[] {
  if (!('suggestion' in task)) return [];
  const { id, reason, attempts, spent_ms, title, failing, suggestion } = task;
  const place = workText(task.work);
  const spent = attempts === 0 ? '' : `, ${counted(attempts, 'attempt')}, ${formatDuration(spent_ms)} spent`;
  const lines = [
    `${style.red('✖')} ${style.bold(id)} ${words(reason)}${spent}`,
    para(title, '  '),
    `  ${style.bold(strategyText(suggestion.strategy))}`,
    para(suggestion.reason, '  '),
    ...failingLines(failing, { style, para }, '  '),
    ...(suggestion.first === null ? [] : [para(`first: ${suggestion.first}`, '  ', '    ')]),
    // Places and commands aren't wrapped, so that they can be copied.
    ...(place === null ? [] : [`  ${place}`]),
    `  ${style.cyan(suggestion.command)}`,
  ];
  return [lines.join('\n')];
}

function decisionText(
  { id, title, why, command }: BlockedResult['needs_you'][number],
  { style, para }: Terminal,
): string {
  return [
    `${style.yellow('!')} ${style.bold(id)} waits for you`,
    para(title, '  '),
    ...(why === null ? [] : [para(why, '  ')]),
    `  ${style.cyan(command)}`,
  ].join('\n');
}

function waitingText(waiting: BlockedResult['waiting'], { para }: Terminal): string {
  const lines = waiting
    .slice(0, WAITING_SHOWN)
    .map(({ id, waits_for }) => para(`${id} waits for ${waits_for.join(', ')}`, '', '  '));
  const more = waiting.length - WAITING_SHOWN;
  return (more > 0 ? [...lines, `and ${more} more wait`] : lines).join('\n');
}
