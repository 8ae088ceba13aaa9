/** Tools that write files by name, in the spelling of each agent, lower case. A shell that writes is not known here. */
const WRITE_TOOLS: ReadonlySet<string> = new Set([
  // claude
  ...['write', 'edit', 'multiedit', 'notebookedit'],
  // codex, and opencode with models trained on it
  ...['apply_patch', 'patch'],
  // gemini, qwen (with `edit`, `notebook_edit`); pi's are `write` and `edit`
  ...['write_file', 'replace', 'notebook_edit'],
  // copilot
  ...['create', 'str_replace', 'str_replace_editor', 'insert'],
]);

/** Whether a call of this tool writes files by name. */
export function isWriteTool(tool: string): boolean {
  return WRITE_TOOLS.has(tool.toLowerCase());
}
