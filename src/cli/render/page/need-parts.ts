import { h } from 'preact';
import { asSentence } from 'ralph-kit/text';
import { GATE_TITLES, type GateRequest } from '../../../domain/human/gate.ts';
import { resumeCommand } from '../../../domain/incident.ts';
import { type WorkPlace, workText } from '../../../domain/work-place.ts';
import { decideCommand, type Item, localTime, withLocalTimes } from '../../../tell/index.ts';
import { blockName, code, commands, excerpt, more, name, type Part, sign } from './parts.ts';

/** Returns a link to a task's place on the page; just its name if it has none. */
export type Link = (id: string) => Part;

export type Request = Pick<GateRequest, 'id' | 'gate' | 'at' | 'deadline'> & {
  readonly task_id: string;
  readonly why: string;
  readonly action: string | null;
};
export type Incident = { readonly id: string; readonly task_id: string; readonly why: string };

/** Everything that needs you: requests, incidents, tasks and results. */
export type Needs = {
  readonly requests: readonly Request[];
  readonly incidents: readonly Incident[];
  readonly items: readonly Item[];
};

/** Actions that a live page adds to a card; a page in a file has none. */
export type CardActions = {
  readonly request: (id: string) => Part;
  readonly incident: (id: string) => Part;
  /** Returns the actions of a task. `isOneOfMany`: the card is about several tasks. */
  readonly task: (id: string, isOneOfMany: boolean) => Part;
};
export const NO_ACTIONS: CardActions = { request: () => null, incident: () => null, task: () => null };

/**
 * Returns a card for each request, incident and cause. @param most Maximum number of cards of causes, and of tasks in a
 * card.
 */
export function needParts(
  { requests, incidents, items }: Needs,
  link: Link,
  most: number,
  actions: CardActions = NO_ACTIONS,
): Part[] {
  return [
    ...requests.slice(0, most).map((one) => requestCard(one, link, actions)),
    ...incidents.slice(0, most).map((one) => incidentCard(one, link, actions)),
    ...items.slice(0, most).map((one) => itemCard(one, link, most, actions)),
    more(items.length - most, 'more cause', 'ralph tasks'),
  ];
}

function card(key: string, ...content: Part[]): Part {
  return h('div', { class: 'card needs', 'data-key': blockName('need', key) }, ...content);
}

function requestCard(
  { id, gate, task_id, why, at, deadline, action }: Request,
  link: Link,
  actions: CardActions,
): Part {
  return card(
    id,
    h(
      'p',
      null,
      sign('wait'),
      h('strong', null, link(task_id), ' ', name(id)),
      ` waits for your decision (${GATE_TITLES[gate]}): ${asSentence(why)}`,
    ),
    action === null ? null : h('p', null, code(action)),
    h(
      'p',
      { class: 'faint small' },
      `Since ${localTime(at, new Date())}${deadline === null ? '' : `, until ${localTime(deadline, new Date())}`}.`,
    ),
    actions.request(id),
    commands([decideCommand(id)]),
  );
}

function incidentCard({ id, task_id, why }: Incident, link: Link, actions: CardActions): Part {
  return card(
    id,
    h('p', null, sign('bad'), h('strong', null, link(task_id), ' ', name(id)), ` ${asSentence(why)}`),
    actions.incident(id),
    commands([resumeCommand(id)]),
  );
}

/** Returns a card in which the cause stands once, with all tasks that it blocks and the place of each one's work. */
function itemCard(
  { mark, tasks, cause, excerpt: lines, steps, work, commands: given }: Item,
  link: Link,
  most: number,
  actions: CardActions,
): Part {
  const why = withLocalTimes(cause, new Date());
  const shown = tasks.slice(0, most);
  const heads = shown.map(({ id, title }) =>
    h('p', null, sign(mark === 'blocked' ? 'bad' : 'wait'), h('strong', null, link(id), ' ', name(title))),
  );
  const places = work.slice(0, most).flatMap((place) => (place.kind === 'none' ? [] : [place]));
  const [first] = places;
  return card(
    `${tasks.map(({ id }) => id).join(' ')} ${tasks.length === 0 ? cause : ''}`,
    ...heads,
    more(tasks.length - heads.length, 'more task', 'ralph tasks'),
    heads.length === 0 ? h('p', null, sign('wait'), why) : h('p', null, why),
    excerpt(lines),
    steps.length === 0 ? null : h('ol', null, ...steps.map((step) => h('li', null, step))),
    ...shown.map(({ id }) => actions.task(id, shown.length > 1)),
    commands(given.slice(0, most)),
    first === undefined ? null : h('p', { class: 'small faint' }, placeText(first, places.length)),
    commands(places.map(({ command }) => command)),
  );
}

/** Returns the place of work; several tasks share one sentence, and each has its command. */
function placeText(place: WorkPlace, tasks: number): string {
  const text = workText({ ...place, command: '' } as WorkPlace)?.trim() ?? '';
  return tasks === 1 ? text : text.replace(/^Its/, 'Their');
}

/** Returns the commands that help now, without those that a card already shows. */
export function nextPart(next: readonly string[], { requests, incidents, items }: Needs): Part {
  const below = new Set([
    ...requests.map(({ id }) => decideCommand(id)),
    ...incidents.map(({ id }) => resumeCommand(id)),
    ...items.flatMap(({ commands }) => commands),
  ]);
  const shown = next.filter((command) => !below.has(command));
  if (shown.length === 0) return null;
  return h('p', { class: 'commands next' }, h('strong', null, 'Next:'), ...shown.map(code));
}
