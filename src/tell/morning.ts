import { counted } from 'ralph-kit/counted';
import type { RunReport, UnfinishedTask } from '../domain/run-report.ts';
import { countsBelow } from './headline.ts';
import { type Item, needItems, openItems } from './items.ts';
import { detailTexts, factsText, treeText, uncheckedText } from './report-text.ts';
import { withLocalTimes } from './times.ts';

export const TITLES = {
  needs: 'Needs you',
  open: 'Not done',
  done: 'Done in this run',
  details: 'Details',
} as const;

/** What a report says, in its order. Times of items are ISO 8601 UTC, others are local. */
export type Morning = {
  readonly headline: string;
  /** How much is done; `null`: the headline says it. */
  readonly counts: string | null;
  readonly tree: string;
  /** Which run it was, when, and what it took. */
  readonly facts: string;
  readonly needs: readonly Item[];
  readonly open: readonly Item[];
  readonly notStarted: readonly UnfinishedTask[];
  readonly details: ReturnType<typeof detailTexts>;
  /** Why no gate checked the run; `null`: one did, or there are none. */
  readonly unchecked: string | null;
};

export function morningOf(report: RunReport, now: Date): Morning {
  const { headline, unfinished } = report;
  const of = (group: UnfinishedTask['group']) => unfinished.filter((task) => task.group === group);
  return {
    headline: withLocalTimes(headline, now),
    counts: countsBelow(report)[0] ?? null,
    tree: treeText(report),
    facts: factsText(report, now),
    needs: needItems(report),
    open: openItems(of('attempted')),
    notStarted: of('not_started'),
    details: detailTexts(report),
    unchecked: uncheckedText(report.unchecked, true),
  };
}

export function notStartedText(tasks: readonly UnfinishedTask[]): string {
  return `${counted(tasks.length, 'task')} not started`;
}
