/** Gathers bytes in a `Blob` as they come, so that no turn of the event loop copies all of them. */
export interface GatheredBlob {
  readonly add: (bytes: Uint8Array) => void;
  /** What has come so far, as the parts of a `Blob` or a `File`. */
  readonly parts: () => BlobPart[];
}

/** How many bytes are copied at once. */
const pieceBytes = 2 ** 20;

/** Makes an empty {@link GatheredBlob}. */
export const gatheredBlob = (): GatheredBlob => {
  /** These hold their bytes already, so that a `Blob` of them copies none. */
  const pieces: Blob[] = [];
  let latest: BlobPart[] = [];
  let latestBytes = 0;
  return {
    add: (bytes) => {
      latest.push(bytes as Uint8Array<ArrayBuffer>);
      latestBytes += bytes.byteLength;
      if (latestBytes < pieceBytes) return;
      pieces.push(new Blob(latest));
      latest = [];
      latestBytes = 0;
    },
    parts: () => [...pieces, ...latest],
  };
};
