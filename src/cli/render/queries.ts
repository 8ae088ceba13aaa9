import { UNAVAILABLE_WORDS } from '../../domain/back-off.ts';
import { type Terminal, table, withLocalTimes, wrap } from '../../io/ui/index.ts';
import { formatDuration } from '../../lib/duration.ts';
import { stripControl } from '../../lib/text.ts';

// The data that the commands give is made of plain JSON values; these are the parts that people read of them.
type Data = Record<string, unknown>;
type Row = Record<string, unknown>;
type Kind = keyof typeof UNAVAILABLE_WORDS;

const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const row = (value: unknown): Row | null =>
  typeof value === 'object' && value !== null ? (value as Row) : null;
const said = (value: unknown): string =>
  value === null || value === undefined ? '' : stripControl(String(value));
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function paintStatus(status: string, { style }: Terminal): string {
  switch (status) {
    case 'done':
      return style.green(status);
    case 'blocked':
      return style.red(status);
    case 'in_progress':
      return style.cyan('unfinished');
    case 'parked':
      return style.yellow('waiting');
    default:
      return status;
  }
}

export function dryRunText(data: Data, { style }: Terminal): string {
  const next = row(data.next);
  const tasks = row(data.tasks);
  const head = `${said(tasks?.done)} of ${said(tasks?.total)} tasks in ${said(data.tracker)} are done. Nothing was run.`;
  if (next === null) return `${head}\nNothing would be taken up (${said(data.outcome)}). Next: ralph explain`;
  if (data.incident !== null && data.incident !== undefined) {
    return `${head}\nNothing would be taken up: ${said(data.incident)} is not settled. Next: ralph resume ${said(data.incident)}`;
  }
  return `${head}\nWould take up ${style.bold(said(next.id))} ${said(next.title)}: ${said(next.why)}.`;
}

export function initText(data: Data, { style }: Terminal): string {
  const lines: string[] = [];
  for (const path of rows(data.written)) lines.push(`${style.green('✔')} wrote ${said(path)}`);
  for (const path of rows(data.kept)) lines.push(`${style.dim('–')} kept ${said(path)} as it is`);
  for (const path of rows(data.archived))
    lines.push(`${style.dim('–')} the old version is now ${said(path)}`);
  const agents = rows(data.agents).map(said);
  const gates = rows(data.gates).map(said);
  lines.push(
    `  tasks: ${said(data.tracker)}`,
    `  agents found: ${agents.length === 0 ? 'none on PATH' : agents.join(', ')}`,
    `  gates: ${gates.length === 0 ? 'none found; set [gates] commands in .ralph/ralph.toml' : gates.join(', ')}`,
    '',
    `Next: write your tasks into ${said(data.tracker)}, then ralph run`,
  );
  return lines.join('\n');
}

export function statusText(data: Data, terminal: Terminal): string {
  const { style, width } = terminal;
  const tasks = row(data.tasks);
  const running = row(data.running);
  const current = row(data.current);
  const next = row(data.next);
  const lastRun = row(data.last_run);
  const lines = rows(data.notices).map((notice) => style.yellow(`! ${wrap(said(notice), width, '  ')}`));
  const blocked = number(tasks?.blocked) > 0 ? `, ${style.red(`${said(tasks?.blocked)} blocked`)}` : '';
  lines.push(
    `${style.bold(said(data.tracker))}: ${said(tasks?.done)} of ${said(tasks?.total)} done, ${said(tasks?.open)} open${blocked}`,
  );
  const incident = row(data.incident);
  if (incident !== null) {
    lines.push(
      style.red(
        `■ Emergency stop ${said(incident.id)} at ${said(incident.task_id)}: no run goes on before you choose.`,
      ),
      `  ${wrap(said(incident.summary), width, '  ')}`,
      `  ralph resume ${said(incident.id)}`,
    );
  }
  for (const one of rows(data.parked)) {
    const why = one.why === null ? 'waits for you' : said(one.why);
    lines.push(style.yellow(`! ${wrap(`${said(one.task_id)} is parked: ${why}`, width, '  ')}`));
    lines.push(`  ralph unblock ${said(one.task_id)}`);
  }
  if (running === null) lines.push('No run is going on.');
  else lines.push(`Running: ${said(running.run)} (process ${said(running.pid)} on ${said(running.host)})`);
  if (current !== null) {
    lines.push(
      `  #${said(current.iteration)} ${said(current.task_id)} ${said(current.title)}`,
      `  ${said(current.agent)} since ${said(current.started_at)}, up to ${formatDuration(number(current.timeout_seconds) * 1000)}`,
    );
  } else if (next !== null) {
    lines.push(
      `Next: ${style.bold(said(next.task_id))} ${said(next.title)}`,
      style.dim(
        `  ${wrap(`${said(next.why)}; limit ${formatDuration(number(next.timeout_seconds) * 1000)}`, width, '  ')}`,
      ),
    );
  }
  if (lastRun !== null && lastRun.run !== running?.run) {
    const ending = lastRun.ending === null ? 'not finished' : said(lastRun.ending).replaceAll('_', ' ');
    lines.push(
      `Last run: ${said(lastRun.run)}, ${ending}, ${counted(number(lastRun.iterations), 'iteration')}, agent ${said(lastRun.agent)}`,
    );
  }
  for (const one of rows(data.unavailable)) {
    lines.push(
      style.yellow(`! ${unavailableText(said(one.agent), one, terminal)}`),
      style.dim(`  to have it tried at once: ralph profile --agent ${said(one.agent)} --reinstate`),
    );
  }
  const events = rows(data.events);
  if (events.length > 0) lines.push('', eventTable(events, terminal));
  return lines.join('\n');
}

/** Why an agent cannot work, and until when. */
function unavailableText(name: string, unavailable: Row, { width }: Terminal): string {
  const kind = said(unavailable.kind);
  const what = Object.hasOwn(UNAVAILABLE_WORDS, kind) ? UNAVAILABLE_WORDS[kind as Kind] : kind;
  const until =
    unavailable.until === null
      ? 'given up in the last run'
      : unavailable.reset_known === true
        ? `until ${said(unavailable.until)}`
        : `next try at ${said(unavailable.until)}`;
  const text = `${name}: ${what}, ${until} (${said(unavailable.message)})`;
  return wrap(withLocalTimes(text, new Date()), width, '  ');
}

export function tasksText(data: Data, terminal: Terminal): string {
  const list = rows(data.tasks);
  if (list.length === 0) return `${said(data.tracker)} holds no tasks.`;
  return table(
    list.map((task) => {
      const attempts = number(task.attempts);
      return [
        said(task.id),
        paintStatus(said(task.status), terminal),
        attempts === 0 ? '' : `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
        said(task.title),
      ];
    }),
    terminal.width,
  );
}

export function explainText(data: Data, terminal: Terminal): string {
  const { style, width } = terminal;
  const task = row(data.task);
  const lines: string[] = [];
  if (task === null) lines.push(`No task would be taken up: ${said(data.outcome).replaceAll('_', ' ')}.`);
  else {
    const verb = task.selectable === true ? 'would be taken up' : 'cannot be taken up';
    lines.push(
      `${style.bold(said(task.id))} ${said(task.title)}`,
      `  ${verb}: ${wrap(said(task.why), width, '  ')}`,
      `  ${wrap(`complexity: ${said(task.complexity_reason)}`, width, '  ')}`,
      `  ${wrap(`limit ${said(task.timeout_reason)}`, width, '  ')}`,
      ...(task.timeout_warning === null
        ? []
        : [style.yellow(`  ! ${wrap(said(task.timeout_warning), width, '    ')}`)]),
    );
    const blocked = row(task.blocked);
    if (blocked !== null) lines.push(`  ${style.red('blocked')}: ${wrap(said(blocked.detail), width, '  ')}`);
    for (const attempt of rows(task.attempts)) {
      lines.push(
        `  #${said(attempt.iteration)} ${said(attempt.verdict).replaceAll('_', ' ')}: ${wrap(said(attempt.cause), width, '    ')}`,
      );
    }
  }
  const others = rows(data.others);
  if (others.length > 0) {
    lines.push(
      '',
      'The others:',
      table(
        others.map(({ id, why }) => [`  ${said(id)}`, said(why)]),
        width,
      ),
    );
  }
  return lines.join('\n');
}

export function interventionsText(data: Data, terminal: Terminal): string {
  if (data.reset !== undefined) {
    return number(data.reset) === 0
      ? 'There was nothing to archive.'
      : `${said(data.reset)} events were archived in ${said(data.archive)}; the history begins anew.`;
  }
  if (data.stats !== undefined) return statsText(rows(data.stats), terminal);
  const events = rows(data.events);
  if (events.length === 0) return 'No events.';
  const hidden = number(data.total) - events.length;
  const lines = eventTable(events, terminal).split('\n');
  const list = lines.flatMap((line, index) => [line, ...actionLines(events[index], terminal)]).join('\n');
  return `${list}${hidden > 0 ? `\n(${hidden} older ones not shown)` : ''}`;
}

function statsText(stats: readonly Row[], { width, style }: Terminal): string {
  if (stats.length === 0) return 'No intervention yet.';
  const head = ['issue', 'intervention', 'agent', 'applied', 'helped', 'did not', 'effectiveness'];
  const body = stats.map((one) => [
    said(one.issue_type),
    said(one.intervention_type),
    said(one.agent),
    said(one.applied),
    said(one.helped),
    said(one.not_helped),
    one.effectiveness === null ? 'not known yet' : `${Math.round(number(one.effectiveness) * 100)} %`,
  ]);
  const [title = '', ...lines] = table([head, ...body], width).split('\n');
  return [style.dim(title), ...lines].join('\n');
}

/** Denied actions that are told of one event; all are in its JSON. */
const ACTIONS_SHOWN = 10;

/** What was denied, and what happened without having been asked for. */
function actionLines(event: Row | undefined, { style, width }: Terminal): string[] {
  const details = row(event?.details);
  const type = said(event?.event_type);
  if (type !== 'action_denied' && type !== 'unreviewed_action') return [];
  const actions = rows(details?.actions);
  if (actions.length === 0) return [`    ${wrap(said(details?.summary), width, '    ')}`];
  const begun = details?.mode === 'detect' ? ' (it had begun)' : '';
  const lines = actions
    .slice(0, ACTIONS_SHOWN)
    .flatMap(({ action, reason }) => [
      `    ${wrap(`${said(action)}${begun}`, width, '      ')}`,
      style.dim(`      ${wrap(said(reason), width, '      ')}`),
    ]);
  const rest = number(details?.denied) - Math.min(actions.length, ACTIONS_SHOWN);
  return rest > 0 ? [...lines, `    and ${rest} more, in reviews.jsonl of the iteration`] : lines;
}

function eventTable(events: readonly Row[], terminal: Terminal): string {
  const { style } = terminal;
  const paint = (severity: string) =>
    severity === 'critical'
      ? style.red(severity)
      : severity === 'warning'
        ? style.yellow(severity)
        : style.dim(severity);
  return table(
    events.map((event) => {
      const details = row(event.details);
      return [
        said(event.timestamp)
          .replace('T', ' ')
          .replace(/\.\d+Z$/, ''),
        `#${said(event.iteration)}`,
        said(details?.task_id),
        paint(said(event.severity)),
        said(event.event_type),
      ];
    }),
    terminal.width,
  );
}

export function profileText(data: Data, terminal: Terminal): string {
  const { style } = terminal;
  const profiles = rows(data.profiles);
  if (profiles.length === 0) return 'No profiles yet; they begin with the first run.';
  const reinstated = data.reinstated === null ? [] : [`${said(data.reinstated)} is reinstated.`];
  return [
    ...reinstated,
    ...profiles.map((profile) =>
      [
        `${style.bold(said(profile.agent_id))}: ${counted(number(profile.total_iterations), 'iteration')}, ${counted(number(profile.done_count), 'task')} done`,
        `  no files ${said(profile.no_files_count)}, false completions ${said(profile.false_completion_count)}`,
        `  per iteration: ${said(profile.avg_files_per_iteration)} files, ${said(profile.avg_evidence_count)} pieces of evidence`,
        ...(profile.intervention_threshold_exceeded === true
          ? [style.yellow('  over its threshold in the last iterations')]
          : []),
        ...(profile.suspended === null ? [] : [style.red(`  suspended: ${said(profile.suspended)}`)]),
        ...rows([profile.unavailable].filter((one) => one !== null)).map((one) =>
          style.yellow(`  ${unavailableText('not available', one, terminal)}`),
        ),
      ].join('\n'),
    ),
  ].join('\n');
}

export function feedbackText(data: Data, { style, width }: Terminal): string {
  const entries = rows(data.entries);
  const done = data.action === 'add' ? 'Added. ' : data.action === 'clear' ? 'Cleared. ' : '';
  if (entries.length === 0) return `${done}The coming prompts carry no feedback.`;
  const list = entries.map((entry) => {
    const task = entry.task_id === null ? 'every task' : said(entry.task_id);
    return `${style.bold(task)} (${said(entry.source)}, ${said(entry.kind)})\n  ${wrap(said(entry.text), width, '  ')}`;
  });
  return `${done}The coming prompts carry:\n${list.join('\n')}`;
}

export function logsText(data: Data, { style, width }: Terminal): string {
  const lines = [
    `${style.bold(`#${said(data.iteration)}`)} ${said(data.task_id)} ${said(data.verdict).replaceAll('_', ' ')}`,
    `  ${wrap(said(data.cause), width, '  ')}`,
    ...rows(data.interventions).map(
      ({ type, why }) => `  ${wrap(`${said(type).replaceAll('_', ' ')}: ${said(why)}`, width, '  ')}`,
    ),
    style.dim(`  ${said(data.folder)}`),
    '',
    said(data.output).trimEnd() || '(the agent printed nothing)',
  ];
  if (said(data.errors).trim() !== '')
    lines.push('', style.dim('standard error:'), said(data.errors).trimEnd());
  for (const { action, reason } of rows(data.denied)) {
    lines.push('', style.yellow(`denied: ${wrap(said(action), width, '  ', 8)}`));
    lines.push(`  ${wrap(said(reason), width, '  ')}`);
  }
  for (const gate of rows(data.gates)) {
    if (gate.outcome === 'passed' || gate.outcome === 'skipped') continue;
    lines.push(
      '',
      style.red(`gate ${said(gate.name)}: ${said(gate.outcome).replaceAll('_', ' ')}`),
      said(gate.output).trimEnd(),
    );
  }
  return lines.join('\n');
}
