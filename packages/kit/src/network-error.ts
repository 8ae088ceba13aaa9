/** Returns only the system's error code of a failed request, as messages contain the host. */
export function networkErrorCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'no connection';
}
