/** Replacement without the protection: a gate that can't run doesn't count, even if the agent removed its program. */
export function resultOfMissing(_before: unknown, _required: boolean): 'tool_missing' {
  return 'tool_missing';
}
