import type { Checked } from '../../domain/entry.ts';
import { resolveExecutable } from '../../io/programs/start/resolve-executable.ts';
import type { Scene } from './scene.ts';

export type DoctorFinding = Checked & {
  /** `GROUP.WHAT`, stable for scripts. */
  readonly id: string;
};

/** One check: what it reads of the world, and what it makes of that. It changes nothing. */
export type Check<F, S = Scene> = {
  readonly gather: (scene: S) => F | Promise<F>;
  /** Each finding that isn't ok names its fix. */
  readonly judge: (facts: F) => DoctorFinding[];
  /** Both, one after the other. */
  readonly run: (scene: S) => Promise<DoctorFinding[]>;
};

export function check<F, S = Scene>({ gather, judge }: Omit<Check<F, S>, 'run'>): Check<F, S> {
  return { gather, judge, run: async (scene) => judge(await gather(scene)) };
}

export function ok(id: string, title: string, detail = ''): DoctorFinding {
  return { id, status: 'ok', title, detail, fix: null };
}

const finding =
  (status: DoctorFinding['status']) =>
  (id: string, title: string, detail: string, fix: string): DoctorFinding => ({
    id,
    status,
    title,
    detail,
    fix,
  });

/** Unusual, but nothing has to be done; the fix may improve it. */
export const info = finding('info');
export const warning = finding('warning');
export const error = finding('error');

/** Where a program is that would start in this folder; `null` when none would. */
export function findProgram(name: string, cwd: string): string | null {
  const found = resolveExecutable(name, cwd, process.env);
  return found.kind === 'found' ? found.path : null;
}

export type ProgramProblem = {
  readonly why: string;
  /** The command that helps; `null`: there is none. */
  readonly fix: string | null;
};

/** Why a program can't be started in this folder, with its path where it has one; `null`: it can. */
export function programProblem(name: string, cwd: string): ProgramProblem | null {
  const found = resolveExecutable(name, cwd, process.env);
  return found.kind === 'found' ? null : found;
}

/** `1.2 GB`, `3.4 MB`, `12 kB`. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1000)} kB`;
}
