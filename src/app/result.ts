import { EXIT } from '../domain/exit.ts';

/** What a command gives. `data` is printed as JSON as it is, so its keys are in snake_case. */
export type CommandResult<T extends object = object> =
  | { readonly ok: true; readonly exitCode: number; readonly data: T }
  | Failure;

/** What happened with the value seen, and the command that helps. */
export type Failure = {
  readonly ok: false;
  readonly exitCode: number;
  readonly message: string;
  readonly next: string | null;
};

/** The data that a command gives where it succeeds. */
export type DataOf<F extends (...args: never[]) => Promise<object>> =
  Extract<Awaited<ReturnType<F>>, { ok: true }> extends { data: infer T } ? T : never;

export function success<T extends object>(
  data: T,
  exitCode: number = EXIT.ok,
): { readonly ok: true; readonly exitCode: number; readonly data: T } {
  return { ok: true, exitCode, data };
}

export function failure(
  message: string,
  next: string | null | undefined = null,
  exitCode: number = EXIT.usage,
): Failure {
  return { ok: false, exitCode, message, next: next ?? null };
}
