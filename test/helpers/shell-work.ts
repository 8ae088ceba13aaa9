import { makeProject, type Project, type ProjectFiles } from './cli.ts';

/** A task, and a shell script as the agent that works on it. */
export type ShellWork = {
  readonly task: string;
  readonly files: ProjectFiles;
  readonly agent: string;
  /** Commands of gates, in the form of TOML. */
  readonly gates?: string;
  /** Additional settings, in the form of TOML. */
  readonly toml?: string;
};

export const PACKAGE = '{"name":"p","version":"1.0.0","scripts":{"test":"node --test"}}\n';

/** Returns a test file of node:test. */
export const testsOf = (imports: string, ...tests: readonly string[]) =>
  `const test = require('node:test');\nconst assert = require('node:assert');\n${imports}\n${tests.join('\n')}\n`;

/** Returns a shell command that writes a file. */
export const put = (file: string, text: string) =>
  `mkdir -p $(dirname ${file}); cat > ${file} <<'XEOF'\n${text}XEOF\n`;

/** Runs the task, with an agent that claims after each attempt that it is done. */
export async function playShell(
  { task, files, agent, gates = '"npm test"', toml = '' }: ShellWork,
  attempts = 1,
) {
  const project: Project = makeProject({
    'agent.sh': `cat >/dev/null\n${agent}\nprintf 'RALPH_STATUS\\nTASK: T-1\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEND_RALPH_STATUS\\n'\n`,
    'package.json': PACKAGE,
    ...files,
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] T-1: ${task}\n`,
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n[gates]\ncommands = [${gates}]\n${toml}`,
  });
  const { stdout, stderr } = await project.start('run', '--max-iterations', String(attempts)).ended;
  const { facts, decisions } = project.iteration(project.iterations().length);
  const text = (stdout + stderr).replace(/\s+/g, ' ');
  return { project, text, facts, decisions, verdict: decisions.verdict.kind, proof: decisions.proof };
}
