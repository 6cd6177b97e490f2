/** What the client of a socket announced in its handshake. */
export interface ClientFlags {
  /** Previews come as type 4, with job and node. */
  readonly previewMetadata: boolean;
  /** Progress text comes with the job's id, where the server announces that too. */
  readonly promptText: boolean;
}

/** Before, or without, a handshake. */
export const noFlags: ClientFlags = { previewMetadata: false, promptText: false };
