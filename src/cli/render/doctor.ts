import { type Terminal, table, wrap } from '../../io/ui/index.ts';
import { stripControl } from '../../lib/text.ts';

type Data = Record<string, unknown>;
type Finding = {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  readonly detail: string;
  readonly mend: string | null;
};

const GROUPS: readonly (readonly [prefix: string, title: string])[] = [
  ['git', 'Repository'],
  ['config', 'Configuration'],
  ['trust', 'Trust'],
  ['tasks', 'Tasks'],
  ['gates', 'Gates'],
  ['agents', 'Agents'],
  ['machine', 'Machine'],
  ['state', 'Records'],
  ['ralph_gold', 'From ralph-gold'],
];

/** Findings by group; the mend of each that is not ok on a line of its own. */
export function doctorText(data: Data, terminal: Terminal): string {
  const findings = data.findings as readonly Finding[];
  const lines = GROUPS.flatMap(([prefix, title]) => {
    const group = findings.filter(({ id }) => id.startsWith(`${prefix}.`));
    return group.length === 0
      ? []
      : [terminal.style.bold(title), ...group.map((one) => findingText(one, terminal)), ''];
  });
  return [...lines, lastLine(data.counts as Record<string, number>, terminal)].join('\n');
}

function findingText({ status, title, detail, mend }: Finding, { style, width }: Terminal): string {
  const mark = markOf(status, style);
  const text = detail === '' ? title : `${title}: ${detail}`;
  const first = `  ${mark} ${wrap(stripControl(text), width, '    ')}`;
  return mend === null
    ? first
    : `${first}\n    ${style.cyan('→')} ${wrap(stripControl(mend), width, '      ')}`;
}

function markOf(status: string, style: Terminal['style']): string {
  switch (status) {
    case 'ok':
      return style.green('✔');
    case 'error':
      return style.red('✖');
    case 'warning':
      return style.yellow('!');
    default:
      return style.dim('–');
  }
}

function lastLine(counts: Record<string, number>, { style }: Terminal): string {
  const { error = 0, warning = 0 } = counts;
  const warnings = warning === 0 ? '' : `${warning} ${warning === 1 ? 'warning' : 'warnings'}`;
  if (error > 0) {
    const errors = `${error} ${error === 1 ? 'error' : 'errors'}`;
    return `${style.red(`${errors}: ralph run would refuse.`)}${warnings === '' ? '' : ` ${warnings}.`}`;
  }
  return warnings === '' ? style.green('All is well.') : `${style.yellow(warnings)}, no error.`;
}

type Value = { key: string; value: unknown; layer: string; source: string; line: number | null };

/** `ralph doctor --config`: key, value, origin. */
export function configText(data: Data, { width }: Terminal): string {
  const values = data.values as readonly Value[];
  // The value comes last: it alone may be cut at the width of the terminal.
  return table(
    values.map(({ key, value, layer, source, line }) => [
      key,
      layer === 'built-in' ? 'built-in' : `${source}${line === null ? '' : `:${line}`}`,
      stripControl(JSON.stringify(value) ?? ''),
    ]),
    width,
  );
}

type Agent = {
  readonly name: string;
  readonly path: string | null;
  readonly version: string | null;
  readonly signed_in: readonly string[];
  readonly gate: string;
  readonly can_modify: boolean;
  readonly mid_stream: boolean;
  readonly usage: string;
  readonly resume: boolean;
};

/** `ralph doctor --agents`: what ralph can do with each. */
export function agentsText(data: Data, { style, width }: Terminal): string {
  const agents = data.agents as readonly Agent[];
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  const head = ['agent', 'hook', 'modify', 'mid-stream', 'usage', 'resume', 'version'];
  // Short words: the table has to fit into 80 columns.
  const rows = agents.map((agent) => [
    agent.name,
    agent.gate === 'control channel' ? 'channel' : agent.gate,
    yes(agent.can_modify),
    yes(agent.mid_stream),
    agent.usage.replace(' and cost', ', $'),
    yes(agent.resume),
    agent.path === null ? 'not installed' : stripControl(agent.version ?? 'did not tell'),
  ]);
  const chosen =
    data.chosen === null ? 'No agent can be used.' : `A run takes ${stripControl(String(data.chosen))}.`;
  return `${table([head, ...rows], width)}\n\n${style.dim(chosen)}`;
}
