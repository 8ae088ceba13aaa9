/**
 * Asked to end, these programs only end their command and continue (cline 3.0.65, droid 0.225.2, which takes its hook's end as
 * consent).
 */
const WORK_ON: ReadonlySet<string> = new Set(['cline', 'droid']);

/** Whether a program gets no time to end, as it would continue to work. @param program Name or path. */
export function endsAtOnce(program: string): boolean {
  return WORK_ON.has(program.split('/').at(-1) ?? '');
}
