/** Whether an issue was closed by someone other than the account that `gh` uses here: an agent could use that, too. */
export function closedByOthers(closer: string, account: string): boolean {
  return closer.toLowerCase() !== account.toLowerCase();
}
