export type MarkRules = object;

export function markRules(): MarkRules {
  return {};
}

/** What the tracker says. */
export function overlayStatus<Status>({ status }: { readonly status: Status }): Status {
  return status;
}
