/** A body that gathers in memory until it is read, once: its pieces in their order, then its end or the reason why it was cut. */
export interface GatheredBody extends AsyncIterable<Uint8Array> {
  readonly push: (piece: Uint8Array) => void;
  readonly end: () => void;
  /** What has gathered is read before it rejects. */
  readonly fail: (reason: Error) => void;
}

/** Makes one that is still empty. Its source is never paused: its reader bounds what it takes. */
export const gatheredBody = (): GatheredBody => {
  const pieces: Uint8Array[] = [];
  let isOver = false;
  let failure: Error | undefined;
  let wake = (): void => undefined;
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    if (pieces.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
    const value = pieces.shift();
    if (value !== undefined) return { done: false, value };
    if (failure !== undefined) throw failure;
    return { done: true, value: undefined };
  };

  return {
    push: (piece) => {
      pieces.push(piece);
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
    fail: (reason) => {
      if (isOver) return;
      isOver = true;
      failure = reason;
      wake();
    },
    [Symbol.asyncIterator]: () => ({ next }),
  };
};
