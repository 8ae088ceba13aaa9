import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { capitalized } from 'ralph-kit/text';
import type { DoctorAgentsResult, DoctorConfigResult, DoctorResult } from '../../app/commands/doctor.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  doctor: ['doctor', 'doctor --agents', 'doctor --config'],
};

export function define(program: Command): void {
  program
    .command('doctor')
    .option('--config', 'every value of the configuration with where it came from')
    .option('--agents', 'what ralph can do with each agent')
    .action(actionOf(run, false));
}

export async function run(call: Call, options: { readonly config?: boolean; readonly agents?: boolean }) {
  const { doctor, doctorAgents, doctorConfig } = await import('../../app/commands/doctor.ts');
  if (options.config === true) await call.print(await doctorConfig(call), configText);
  else if (options.agents === true) await call.print(await doctorAgents(call), agentsText);
  else await call.print(await doctor(call), (data, terminal) => doctorText(data, terminal, call.verbose));
}

type Finding = DoctorResult['findings'][number];

/** Titles of groups of findings whose name isn't clear alone. */
const TITLES: Readonly<Record<string, string>> = {
  git: 'Repository',
  config: 'Configuration',
  state: 'Records',
  ralph_gold: 'From ralph-gold',
};

/**
 * Returns the findings by group, each with its fix on a line of its own. Findings with status `ok` are only included
 * with `verbose`.
 */
export function doctorText(
  { findings: all, counts }: DoctorResult,
  terminal: Terminal,
  verbose: boolean,
): string {
  const findings = verbose ? all : all.filter(({ status }) => status !== 'ok');
  const lines = [...new Set(findings.map(groupOf))].flatMap((group) => {
    const title = TITLES[group] ?? capitalized(group);
    const list = findings.filter((one) => groupOf(one) === group);
    return [terminal.style.bold(title), ...list.map((one) => findingText(one, terminal)), ''];
  });
  const passed = verbose || counts.ok === 0 ? '' : ` ${counted(counts.ok, 'check')} passed: ralph doctor -v`;
  return [...lines, `${lastLine(counts, terminal)}${terminal.style.dim(passed)}`].join('\n');
}

function groupOf({ id }: Finding): string {
  return id.slice(0, id.indexOf('.'));
}

function findingText({ status, title, detail, fix }: Finding, { style, para }: Terminal): string {
  const mark = {
    ok: style.green('✔'),
    error: style.red('✖'),
    warning: style.yellow('!'),
    info: style.dim('–'),
  }[status];
  const first = para(detail === '' ? title : `${title}: ${detail}`, `  ${mark} `);
  return fix === null ? first : `${first}\n${para(fix, `    ${style.cyan('→')} `)}`;
}

function lastLine({ error, warning }: DoctorResult['counts'], { style }: Terminal): string {
  const warnings = warning === 0 ? '' : counted(warning, 'warning');
  if (error > 0) {
    const fix = `${counted(error, 'error')}. Fix ${error === 1 ? 'it' : 'them'} before \`ralph run\`.`;
    return `${style.red(fix)}${warnings === '' ? '' : ` ${warnings}.`}`;
  }
  return warnings === '' ? style.green('All is well.') : `${style.yellow(warnings)}, no errors.`;
}

/** The value is the last column, because a table cuts only its last column to the terminal's width. */
export function configText({ values }: DoctorConfigResult, { table }: Terminal): string {
  return table(
    values.map(({ key, value, layer, source, line }) => [
      key,
      layer === 'built-in' ? 'built-in' : `${source}${line === null ? '' : `:${line}`}`,
      JSON.stringify(value) ?? '',
    ]),
  );
}

function acpText(agents: DoctorAgentsResult['agents'], table: Terminal['table']): string {
  const rows = agents.flatMap(({ name, acp }) =>
    acp === null ? [] : [[name, acp.edits, acp.commands, acp.network]],
  );
  return table(rows, ['with protocol = "acp", asks before', 'edits', 'commands', 'network']);
}

export function agentsText({ agents, chosen }: DoctorAgentsResult, { style, table }: Terminal): string {
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  // Short words let the table fit into 80 columns.
  const rows = agents.map((agent) => [
    agent.name,
    agent.review === 'control channel' ? 'channel' : agent.review,
    yes(agent.can_modify),
    yes(agent.mid_stream),
    yes(agent.resume),
    agent.tokens,
    agent.cost ?? 'no',
    agent.path === null ? 'not installed' : (agent.version ?? 'not reported'),
  ]);
  const head = ['agent', 'review', 'modify', 'mid-stream', 'resume', 'tokens', 'cost', 'version'];
  const last = chosen === null ? 'No agent can be used.' : `A run uses ${chosen}.`;
  const legend = 'tokens, cost: live: while it works; end: when it ends; no: by [budget.prices] alone.';
  return `${table(rows, head)}\n\n${style.dim(legend)}\n\n${acpText(agents, table)}\n\n${style.dim(last)}`;
}
