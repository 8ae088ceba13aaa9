import { EXIT } from '../domain/exit.ts';

/** Result of a command. `data` is printed as JSON without changes, so its keys are in snake_case. */
export type CommandResult<T extends object = object> =
  | { readonly ok: true; readonly exitCode: number; readonly data: T }
  | Failure;

export type Failure = {
  readonly ok: false;
  readonly exitCode: number;
  readonly message: string;
  readonly next: string | null;
};

export type DataOf<F extends (...args: never[]) => Promise<object>> =
  Extract<Awaited<ReturnType<F>>, { ok: true }> extends { data: infer T } ? T : never;

export function success<T extends object>(
  data: T,
  exitCode: number = EXIT.ok,
): { readonly ok: true; readonly exitCode: number; readonly data: T } {
  return { ok: true, exitCode, data };
}

/**
 * Returns the answer of a command that failed.
 * @param next The one command or step that leads on; `null` only for what you ended yourself.
 */
export function failure(message: string, next: string | null, exitCode: number = EXIT.usage): Failure {
  return { ok: false, exitCode, message, next };
}
