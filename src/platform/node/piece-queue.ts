/** Bytes between somebody who is told of them and somebody who asks for them. */
export interface PieceQueue {
  readonly push: (piece: Uint8Array) => void;
  /** Bytes that nobody has asked for yet. */
  readonly waiting: () => number;
  /** Takes the one piece of a queue that ended well with no more than that, `maxBytes` at most; undefined for any other queue. */
  readonly whole: (maxBytes: number) => Uint8Array | undefined;
  /** Ends it, with a failure if one is given; what came before is given first. Only the first end counts. */
  readonly end: (failure?: Error) => void;
  /** What is pushed, to be read once; `drained` is called whenever more is awaited. */
  readonly pieces: (drained?: () => void) => AsyncGenerator<Uint8Array, void, undefined>;
}

/** Makes an empty {@link PieceQueue}. It has no bound of its own. */
export const pieceQueue = (): PieceQueue => {
  let queue: Uint8Array[] = [];
  let bytes = 0;
  let end: { readonly failure: Error | undefined } | undefined;
  let wake = (): void => undefined;

  return {
    push: (piece) => {
      queue.push(piece);
      bytes += piece.byteLength;
      wake();
    },
    waiting: () => bytes,
    whole: (maxBytes) => {
      if (end === undefined || end.failure !== undefined || queue.length !== 1 || bytes > maxBytes)
        return undefined;
      const [only] = queue;
      [queue, bytes] = [[], 0];
      return only;
    },
    end: (failure) => {
      end ??= { failure };
      wake();
    },
    pieces: async function* (drained) {
      for (;;) {
        const taken = queue;
        [queue, bytes] = [[], 0];
        for (const piece of taken) yield piece;
        if (queue.length > 0) continue;
        if (end !== undefined) break;
        drained?.();
        await new Promise<void>((resolve) => (wake = resolve));
      }
      if (end.failure !== undefined) throw end.failure;
    },
  };
};
