/** A body of an answer into which the service pushes bytes while the client reads it. */
export interface PushedBody {
  readonly iterable: AsyncIterable<Uint8Array>;
  readonly push: (bytes: Uint8Array) => void;
  readonly end: () => void;
  /** Breaks it off, behind what was pushed. */
  readonly fail: (error: unknown) => void;
  /** Gives up the rest, as the client does. */
  readonly discard: () => void;
  /** Calls when the client has read the body to its end, or has given it up. */
  readonly left: (work: () => void) => void;
}

/** Makes a body that is read once; `released` is called when the client holds it no longer. */
export const pushedBody = (released: () => void): PushedBody => {
  const pieces: Uint8Array[] = [];
  const works: (() => void)[] = [released];
  let ending: { readonly error?: unknown } | undefined;
  let isLeft = false;
  let waiting: (() => void) | undefined;

  const leave = (): void => {
    if (isLeft) return;
    isLeft = true;
    for (const work of works) work();
  };
  const wake = (): void => {
    waiting?.();
    waiting = undefined;
  };
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    while (pieces.length === 0 && ending === undefined && !isLeft)
      await new Promise<void>((resolve) => (waiting = resolve));
    const value = pieces.shift();
    if (value !== undefined && !isLeft) return { done: false, value };
    leave();
    if (ending !== undefined && 'error' in ending) throw ending.error;
    return { done: true, value: undefined };
  };
  const discard = (): void => {
    leave();
    wake();
  };
  return {
    iterable: {
      [Symbol.asyncIterator]: () => ({
        next,
        return: () => {
          discard();
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    },
    push: (bytes) => {
      if (ending === undefined && !isLeft) pieces.push(bytes);
      wake();
    },
    end: () => {
      ending ??= {};
      wake();
    },
    fail: (error) => {
      ending ??= { error };
      wake();
    },
    discard,
    left: (work) => works.push(work),
  };
};
