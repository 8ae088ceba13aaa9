/** Every byte that changed is work. */
export function idleChanges(): { readonly idle: never[]; readonly undecided: boolean } {
  return { idle: [], undecided: false };
}

export function isAskedFor(): boolean {
  return true;
}

export function namesOfIdle(): string {
  return '';
}
