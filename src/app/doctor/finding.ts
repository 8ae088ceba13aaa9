export type FindingStatus = 'ok' | 'info' | 'warning' | 'error';

/** One thing that the doctor looked at. With an `error`, a run would refuse. */
export type DoctorFinding = {
  /** `GROUP.WHAT`, stable for scripts. */
  readonly id: string;
  readonly status: FindingStatus;
  readonly title: string;
  /** What was seen; may be empty. */
  readonly detail: string;
  /** A command to paste or an instruction; `null` only where nothing needs mending. */
  readonly mend: string | null;
};

export function ok(id: string, title: string, detail = ''): DoctorFinding {
  return { id, status: 'ok', title, detail, mend: null };
}

/** Something that is not as usual and needs nothing, or may be improved by the mend. */
export function info(id: string, title: string, detail: string, mend: string): DoctorFinding {
  return { id, status: 'info', title, detail, mend };
}

export function warning(id: string, title: string, detail: string, mend: string): DoctorFinding {
  return { id, status: 'warning', title, detail, mend };
}

export function error(id: string, title: string, detail: string, mend: string): DoctorFinding {
  return { id, status: 'error', title, detail, mend };
}

/** `3 files`, `1 file`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first few of a list. */
export function some(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}
