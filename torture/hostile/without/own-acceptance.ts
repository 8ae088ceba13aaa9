/** Takes every entry of trust.json for ralph's own. */
export function isOwnAcceptance(): boolean {
  return true;
}

export function acceptanceMac(): string {
  return '';
}
