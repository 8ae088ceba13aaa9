/** A gate that can't run says nothing, whoever took it away. */
export function resultOfMissing(_before: unknown, _required: boolean): 'tool_missing' {
  return 'tool_missing';
}
