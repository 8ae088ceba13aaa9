/** Every byte that changed is work. */
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
