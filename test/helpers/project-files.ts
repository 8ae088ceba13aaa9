import type { ScenarioAction } from '../../src/domain/scenario.ts';

export const ONE_TASK = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n';

export type ProjectFiles = Readonly<Record<string, string>>;

/** Files of a project with one task for the scripted agent. */
export const PROJECT_FILES: ProjectFiles = {
  'README.md': 'hello\n',
  '.ralph/PRD.md': ONE_TASK,
  '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n',
};

/** Returns a scenario with the same actions in every attempt. */
export function always(...actions: ScenarioAction[]): string {
  return JSON.stringify({ steps: [{ do: actions }] });
}

/** Returns a scenario with one list of actions for each attempt. */
export function attempts(...steps: ScenarioAction[][]): string {
  return JSON.stringify({
    steps: steps.map((actions, index) => ({ when: { attempt: index + 1 }, do: actions })),
  });
}

/** Returns the claim that the task is complete. */
export function claim(...evidence: string[]): ScenarioAction {
  return { action: 'status', status: 'DONE', exit_signal: true, evidence };
}

/** Returns the action of an agent that gives up, or asks you. */
export function blocked(reason: string): ScenarioAction {
  return { action: 'status', status: 'BLOCKED', exit_signal: false, reason };
}

export function write(path: string, content: string): ScenarioAction {
  return { action: 'write', path, content };
}

/** Returns a scenario with these steps, whose agent prints as Claude Code does. */
export function scenarioOf(steps: readonly object[]): string {
  return JSON.stringify({ output: 'claude-stream', steps });
}

/** Returns a configuration with a shell script as the agent, which gets its prompt on standard input. */
export function shellAgent(loop = ''): string {
  return `[loop]\nagent = "mine"\n${loop}\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n`;
}

/** Shell text that claims completion of the current task. */
export const SHELL_CLAIM =
  'printf "RALPH_STATUS\\nTASK: %s\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEND_RALPH_STATUS\\n" "$RALPH_TASK_ID"\n';
