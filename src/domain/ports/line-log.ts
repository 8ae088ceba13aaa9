/** A log that grows by lines. Each is with the system when `append` returns, so that it stays when this process is killed. */
export interface LineLog {
  /** @throws StoreError where it can't be written. */
  append(line: string): void;
  /** Lines so far, and the SHA-256 of its bytes. */
  written(): { readonly lines: number; readonly sha256: string };
  /** Ends it; where it was taken away meanwhile, it is back afterwards. @throws StoreError where that can't be done. */
  close(): void;
}
