/** How bytes travel. */
export interface BytePace {
  readonly bytesPerSecond?: number | undefined;
  /** Sizes of the pieces, over and over. */
  readonly sizes?: readonly number[] | undefined;
}

/** A piece, and how long to wait after it. */
export interface BytePiece {
  readonly piece: Uint8Array;
  readonly pauseMs: number;
}

/**
 * Cuts bytes into pieces of the sizes given, or for a mere rate into a tenth of a second's worth. The pauses between
 * pieces make up the rate.
 */
export function* cutIntoPieces(
  bytes: Uint8Array,
  { bytesPerSecond = Infinity, sizes }: BytePace,
): Generator<BytePiece> {
  const perTick = bytesPerSecond === Infinity ? bytes.length : Math.ceil(bytesPerSecond / 10);
  const wanted = sizes ?? [Math.max(1, perTick)];
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const piece = bytes.subarray(at, at + (wanted[index % wanted.length] ?? 1));
    at += piece.length;
    yield { piece, pauseMs: (piece.length / bytesPerSecond) * 1000 };
  }
}
