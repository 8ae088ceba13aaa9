import type { Scene } from './scene.ts';

/** One thing that the doctor checked. With an `error`, a run would refuse. */
export type DoctorFinding = {
  /** `GROUP.WHAT`, stable for scripts. */
  readonly id: string;
  readonly status: 'ok' | 'info' | 'warning' | 'error';
  readonly title: string;
  /** What was seen; may be empty. */
  readonly detail: string;
  /** How to fix it: a command to paste or an instruction; `null` only where nothing needs it. */
  readonly mend: string | null;
};

/** One check: what it reads of the world, and what it makes of that. It changes nothing. */
export type Check<F> = {
  readonly gather: (scene: Scene) => F | Promise<F>;
  /** Each finding that isn't ok names its fix. */
  readonly judge: (facts: F) => DoctorFinding[];
  /** Both, one after the other. */
  readonly run: (scene: Scene) => Promise<DoctorFinding[]>;
};

export function check<F>({ gather, judge }: Omit<Check<F>, 'run'>): Check<F> {
  return { gather, judge, run: async (scene) => judge(await gather(scene)) };
}

export function ok(id: string, title: string, detail = ''): DoctorFinding {
  return { id, status: 'ok', title, detail, mend: null };
}

/** Unusual, but nothing has to be done; the fix may improve it. */
export function info(id: string, title: string, detail: string, mend: string): DoctorFinding {
  return { id, status: 'info', title, detail, mend };
}

export function warning(id: string, title: string, detail: string, mend: string): DoctorFinding {
  return { id, status: 'warning', title, detail, mend };
}

export function error(id: string, title: string, detail: string, mend: string): DoctorFinding {
  return { id, status: 'error', title, detail, mend };
}

/** The first few of a list. */
export function some(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}
