/** What `decodeFrame` may be told. */
export interface DecodeFrameOptions {
  /**
   * How binary type 3 is laid out: `true` where the server announced `supports_progress_text_metadata` (a prompt id
   * comes first), `false` where it did not. Without it a first id that is a UUID, with a second one after it, is taken
   * for a prompt id.
   */
  readonly promptText?: boolean | undefined;
  /** Removes secrets from the sample of a malformed frame before it is shortened; see `redactor`. */
  readonly redact?: ((text: string) => string) | undefined;
}
