/** Returns a function that starts each piece of work once the one before has ended, well or not. */
export function oneByOne(): <R>(work: () => R | Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
