/** What is local to a machine; the task list, configuration and prompts are the project's. */
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
