/** Exit codes of a POSIX shell: found but not executable, not found. */
const SHELL_CANNOT = new Set([126, 127]);

/**
 * The tool that a shell command could not start, or `null` when it was no such failure. The name is taken from the
 * shell's own message (`sh: 1: foo: not found`), else from the command.
 */
export function missingTool(exitCode: number, command: string, output: string): string | null {
  if (!SHELL_CANNOT.has(exitCode)) return null;
  const lines = output.split('\n').reverse();
  for (const line of lines) {
    const match =
      /^(?:\S*sh: )?(?:(?:line )?\d+: )?(?:exec: )?([^:]+): (?:command )?(?:not found|Permission denied|No such file or directory|is a directory)/i.exec(
        line,
      ) ?? /^\S*env: [‘'"]?([^:’'"]+)[’'"]?: (?:No such file or directory|Permission denied)/.exec(line);
    if (match?.[1] !== undefined) return match[1].trim();
  }
  return firstWord(command);
}

function firstWord(command: string): string {
  const words = command.trim().split(/\s+/);
  return words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? command;
}
