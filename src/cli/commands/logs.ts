import { type LogsResult, logs } from '../../app/commands/logs.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { words } from '../render/words.ts';

export async function run(call: Call, iteration: number | null = null) {
  await call.print(await logs({ ...call, iteration }), logsText);
}

/** `ralph logs` */
export function logsText(data: LogsResult, { style, para }: Terminal): string {
  const lines = [
    `${style.bold(`#${data.iteration}`)} ${data.task_id ?? ''} ${words(data.verdict ?? '')}`,
    para(data.cause ?? '', '  '),
    ...data.interventions.map(({ type, why }) => para(`${words(type)}: ${why}`, '  ')),
    style.dim(`  ${data.folder}`),
    '',
    data.output.trimEnd() || '(the agent printed nothing)',
  ];
  if (data.errors.trim() !== '') lines.push('', style.dim('standard error:'), data.errors.trimEnd());
  for (const { action, reason } of data.denied) {
    lines.push('', style.yellow(para(action, 'denied: ', '  ')), para(reason, '  '));
  }
  for (const { name, outcome, output } of data.gates) {
    if (outcome === 'passed' || outcome === 'skipped') continue;
    lines.push('', style.red(`gate ${name}: ${words(outcome)}`), output.trimEnd());
  }
  return lines.join('\n');
}
