/** A request that the emulator saw, on which origin. */
export interface RecordedRequest {
  readonly origin: 'api' | 'storage';
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A JSON body as it was sent, once it was read. */
  readonly body?: string;
}
