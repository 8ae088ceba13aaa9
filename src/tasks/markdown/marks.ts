import type { TaskStatus } from '../../domain/task.ts';
import type { Mark } from './lines.ts';

export function statusOfMark(mark: Mark): TaskStatus {
  switch (mark) {
    case ' ':
      return 'open';
    case 'x':
    case 'X':
      return 'done';
    case '-':
    case '!':
      return 'blocked';
    case '~':
      return 'in_progress';
  }
}

/** The mark that ralph writes; `null` for a status that a check box cannot say. */
export function markOfStatus(status: TaskStatus): Mark | null {
  switch (status) {
    case 'open':
      return ' ';
    case 'done':
      return 'x';
    case 'blocked':
      return '-';
    case 'in_progress':
      return '~';
    case 'parked':
      return null;
  }
}
