/** A promise that is resolved from outside. Only the first `resolve` counts. */
export type Deferred<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
