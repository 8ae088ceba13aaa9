import type { RunResult } from '../../domain/loop-event.ts';
import { counted } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';
import { displayWidth, firstFew, fitWidth, onOneLine, quotedNames } from '../../lib/text.ts';
import { APPROVE, editLines } from './edit-lines.ts';
import type { Terminal } from './terminal.ts';
import { withLocalTimes } from './times.ts';

/** Open tasks that the summary explains one by one. */
const SHOWN = 10;
/** Paths of yours that it names. */
const YOURS = 5;

/** The end of a run, for the morning: what is done, what is not and why, and what to run next. */
export function summaryText(result: RunResult, terminal: Terminal): string {
  const { style, width, para } = terminal;
  const now = new Date();
  const reason = para(withLocalTimes(result.reason, now));
  const lines = [
    '',
    style.bold(result.exitCode === 0 ? style.green(reason) : style.yellow(reason)),
    para(countsText(result), '  '),
    ...particulars(result, terminal),
    ...result.doneInRun.map(({ id, title }) => `  ${style.green('✔')} ${id} ${fitted(id, title, width)}`),
  ];
  lines.push(...result.edits.flatMap((edit) => editLines(edit, terminal, '  ')));
  if (result.yours.length > 0)
    lines.push(
      para(
        `Changed meanwhile by no action of the agent, so it counts as yours: ${firstFew(result.yours.map(onOneLine), YOURS)}`,
        '  ',
      ),
    );
  lines.push(...undoneLines(result, terminal));
  if (result.settingsToApprove) lines.push(style.yellow(para(APPROVE, '  ')));
  for (const { id, why, next } of result.notCommitted) {
    lines.push(style.yellow(para(`${id} was not committed: ${why} To commit it:`, '  ')), `      ${next}`);
  }
  for (const { id, title, status, why, strategy, next, recovery, setAside } of result.unfinished.slice(
    0,
    SHOWN,
  )) {
    const mark = status === 'blocked' ? style.red('✖') : style.yellow('–');
    lines.push(`  ${mark} ${id} ${fitted(id, title, width)}`, para(withLocalTimes(why, now), '      '));
    lines.push(...recovery.map((step, at) => para(step, `      ${at + 1}. `)));
    // A command is never broken: it is there to be copied.
    if (setAside !== null) lines.push(`      its work is kept: ralph checkpoints apply ${setAside}`);
    if (strategy !== null) lines.push(`      ${style.bold(strategy)}: ${next}`);
  }
  const more = result.unfinished.length - SHOWN;
  if (more > 0) lines.push(`  and ${more} more: ralph tasks`);
  if (result.next.length > 0) lines.push('', nextLine(result.next, width));
  return lines.join('\n');
}

/** Your uncommitted work that attempts undid. */
function undoneLines(
  { undoneWork: { putBack, count, kept } }: RunResult,
  { style, para }: Terminal,
): string[] {
  const lines: string[] = [];
  if (count > 0) {
    const more = count > YOURS ? ' Each of them: ralph interventions --type user_work_destroyed' : '';
    const text = `Uncommitted work of yours was undone by an attempt and put back: ${firstFew(putBack.map(onOneLine), YOURS)}.${more}`;
    lines.push(style.yellow(para(text, '  ')));
  }
  for (const checkpoint of new Set(kept.map((one) => one.checkpoint))) {
    const names = kept.filter((one) => one.checkpoint === checkpoint).map(({ path }) => onOneLine(path));
    lines.push(
      para(`Your uncommitted version of ${firstFew(names, YOURS)} was replaced; it is kept:`, '  '),
      `      ralph checkpoints diff ${checkpoint}`,
    );
  }
  return lines;
}

function countsText({ tasks, iterations, durationMs }: RunResult): string {
  const parts = [`${tasks.done} of ${tasks.total} tasks done`];
  if (tasks.unverified > 0) parts.push(`${tasks.unverified} ticked, not verified`);
  if (tasks.blocked > 0) parts.push(`${tasks.blocked} blocked`);
  if (tasks.open > 0) parts.push(`${tasks.open} open`);
  return `${parts.join(', ')}; ${counted(iterations, 'iteration')} in ${formatDuration(durationMs)}`;
}

/** What happened on the way, as far as anything did. */
function particulars(result: RunResult, { style, para }: Terminal): string[] {
  const lines: string[] = [];
  if (result.redGates.length > 0) {
    const fails = `The tree is not green: gate ${quotedNames(result.redGates)} failed before the run or by your changes, and still fails.`;
    lines.push(style.yellow(para(fails, '  ')));
  }
  if (result.liesCaught > 0) lines.push(`  ${counted(result.liesCaught, 'false claim')} caught.`);
  if (result.commandsRefused > 0) {
    const refused = `${counted(result.commandsRefused, 'command')} of ralph refused, called by the agent or a gate: ralph interventions --type command_refused`;
    lines.push(style.yellow(para(refused, '  ')));
  }
  if (result.deniedActions.count > 0) lines.push(para(deniedText(result.deniedActions), '  '));
  for (const { agent, why } of result.gateLost) {
    lines.push(style.yellow(para(`Actions of ${agent} were seen only once started: ${why}.`, '  ')));
  }
  if (result.tokens > 0) {
    const cost = result.costUsd === null ? '' : `, $${result.costUsd.toFixed(2)}`;
    lines.push(`  ${result.tokens.toLocaleString('en-US')} tokens${cost}`);
  }
  return lines;
}

function deniedText({ count, begun, iterations }: RunResult['deniedActions']): string {
  const where = iterations.length === 1 ? ` in #${iterations[0]}` : '';
  const late = begun === 0 ? '' : begun === count ? ', once started' : `, ${begun} of them once started`;
  return `${counted(count, 'action')} denied${where}${late}: ralph interventions --type action_denied`;
}

function fitted(id: string, title: string, width: number): string {
  return fitWidth(title, Math.max(20, width - id.length - 6));
}

/** Commands side by side where they fit; they are there to be copied, so none is broken. */
function nextLine(commands: readonly string[], width: number): string {
  const line = `Next: ${commands.join('   ')}`;
  return displayWidth(line) <= width ? line : `Next: ${commands.join('\n      ')}`;
}
