import { resolveExecutable } from 'ralph-kit/programs/start/resolve-executable';
import type { Checked } from '../../domain/entry.ts';
import type { Scene } from './scene.ts';

export type DoctorFinding = Checked & {
  /** Id of a finding, `GROUP.WHAT`, stable for scripts. */
  readonly id: string;
};

export type Check<F, S = Scene> = {
  readonly gather: (scene: S) => F | Promise<F>;
  /** Returns the check's findings. Each finding that isn't `ok` has a fix. */
  readonly judge: (facts: F) => DoctorFinding[];
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

/** Makes a finding about something unusual that needs no action. A fix is a suggestion. */
export const info = finding('info');
export const warning = finding('warning');
export const error = finding('error');

/** Returns the path of a program that would start in a folder; `null`: none would. */
export function findProgram(name: string, cwd: string): string | null {
  const found = resolveExecutable(name, cwd, process.env);
  return found.kind === 'found' ? found.path : null;
}

export type ProgramProblem = {
  readonly why: string;
  /** Command that fixes the problem; `null`: there is none. */
  readonly fix: string | null;
};

/** Returns why a program can't be started in a folder; `null`: it can. */
export function programProblem(name: string, cwd: string): ProgramProblem | null {
  const found = resolveExecutable(name, cwd, process.env);
  return found.kind === 'found' ? null : found;
}

/** Returns a size such as `1.2 GB`, `3.4 MB` or `12 kB`. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1000)} kB`;
}
