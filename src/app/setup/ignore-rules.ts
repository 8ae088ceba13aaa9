/**
 * Rules for `.ralph/.gitignore`: machine-specific files are ignored. The task list, configuration and prompts belong to
 * the project.
 */
export const IGNORE_RULES = `# Local state of ralph. The task list, ralph.toml and the prompts are the project's.
/journal.jsonl*
/journal/
/state.json*
/metrics.json*
/lessons.json*
/control-center.md
/interventions/
/runs/
/incidents/
/recoveries/
/gates/
/whitelists/
/*.lock
/.*.tmp
/archive/
`;
