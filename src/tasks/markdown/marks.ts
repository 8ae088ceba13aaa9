import type { TrackedStatus } from '../../domain/task.ts';

/** What the mark in a check box means. Where two mean the same, ralph writes the first one. */
const STATUS_OF_MARK = {
  ' ': 'open',
  x: 'done',
  X: 'done',
  '-': 'blocked',
  '!': 'blocked',
  '~': 'in_progress',
} as const satisfies Record<string, TrackedStatus>;

export type Mark = keyof typeof STATUS_OF_MARK;
export const MARKS = Object.keys(STATUS_OF_MARK) as readonly Mark[];

export function statusOfMark(mark: Mark): TrackedStatus {
  return STATUS_OF_MARK[mark];
}

/** The mark that ralph writes; `null` for a status that a check box can't hold. */
export function markOfStatus(status: TrackedStatus): Mark | null {
  return MARKS.find((mark) => STATUS_OF_MARK[mark] === status) ?? null;
}
