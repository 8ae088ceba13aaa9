/**
 * Programs that only end their command when asked to end, and continue to work (cline 3.0.65, and droid 0.225.2, which
 * takes the end of its hook as consent).
 */
const WORK_ON: ReadonlySet<string> = new Set(['cline', 'droid']);

/** Whether a program gets no time to end, as it would continue to work. @param program Name or path. */
export function endsAtOnce(program: string): boolean {
  return WORK_ON.has(program.split('/').at(-1) ?? '');
}
