import { getSystemErrorMap } from 'node:util';
import type { FailedLaunch } from './running.ts';

/** What to do next, for the usual errors. */
const ADVICE: Record<string, string> = {
  ENOENT: 'If it is a script, the interpreter in its first line is missing.',
  EACCES: 'Check that it may be executed, and the interpreter in its first line too.',
  ENOEXEC: "It isn't a program for this system.",
  E2BIG: 'Its arguments and environment are too long: give the prompt on standard input or as a file.',
  EAGAIN: 'The system allows no more processes now.',
  ENOMEM: 'The system has no memory left.',
};

/** The system refused to start a program that exists. */
export function startFailure(program: string, errno: number): FailedLaunch {
  const [code, text] = getSystemErrorMap().get(-Math.abs(errno)) ?? [`errno ${errno}`, 'unknown error'];
  const advice = ADVICE[code];
  const message = `${program} could not be started: ${text} (${code}).${advice === undefined ? '' : ` ${advice}`}`;
  return { kind: 'failed', code, message };
}
