import { type Command, Option } from 'commander';
import { counted } from 'ralph-kit/counted';
import { isObject } from 'ralph-kit/is-object';
import type { InterventionsInput, InterventionsResult } from '../../app/commands/interventions.ts';
import type { InterventionEvent } from '../../domain/records/event.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { percent, words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples, wholeNumber } from '../call.ts';
import { storyLine } from '../render/story.ts';

export const examples: Examples = {
  interventions: ['interventions --last 10', 'interventions --task T-3', 'interventions --stats'],
};

export function define(program: Command): void {
  program
    .command('interventions')
    .option('--last <n>', 'only the newest n', wholeNumber)
    .addOption(new Option('--limit <n>', 'the same as --last').argParser(wholeNumber).conflicts('last'))
    .addOption(new Option('--latest', 'only the newest: --last 1').conflicts(['last', 'limit']))
    .option('--type <type>', 'only events of this type')
    .option('--severity <severity>', 'only info, warning or critical')
    .option('--task <id>', 'only events of this task')
    .option('--stats', 'how often each intervention was applied, and how often it helped')
    .option('--reset', 'archive the history and begin a new one')
    .action(actionOf(run, ({ reset }) => reset === true));
}

/** Options of the command. `--limit` and `--latest` are ralph-gold's names for `--last`. */
type Options = Partial<InterventionsInput> & { readonly limit?: number; readonly latest?: boolean };

export async function run(call: Call, options: Options) {
  const { interventions } = await import('../../app/commands/interventions.ts');
  const { latest = false, limit = latest ? 1 : null } = options;
  const { last = limit, type = null, severity = null, task = null } = options;
  const { reset = false, stats = false } = options;
  const input = { ...call, last, type, severity, task, reset, stats };
  await call.print(await interventions(input), interventionsText);
}

/** Maximum number of denied actions that are shown. The JSON of an event has all. */
const ACTIONS_SHOWN = 10;

export function interventionsText(data: InterventionsResult, terminal: Terminal): string {
  if ('stats' in data) return statsText(data.stats, terminal);
  if ('reset' in data) {
    const { reset, archive } = data;
    if (reset === 0) return 'There was nothing to archive.';
    return `${counted(reset, 'event')} archived in ${archive}; the history is empty now.`;
  }
  const { events, attempts, story } = data;
  if (story.length === 0) return 'No events.';
  const list = story.flatMap((entry) => [
    storyLine(entry, terminal),
    ...events.filter(({ id }) => entry.events.includes(id)).flatMap((event) => actionLines(event, terminal)),
  ]);
  const hidden = attempts - story.length;
  return [...list, ...(hidden > 0 ? [`(${hidden} older ones not shown)`] : [])].join('\n');
}

type Stats = Extract<InterventionsResult, { stats: unknown }>['stats'];

function statsText(stats: Stats, { table }: Terminal): string {
  if (stats.length === 0) return 'No intervention yet.';
  const head = ['issue', 'intervention', 'agent', 'applied', 'helped', 'did not', 'effectiveness'];
  const rows = stats.map((one) => [
    words(one.issue_type),
    words(one.intervention_type),
    one.agent,
    String(one.applied),
    String(one.helped),
    String(one.not_helped),
    percent(one.effectiveness, 'not known yet'),
  ]);
  return table(rows, head);
}

const WITH_ACTIONS: ReadonlySet<string> = new Set([
  'action_denied',
  'unreviewed_action',
  'command_refused',
  'host_refused',
  'command_rewritten',
  'rule_failed',
  'sign_in_kept',
]);

function actionLines({ event_type, details }: InterventionEvent, { style, para }: Terminal): string[] {
  if (!WITH_ACTIONS.has(event_type)) return [];
  const { summary, mode, denied } = details;
  const actions = Array.isArray(details.actions) ? details.actions.filter(isObject) : [];
  if (actions.length === 0) return [para(String(summary ?? ''), '    ')];
  const begun = mode === 'detect' ? ' (already started)' : '';
  const lines = actions
    .slice(0, ACTIONS_SHOWN)
    .flatMap(({ action, reason }) => [
      para(`${action}${begun}`, '    ', '      '),
      style.dim(para(String(reason ?? ''), '      ')),
    ]);
  const rest = Number(denied ?? 0) - Math.min(actions.length, ACTIONS_SHOWN);
  return rest > 0 ? [...lines, `    and ${rest} more, in reviews.jsonl of the iteration`] : lines;
}
