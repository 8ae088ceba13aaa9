import type { RunResult } from '../../domain/loop-event.ts';
import { formatDuration } from '../../lib/duration.ts';
import { displayWidth, fitWidth, stripControl } from '../../lib/text.ts';
import type { Terminal } from './style.ts';
import { wrap } from './table.ts';
import { withLocalTimes } from './times.ts';

/** Open tasks that the summary explains one by one. */
const SHOWN = 10;

/** Commands side by side where they fit; they are there to be copied, so none is broken. */
function nextLine(commands: readonly string[], width: number): string {
  const line = `Next: ${commands.join('   ')}`;
  return displayWidth(line) <= width ? line : `Next: ${commands.join('\n      ')}`;
}

function deniedText({ count, begun, iterations }: RunResult['deniedActions']): string {
  const [only] = iterations;
  const where = iterations.length === 1 && only !== undefined ? ` in #${only}` : '';
  const late = begun === 0 ? '' : begun === count ? ', when begun' : `, ${begun} of them when begun`;
  const what = count === 1 ? 'One action was' : `${count} actions were`;
  return `${what} denied${where}${late}: ralph interventions --type action_denied`;
}

/** What a tired person reads first in the morning. */
export function summaryText(result: RunResult, terminal: Terminal): string {
  const { style, width } = terminal;
  const { tasks } = result;
  const good = result.exitCode === 0;
  const now = new Date();
  const reason = withLocalTimes(result.reason, now);
  const lines = [
    '',
    style.bold(good ? style.green(reason) : style.yellow(wrap(stripControl(reason), width, ''))),
  ];
  const parts = [`${tasks.done} of ${tasks.total} tasks done`];
  if (tasks.blocked > 0) parts.push(`${tasks.blocked} blocked`);
  if (tasks.open > 0) parts.push(`${tasks.open} open`);
  const iterations = `${result.iterations} ${result.iterations === 1 ? 'iteration' : 'iterations'}`;
  const count = `${parts.join(', ')}; ${iterations} in ${formatDuration(result.durationMs)}`;
  lines.push(`  ${wrap(count, width, '  ')}`);
  if (result.liesCaught > 0) {
    const times = result.liesCaught === 1 ? 'One false claim was' : `${result.liesCaught} false claims were`;
    lines.push(`  ${times} caught and not believed.`);
  }
  if (result.deniedActions.count > 0) lines.push(`  ${wrap(deniedText(result.deniedActions), width, '  ')}`);
  for (const { agent, why } of result.gateLost) {
    const text = stripControl(`${agent} was only watched: ${why}.`);
    lines.push(style.yellow(`  ${wrap(text, width, '  ')}`));
  }
  if (result.tokens > 0) {
    const cost = result.costUsd === null ? '' : `, $${result.costUsd.toFixed(2)}`;
    lines.push(`  ${result.tokens.toLocaleString('en-US')} tokens${cost}`);
  }
  for (const { id, title } of result.doneInRun) {
    lines.push(
      `  ${style.green('✔')} ${id} ${fitWidth(stripControl(title), Math.max(20, width - id.length - 6))}`,
    );
  }
  for (const task of result.unfinished.slice(0, SHOWN)) {
    const mark = task.status === 'blocked' ? style.red('✖') : style.yellow('–');
    lines.push(
      `  ${mark} ${task.id} ${fitWidth(stripControl(task.title), Math.max(20, width - task.id.length - 6))}`,
    );
    lines.push(`      ${wrap(stripControl(withLocalTimes(task.why, now)), width - 6, '      ')}`);
    // A command is never broken: it is there to be copied.
    if (task.strategy !== null) {
      lines.push(`      ${style.bold(task.strategy)}: ${stripControl(task.next)}`);
    }
  }
  if (result.unfinished.length > SHOWN)
    lines.push(`  and ${result.unfinished.length - SHOWN} more: ralph tasks`);
  if (result.next.length > 0) lines.push('', nextLine(result.next, width));
  return lines.join('\n');
}
