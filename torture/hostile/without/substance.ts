/** Replacement without the protection: every changed byte counts as work. */
export function idleChanges(): never[] {
  return [];
}

export function isAskedFor(): boolean {
  return true;
}

export function namesOfIdle(): string {
  return '';
}

export function isSubmodule(): boolean {
  return false;
}
