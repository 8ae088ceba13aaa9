import { displayWidth, fitWidth, wordColumnsOf } from 'ralph-kit/columns';
import { counted } from 'ralph-kit/counted';
import { camelKeys } from 'ralph-kit/snake-keys';
import { onOneLine } from 'ralph-kit/text';
import type { RunReport } from '../../domain/run-report.ts';
import { workText } from '../../domain/work-place.ts';
import { fitParts, lastLine, type Part, type Terminal } from '../../io/ui/index.ts';
import {
  attemptText,
  changedText,
  clock,
  clockTime,
  falseClaimsText,
  lastAttemptText,
  moneyText,
  short,
  timeLeftText,
  treeText,
  unavailableText,
  withLocalTimes,
} from '../../tell/index.ts';
import { beganAtWorker, fleetLines, type ShownAttempt, waitsForWorker } from './fleet-lines.ts';
import { COMMON_KEYS, FIRST_KEYS, HOME_KEYS } from './keys.ts';
import { flat, part, steady } from './parts.ts';
import { contextOf, keysHere } from './press.ts';
import { focused, HOME, type Prompt, type Repo, type Screen, type View } from './state.ts';
import { chosenRow, GROUP_TITLES, GROUPS, isCutOff, type Row, rowsOf, runState } from './tasks.ts';

export type Sized = (width: number) => Terminal;

/** Columns that a repository needs to be shown in a column of its own. */
const LEAST_COLUMN = 58;
/** Number of lines from which on there are empty lines around running attempts. */
const ROOMY = 26;
const MOST_DETAIL = 9;

/**
 * Returns the lines of the screen. One row and the last column stay empty, so that nothing scrolls and no character is
 * erased.
 */
export function frameOf(given: Screen, sized: Sized): string[] {
  const screen = { ...given, columns: Math.max(1, given.columns - 1) };
  const { columns, rows, view } = screen;
  const height = Math.max(1, rows - 1);
  const terminal = sized(columns);
  const foot = footLines(screen, terminal).slice(-Math.max(0, height - 1));
  const body = bodyOf(screen, sized, Math.max(1, height - foot.length));
  const lines = [...padded(body, height - foot.length), ...foot].slice(0, height);
  const isText = view.kind === 'text';
  return lines.map((line) => fitWidth(steady(isText ? line.replaceAll('\t', '    ') : line), columns));
}

function bodyOf(screen: Screen, sized: Sized, height: number): string[] {
  const { view, columns } = screen;
  const terminal = sized(columns);
  switch (view.kind) {
    case 'keys':
    case 'text':
    case 'choice':
      return textLines(textOf(screen, view), terminal, height);
    case 'home':
      return homeLines(screen, sized, height);
  }
}

function padded(lines: readonly string[], height: number): string[] {
  return [...lines.slice(0, height), ...Array.from({ length: Math.max(0, height - lines.length) }, () => '')];
}

function cell(text: string, width: number): string {
  const fitted = fitWidth(steady(text), width);
  return fitted + ' '.repeat(Math.max(0, width - displayWidth(fitted)));
}

// ---------- the first view

function homeLines(screen: Screen, sized: Sized, height: number): string[] {
  const { repos, focus, columns } = screen;
  const [only] = repos;
  if (repos.length === 1 && only !== undefined) return repoLines(screen, only, true, sized(columns), height);
  const width = Math.floor((columns - (repos.length - 1) * 3) / repos.length);
  if (width < LEAST_COLUMN) {
    const rows = repos.map((repo, at) => repoRow(screen, repo, at === focus, sized(columns)));
    const shown = focused(screen);
    if (shown === null) return rows;
    return [...rows, '', ...repoLines(screen, shown, true, sized(columns), height - rows.length - 1)];
  }
  const sides = repos.map((repo, at) =>
    padded(repoLines(screen, repo, at === focus, sized(width), height), height).map((line) =>
      cell(line, width),
    ),
  );
  const rule = sized(columns).style.dim(' │ ');
  return Array.from({ length: height }, (_, at) =>
    sides
      .map((side) => side[at] ?? '')
      .join(rule)
      .trimEnd(),
  );
}

function repoRow(screen: Screen, repo: Repo, isFocus: boolean, { style, width }: Terminal): string {
  const mark = isFocus ? style.cyan('▸ ') : '  ';
  const text = fitParts(headParts(screen, repo), width - 2);
  return mark + (isFocus ? style.bold(text) : text);
}

function repoLines(
  screen: Screen,
  repo: Repo,
  isFocus: boolean,
  terminal: Terminal,
  height: number,
): string[] {
  const { style, width } = terminal;
  const head = fitParts(headParts(screen, repo), width);
  const title = isFocus ? style.bold(head) : style.dim(head);
  if (repo.problem === 'not_set_up') return [title, '', ...firstSteps(terminal)];
  if (repo.problem !== null)
    return [title, '', ...wordColumnsOf(repo.problem, width).map((line) => style.red(line))];
  if (repo.data === null) return [title, '', style.dim('Reading …')];
  const rows = rowsOf(repo, screen.filter);
  const row = chosenRow(repo, screen.filter);
  const notes = noteLines(repo, terminal).slice(0, Math.max(0, Math.floor(height / 4)));
  const air = height < ROOMY ? [] : [''];
  const room = height - 1 - notes.length - air.length;
  const running = attemptLines(screen, repo, terminal, Math.floor(room / 2));
  const fleet = fleetLines(screen, repo, terminal, Math.floor(room / 3));
  const attempts = [running, fleet].flatMap((lines) => (lines.length === 0 ? [] : [...lines, ...air]));
  const detail = row === null ? [] : detailLines(row, terminal).slice(0, detailRoom(room - attempts.length));
  const gap = detail.length === 0 ? 0 : 1;
  const list = listLines(screen, rows, row, terminal, room - attempts.length - detail.length - gap, isFocus);
  const rule = gap === 0 ? [] : [style.dim('─'.repeat(width))];
  return [
    title,
    ...notes,
    ...air,
    ...attempts,
    ...padded(list, room - attempts.length - detail.length - gap),
    ...rule,
    ...detail,
  ];
}

function detailRoom(room: number): number {
  return room < 12 ? 0 : Math.min(MOST_DETAIL, Math.floor(room / 3));
}

/** If the line is too narrow, the parts with the highest rank stay. */
function headParts({ now }: Screen, repo: Repo): Part[] {
  const { data, name } = repo;
  if (data === null) return [part(`ralph · ${flat(name)}`, 9, { least: 10 })];
  const { status, run } = data;
  const { tasks } = status;
  const you = rowsOf(repo).filter(({ group }) => group === 'you').length;
  const state = runState(data);
  const since =
    run === null || status.running === null ? '' : ` for ${clock(now - Date.parse(run.started_at))}`;
  const money = run === null ? null : moneyText({ costUsd: run.cost_usd, estimatedUsd: run.estimated_usd });
  const left = run === null || data.attempts.length === 0 ? '' : timeLeftText(run.left_ms, 0);
  return [
    part(flat(name), 9, { least: 8 }),
    part(`${state}${since}`, 8),
    part(`${tasks.done} of ${tasks.total} done`, 7),
    part(you === 0 ? '' : `${you} ${you === 1 ? 'needs' : 'need'} you`, 8),
    part(left, 5),
    part(money ?? '', 4),
    part(run === null || run.tokens === 0 ? '' : `${short(run.tokens)} tokens`, 3),
    part(run?.agent ?? '', 2),
  ];
}

function noteLines({ data }: Repo, { style, width }: Terminal): string[] {
  if (data === null) return [];
  const { status, report } = data;
  const notes: string[] = [];
  const add = (text: string, paint: (text: string) => string) =>
    notes.push(paint(fitWidth(flat(text), width)));
  if (status.incident !== null)
    add(
      `■ Emergency stop ${status.incident.id} at ${status.incident.task_id}: ${status.incident.summary}`,
      style.red,
    );
  for (const { agent, ...unavailable } of status.unavailable)
    add(`! ${withLocalTimes(unavailableText(agent, unavailable), new Date())}`, style.yellow);
  if (status.running !== null) return notes;
  if (report !== null && report.ended_at !== null) {
    const ended = camelKeys(report) as RunReport;
    const paint = { green: style.green, red: style.red, unknown: style.dim };
    const isStopped = isCutOff(data) || status.policy_stop !== null;
    const key = status.policy_stop === null ? '' : ' (C: let runs continue)';
    add(
      `Last run, ended ${clockTime(ended.endedAt ?? '', new Date())}: ${withLocalTimes(ended.headline, new Date())}${key}`,
      isStopped ? style.red : style.dim,
    );
    add(treeText(ended), paint[ended.tree.state]);
    if (ended.liesCaught > 0) add(falseClaimsText(ended), style.yellow);
  }
  const next = (commands: readonly string[]) => `No run is active. Next: ${commands.join('   ')}`;
  const fitting = status.commands.filter((_, at, all) => displayWidth(next(all.slice(0, at + 1))) <= width);
  // A command that is cut can't be typed.
  add(next(fitting.length === 0 ? status.commands.slice(0, 1) : fitting), style.dim);
  return notes;
}

function attemptLines(screen: Screen, repo: Repo, terminal: Terminal, most: number): string[] {
  const attempts = repo.data?.attempts ?? [];
  if (attempts.length === 0) return [];
  const { style, width } = terminal;
  const each = Math.max(1, Math.min(3, Math.floor(most / attempts.length)));
  const lines = attempts.flatMap((attempt) => {
    const { task_id, title, agent, timeout_seconds, started_at, worker } = attempt;
    const phase = attempt.phase ?? waitsForWorker(attempt, repo);
    const passed = screen.now - Date.parse(beganAtWorker(attempt, repo) ?? started_at);
    const limit = timeout_seconds * 1000;
    const slot = attempts.length > 1 ? `${worker} ` : '';
    // The limit is only about the agent's time, so later phases don't show it.
    const time =
      phase === null
        ? `${clock(passed)} of ${clock(limit)}`
        : `${phase.words} ${clock(screen.now - Date.parse(phase.since))}`;
    const again = attempt.attempt > 1 ? `${attemptText(attempt.attempt, attempt.max_attempts)}  ` : '';
    const tail = `${again}${time}${phase === null ? ` ${bar(passed / limit)}` : ''}`;
    const roomy = width >= 76;
    const right = roomy ? `${agent}  ${tail}` : time;
    const left = fitWidth(steady(`${slot}${task_id} ${flat(title)}`), width - displayWidth(right) - 4);
    const gap = ' '.repeat(Math.max(1, width - displayWidth(left) - displayWidth(right) - 2));
    const paint = phase === null && passed > limit * 0.8 ? style.yellow : style.cyan;
    return [
      `${style.cyan('▶')} ${style.bold(left)}${gap}${paint(right)}`,
      ...[fitParts(doingParts(attempt, repo), width - 4), wordsOf(attempt.words ?? '', terminal)]
        .filter((line) => line !== '')
        .map((line) => `    ${line}`),
    ].slice(0, each);
  });
  return lines.slice(0, Math.max(1, most));
}

/** Returns the last line of the agent's words; '': there are none. */
function wordsOf(text: string, { style, width }: Terminal): string {
  const last = lastLine(text);
  return last === null ? '' : style.dim(fitWidth(steady(`"${flat(last)}"`), width - 4));
}

function bar(share: number): string {
  const full = Math.max(0, Math.min(8, Math.round(share * 8)));
  return '━'.repeat(full) + '─'.repeat(8 - full);
}

function doingParts(attempt: ShownAttempt, repo: Repo): Part[] {
  const { last_calls, calls, found, iteration } = attempt;
  const last = last_calls.at(-1);
  const files = repo.changed[iteration];
  const isStarting = attempt.words === null && waitsForWorker(attempt, repo) === null;
  const failed = last?.ok === false ? ' (failed)' : '';
  return [
    part(last === undefined ? (isStarting ? 'starting' : '') : `${flat(last.action)}${failed}`, 7, {
      least: 12,
    }),
    part(found[0] === undefined ? '' : `! ${flat(found[0])}`, 8, { least: 16 }),
    part(files === undefined ? '' : changedText(files.files, files.added, files.removed), 6),
    part(calls < 2 ? '' : counted(calls, 'call'), 3),
  ];
}

const MARKS: Readonly<Record<Row['group'], string>> = {
  you: '!',
  running: '▶',
  next: '·',
  waiting: '·',
  done: '✔',
};

function listLines(
  { filter }: Screen,
  rows: readonly Row[],
  chosen: Row | null,
  terminal: Terminal,
  height: number,
  isFocus: boolean,
): string[] {
  const { style } = terminal;
  if (height < 1) return [];
  const found =
    filter === '' ? [] : [style.cyan(`Found for "${onOneLine(filter)}": ${counted(rows.length, 'task')}`)];
  if (rows.length === 0)
    return [...found, style.dim(filter === '' ? 'There are no tasks yet.' : 'No task holds that.')];
  const lines = GROUPS.flatMap((group) => {
    const members = rows.filter((row) => row.group === group);
    return members.length === 0 ? [] : [`${GROUP_TITLES[group]} (${members.length})`, ...members];
  });
  const room = height - found.length;
  const at = lines.findIndex((line) => typeof line !== 'string' && line.id === chosen?.id);
  const from = Math.max(0, Math.min(lines.length - room, at - Math.floor(room / 2)));
  const isCut = from + room < lines.length && room > 3;
  // The title of a group must not be the last line shown, because its tasks would be cut off.
  const most = isCut ? room - (typeof lines[from + room - 2] === 'string' ? 2 : 1) : room;
  const ids = rows.reduce((most, { id }) => Math.max(most, displayWidth(flat(id))), 0);
  const shown = lines
    .slice(from, from + most)
    .map((line) =>
      typeof line === 'string'
        ? style.bold(line)
        : rowLine(line, isFocus && line.id === chosen?.id, ids, terminal),
    );
  const below = style.dim(`  … ${counted(lines.length - from - shown.length, 'line')} below`);
  return [...found, ...shown, ...(isCut ? [below] : [])];
}

function rowLine(
  { id, title, group, state, why }: Row,
  isChosen: boolean,
  ids: number,
  { style, width }: Terminal,
): string {
  const paint = {
    you: style.yellow,
    running: style.cyan,
    next: (text: string) => text,
    waiting: style.dim,
    done: style.dim,
  }[group];
  const idWidth = Math.min(ids + 1, 12, Math.max(5, Math.floor(width / 8)));
  const stateWidth = Math.min(16, Math.max(10, Math.floor(width / 6)));
  const lead = `${isChosen ? '›' : ' '} ${MARKS[group]} `;
  const room = width - displayWidth(lead) - idWidth - stateWidth - 3;
  const name = flat(title);
  const tail = why === null || group === 'done' ? '' : ` — ${flat(why)}`;
  const half = tail !== '' && room >= 40 ? Math.min(displayWidth(steady(name)), Math.floor(room / 2)) : room;
  const shownName = fitWidth(steady(name), half);
  const text = fitWidth(steady(shownName + (room >= 40 ? tail : '')), room);
  const line = `${lead}${cell(flat(id), idWidth)} ${cell(state, stateWidth)} ${text}`;
  return isChosen ? style.inverse(cell(line, width)) : paint(line);
}

function detailLines({ id, title, task, state, why, request, attempt }: Row, terminal: Terminal): string[] {
  const { style, width } = terminal;
  const para = (text: string, indent = '  ') =>
    wordColumnsOf(steady(flat(text)), Math.max(1, width - indent.length)).map((line) => indent + line);
  const last = task.tries.at(-1);
  return [
    ...para(`${id} ${title}`, '')
      .map((line) => style.bold(line))
      .slice(0, 2),
    ...(why === null
      ? []
      : para(`${state}: ${why}`)
          .slice(0, 3)
          .map((line) => style.yellow(line))),
    ...(request === null
      ? []
      : para(`Decide with Enter: ${request.options.map(({ option }) => option).join(', ')}`)),
    ...(task.open?.failing?.lines ?? [])
      .slice(0, 3)
      .map((line) => style.red(fitWidth(`  ${steady(flat(line))}`, width))),
    ...(state === 'running' || task.open === null ? [] : openLines(task.open, terminal)),
    ...(attempt === null && last !== undefined && last.cause !== why
      ? para(lastAttemptText(last, new Date())).slice(0, 2)
      : []),
    ...(task.acceptance.length === 0
      ? []
      : task.acceptance.map((text) => fitWidth(`  □ ${steady(flat(text))}`, width))),
    ...(task.waits_for.length === 0 ? [] : para(`waits for ${task.waits_for.join(', ')}`)),
    ...(attempt === null
      ? []
      : attempt.last_calls
          .toReversed()
          .map(({ action }) => style.dim(fitWidth(`  > ${steady(flat(action))}`, width)))),
  ];
}

function openLines({ work, next, group }: OpenTask, { style, width }: Terminal): string[] {
  if (group !== 'you') return [];
  return [workText(work) ?? [], style.cyan(next)]
    .flat()
    .map((text) => fitWidth(`  ${steady(flat(text))}`, width));
}

type OpenTask = NonNullable<Row['task']['open']>;

function firstSteps({ style, width }: Terminal): string[] {
  const text = (line: string) => wordColumnsOf(line, width);
  return [
    ...text("ralph isn't set up in this folder yet. First steps:"),
    '',
    `  ${style.cyan('d')}  ralph demo   ${style.dim('see a false claim caught, in a scratch repository')}`,
    `  ${style.cyan('i')}  ralph init   ${style.dim('set up .ralph/ here: agent, checks, tasks')}`,
    '',
    ...text('Then: ralph run, and ralph again to watch it. All commands: ralph --help'),
  ];
}

// ---------- the other views

type TextView = Extract<View, { kind: 'text' | 'choice' }>;

/** The list of all keys is shown like any other text. */
function textOf(screen: Screen, view: Exclude<View, { kind: 'home' }>): TextView {
  if (view.kind !== 'keys') return view;
  const render = (terminal: Terminal) => allKeys(screen, terminal).join('\n');
  return { kind: 'text', title: 'Keys', render, top: view.top, again: null, back: HOME };
}

/** Returns the lines of a text from its scroll position. Scrolling ends at the last line. */
function textLines(view: TextView, terminal: Terminal, height: number): string[] {
  const { style, width } = terminal;
  const options = view.kind === 'choice' ? optionLines(view, terminal) : [];
  const all = wholeText(view, terminal);
  const room = Math.max(1, height - 1 - options.length);
  const top = topOf(view, all.length, room);
  const left = all.length - top - room;
  const place =
    all.length <= room ? '' : `  lines ${top + 1} to ${Math.min(all.length, top + room)} of ${all.length}`;
  const title = style.bold(fitWidth(steady(flat(view.title)), width - place.length)) + style.dim(place);
  const shown = all.slice(top, top + room);
  if (left > 0 && room > 3) shown[room - 1] = style.dim(`… ${counted(left + 1, 'line')} below: ↓ PgDn`);
  return [title, ...(options.length === 0 ? shown : padded(shown, Math.min(all.length, room))), ...options];
}

/** Texts are laid out once per width, because a diff may have thousands of lines. */
const laidOut = new WeakMap<TextView['render'], { readonly width: number; readonly lines: string[] }>();

function wholeText({ render }: TextView, terminal: Terminal): string[] {
  const { width } = terminal;
  const known = laidOut.get(render);
  if (known?.width === width) return known.lines;
  const lines = render(terminal).trimEnd().split('\n');
  laidOut.set(render, { width, lines });
  return lines;
}

function topOf({ top }: TextView, lines: number, room: number): number {
  return Math.max(0, Math.min(top, lines - room));
}

/** Returns the scroll position that is shown, so that keys move from there. `atEnd`: the last line is shown. */
export function placeIn(
  screen: Screen,
  sized: Sized,
): { readonly top: number; readonly atEnd: boolean } | null {
  const { view, rows } = screen;
  const columns = Math.max(1, screen.columns - 1);
  if (view.kind === 'home') return null;
  const text = textOf(screen, view);
  const terminal = sized(columns);
  const options = view.kind === 'choice' ? optionLines(view, terminal).length : 0;
  const room = Math.max(1, Math.max(1, rows - 1) - footLines(screen, terminal).length - 1 - options);
  const { length } = wholeText(text, terminal);
  const top = topOf(text, length, room);
  return { top, atEnd: top + room >= length };
}

function optionLines({ options }: Extract<View, { kind: 'choice' }>, { style, width }: Terminal): string[] {
  return [
    style.dim('─'.repeat(width)),
    ...options.map(
      ({ key, label }) => `  ${style.cyan(`[${key}]`)} ${fitWidth(steady(flat(label)), width - 6)}`,
    ),
    `  ${style.cyan('Esc')} not now`,
  ];
}

function allKeys(screen: Screen, { style, width }: Terminal): string[] {
  const context = contextOf(screen);
  const isSetUp = focused(screen)?.problem !== 'not_set_up';
  const entries = [...(isSetUp ? HOME_KEYS : FIRST_KEYS), ...COMMON_KEYS].filter(({ help }) => help !== '');
  const lines = entries.map((entry) => {
    const isOn = context !== null && entry.acts(context);
    const text = fitWidth(`  ${cell(entry.shown, 5)} ${entry.help}`, width);
    return isOn ? text : style.dim(text);
  });
  return [style.dim('At the chosen task, those that are dimmed do nothing now.'), ...lines];
}

// ---------- the last lines

function footLines(screen: Screen, terminal: Terminal): string[] {
  const { prompt } = screen;
  if (prompt !== null) return promptLines(prompt, terminal);
  return [messageLine(screen, terminal), keyLine(screen, terminal)];
}

function messageLine({ message }: Screen, { style, width }: Terminal): string {
  if (message === null) return '';
  const { text, tone } = message;
  const mark = { done: style.green('✔ '), failed: style.red('✘ '), busy: style.dim('… ') }[tone];
  return mark + fitWidth(steady(flat(text)), width - 2);
}

function promptLines(prompt: Prompt, { style, width }: Terminal): string[] {
  if (prompt.kind === 'yes')
    return [
      style.yellow(fitWidth(steady(flat(prompt.question)), width)),
      style.dim('y: yes   any other key: no'),
    ];
  const { value, at } = prompt;
  const question = prompt.kind === 'find' ? 'Find tasks that hold' : prompt.question;
  const hint = prompt.kind === 'find' ? 'Enter: keep   Esc: list all' : 'Enter: send   Esc: not now';
  return [
    `${style.yellow(fitWidth(steady(flat(question)), Math.max(10, width - hint.length - 2)))}  ${style.dim(hint)}`,
    `${style.cyan('›')} ${lineWithCursor(value, at, width - 3, style.inverse)}`,
  ];
}

/** Returns the part of a line around its cursor that fits into `width`. */
function lineWithCursor(value: string, at: number, width: number, mark: (text: string) => string): string {
  const before = [...steady(onOneLine(value.slice(0, at)))];
  const [under = ' ', ...after] = [...steady(onOneLine(value.slice(at)))];
  while (before.length > 0 && displayWidth(before.join('')) > width - 2) before.shift();
  const room = width - displayWidth(before.join('')) - displayWidth(under);
  return before.join('') + mark(under) + fitWidth(after.join(''), Math.max(0, room));
}

/** Returns the keys that do something now. If the line is too narrow, the least important ones are left out first. */
function keyLine(screen: Screen, { style, width }: Terminal): string {
  const context = contextOf(screen);
  if (context === null) return '';
  const own: readonly [string, string, number][] =
    screen.view.kind === 'home'
      ? []
      : [
          ['Esc', 'back', 9],
          ['↑↓', 'scroll', 5],
        ];
  const entries: readonly [string, string, number][] = [
    ...own,
    ...keysHere(screen)
      .filter((entry) => entry.shown !== '' && entry.acts(context))
      .map((entry): [string, string, number] => [entry.shown, entry.label(context), entry.rank]),
  ];
  const hints = entries.map(([shown, label, rank]) => ({ text: `${shown} ${label}`, shown, label, rank }));
  let kept = hints;
  const wide = () => kept.reduce((sum, { text }) => sum + displayWidth(text) + 2, 0) - 2;
  while (kept.length > 1 && wide() > width) {
    const lowest = Math.min(...kept.map(({ rank }) => rank));
    const last = kept.findLastIndex(({ rank }) => rank === lowest);
    kept = kept.filter((_, at) => at !== last);
  }
  return kept.map(({ shown, label }) => `${style.cyan(shown)} ${style.dim(label)}`).join('  ');
}
