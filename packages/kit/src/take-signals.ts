type Answer = (signal: NodeJS.Signals, wasTaken: boolean) => void;

const takers: { wasTaken: boolean }[] = [];

/**
 * Replaces earlier handlers, so that one decides. @param answer `wasTaken`: another handler had the signals.
 * @returns A function that restores the earlier handler.
 */
export function takeSignals(signals: readonly NodeJS.Signals[], answer: Answer): () => void {
  const before = takers.at(-1);
  if (before !== undefined) before.wasTaken = true;
  const own = { wasTaken: false };
  takers.push(own);
  const onSignal = (signal: NodeJS.Signals) => {
    if (takers.at(-1) === own) answer(signal, own.wasTaken);
  };
  for (const one of signals) process.on(one, onSignal);
  return () => {
    if (takers.includes(own)) takers.splice(takers.indexOf(own), 1);
    for (const one of signals) process.off(one, onSignal);
  };
}
