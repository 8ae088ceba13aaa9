import { displayWidth, fitWidth } from 'ralph-kit/columns';
import { firstFew, onOneLine } from 'ralph-kit/text';
import { clock, short, timeLeftText } from '../../../tell/index.ts';
import type { LiveView } from './live-view.ts';

/** Columns that a part of the live line keeps at least when it is cut. */
const LEAST_DOING = 12;
const LEAST_TITLE = 14;
/** Gates that the live line names where several run at once. */
const NAMED = 2;

/** Returns the live line: what is running, for how long, and how far the run is; at most `width` columns. */
export function liveText(view: LiveView, nowMs: number, width: number): string {
  return fitParts(partsOf(view, nowMs), width);
}

/** Returns the live line for several workers: what each task is at, and for how long. */
export function severalText(views: readonly LiveView[], nowMs: number, width: number): string {
  const texts = views.flatMap(({ attempt, gates }) => {
    if (attempt === null) return [];
    const { taskId, roles, isOver, waitsMs, startedMs } = attempt;
    const inGates = gates.running.length > 0;
    const doing = inGates ? runningText(gates, nowMs) : rolesText(roles, nowMs);
    if (doing !== '') return [`${taskId} ${doing}`];
    if (waitsMs !== null) return [`${taskId} waits for its turn ${clock(nowMs - waitsMs)}`];
    return [`${taskId} ${isOver ? 'checking what changed' : clock(nowMs - startedMs)}`];
  });
  return fitWidth(texts.join('  '), width);
}

function partsOf({ attempt, gates }: LiveView, nowMs: number): Part[] {
  const gatesText = runningText(gates, nowMs);
  if (attempt === null) {
    return [
      { text: `${gates.what}: ${gatesText}`, rank: 9, least: LEAST_DOING },
      { text: countText(gates), rank: 1 },
    ];
  }
  const { place, taskId, title, tokens, isOver, startedMs, limitMs } = attempt;
  const inGates = gates.running.length > 0;
  const inRoles = attempt.roles !== null;
  const doing = attempt.retried ?? attempt.action ?? attempt.message ?? 'starting';
  const time = isOver || inRoles ? '' : `${clock(nowMs - startedMs)} of ${clock(limitMs)}`;
  return [
    { text: `[${place.number}/${place.of}]`, rank: 5 },
    // The task's id is never cut: you type it in commands.
    { text: taskId, rank: 9, joint: ' ' },
    { text: title, rank: 4, least: LEAST_TITLE, joint: ' ' },
    { text: `attempt ${attempt.attempt}`, rank: 3 },
    { text: time, rank: 8 },
    {
      text: inGates || inRoles ? '' : isOver ? 'checking what changed' : onOneLine(doing),
      rank: 6,
      least: LEAST_DOING,
    },
    { text: rolesText(attempt.roles, nowMs), rank: 7, least: LEAST_DOING },
    { text: inGates ? `gates: ${gatesText}` : '', rank: 7, least: LEAST_DOING },
    { text: inGates ? countText(gates) : '', rank: 1 },
    { text: tokens === null || tokens === 0 ? '' : `${short(tokens)} tokens`, rank: 2 },
    { text: timeLeftText(attempt.leftMs, nowMs - startedMs), rank: 0 },
  ];
}

type LiveRoles = NonNullable<LiveView['attempt']>['roles'];

/** "review: guardian (codex), sage 0:12" */
function rolesText(roles: LiveRoles, nowMs: number): string {
  if (roles === null) return '';
  const { what, names, startedMs } = roles;
  return `${what}: ${names.join(', ')}${names.length === 0 ? '' : ' '}${clock(nowMs - startedMs)}`;
}

function runningText({ running }: LiveView['gates'], nowMs: number): string {
  const [first] = running;
  if (first === undefined) return '';
  const names = running.map(({ gate }) => gate);
  return `${firstFew(names, NAMED)} ${clock(nowMs - first.startedMs)}`;
}

function countText({ running, number, of }: LiveView['gates']): string {
  return of > 1 && running.length === 1 ? `gate ${number} of ${of}` : '';
}

export type Part = {
  readonly text: string;
  /** Parts of the lowest rank go first where the line is too narrow. */
  readonly rank: number;
  /** Columns that the part may be cut down to; absent: it is shown whole or not at all. */
  readonly least?: number;
  /** The separator between this part and the one before. */
  readonly joint?: string;
};

const JOINT = ' · ';

/**
 * Returns the parts on one line of at most `width` columns: the least important ones are cut, then left out.
 */
export function fitParts(parts: readonly Part[], width: number): string {
  let kept = parts.filter(
    ({ text, least }) => text !== '' && (least !== undefined || displayWidth(text) <= width),
  );
  while (kept.length > 0) {
    const line = laidOut(kept, width);
    if (line !== null) return line;
    const lowest = Math.min(...kept.map(({ rank }) => rank));
    kept = kept.filter(({ rank }) => rank !== lowest);
  }
  return '';
}

/** Returns the parts on one line; `null`: they don't fit. */
function laidOut(parts: readonly Part[], width: number): string | null {
  const joints = parts.map(({ joint = JOINT }, at) => (at === 0 ? '' : joint));
  const wholes = parts.map(({ text }) => displayWidth(text));
  const widths = parts.map(({ least }, at) => Math.min(wholes[at] ?? 0, least ?? Number.POSITIVE_INFINITY));
  let room = width - sum(joints.map(displayWidth)) - sum(widths);
  if (room < 0) return null;
  // Free columns go to the most important part that is cut.
  const byRank = parts
    .map((_, at) => at)
    .sort((one, other) => (parts[other]?.rank ?? 0) - (parts[one]?.rank ?? 0));
  for (const at of byRank) {
    const more = Math.min(room, (wholes[at] ?? 0) - (widths[at] ?? 0));
    widths[at] = (widths[at] ?? 0) + more;
    room -= more;
  }
  return parts.map(({ text }, at) => `${joints[at]}${fitWidth(text, widths[at] ?? 0)}`).join('');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
