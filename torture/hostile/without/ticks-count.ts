export type MarkRules = object;

export function markRules(): MarkRules {
  return {};
}

/** Replacement without the protection: the status in the tracker counts. */
export function overlayStatus<Status>({ status }: { readonly status: Status }): Status {
  return status;
}
