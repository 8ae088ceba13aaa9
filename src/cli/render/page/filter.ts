import { h } from 'preact';
import type { Part } from './parts.ts';

/** States by which tasks are filtered, with their titles. */
const STATES = { you: 'Need you', running: 'Running', open: 'Open', done: 'Done' } as const;
export type FilterState = keyof typeof STATES;

/** Number of tasks below which a list has no filter. */
const LEAST = 4;

/** Returns the class of a task's element, by which the filter's style hides or shows it. */
export function filtered(state: FilterState): string {
  return `task is-${state}`;
}

/**
 * Returns buttons for states; the page's style alone hides tasks of other states. `null`: the list is short or has a
 * single state.
 */
export function filterPart(states: readonly FilterState[]): Part {
  const count = (state: FilterState) => states.filter((one) => one === state).length;
  const found = (Object.keys(STATES) as FilterState[]).filter((state) => count(state) > 0);
  if (states.length < LEAST || found.length < 2) return null;
  const choice = (value: string, title: string, tasks: number) =>
    h(
      'label',
      null,
      h('input', { type: 'radio', name: 'show', id: `show-${value}`, checked: value === 'all' }),
      `${title} ${tasks}`,
    );
  return h(
    'fieldset',
    { class: 'filter', 'data-key': 'filter' },
    h('legend', null, 'Tasks to show'),
    choice('all', 'All', states.length),
    ...found.map((state) => choice(state, STATES[state], count(state))),
  );
}
