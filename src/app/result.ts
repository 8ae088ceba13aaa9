import { EXIT } from '../domain/exit.ts';

/** What a command came to. `data` goes into the JSON envelope as it is; keys are snake_case. */
export type CommandResult<T extends Record<string, unknown> = Record<string, unknown>> =
  | { readonly ok: true; readonly exitCode: number; readonly data: T }
  | Failure;

/** What happened with the value seen, and the command that helps. */
export type Failure = {
  readonly ok: false;
  readonly exitCode: number;
  readonly message: string;
  readonly next: string | null;
};

export function success<T extends Record<string, unknown>>(
  data: T,
  exitCode: number = EXIT.ok,
): CommandResult<T> {
  return { ok: true, exitCode, data };
}

export function failure(message: string, next: string | null = null, exitCode: number = EXIT.usage): Failure {
  return { ok: false, exitCode, message, next };
}
