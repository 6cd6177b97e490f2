import type { InputFetcher } from './input-fetcher.js';

/** From where calls may name inputs by address. */
export interface InputOptions {
  /** Reads the files: `inputFetcher(defaultPlatform())` of `promptwire/gateway/node`. The gateway closes it with itself. */
  readonly fetcher: InputFetcher;
  /**
   * The origins, such as `https://files.example`. One whose host is a public name or address leads to public addresses only; one that names a private
   * host, such as `http://10.0.0.5:9000`, is trusted as it stands.
   */
  readonly origins: readonly string[];
  /** How long a file may take, in milliseconds; default 30 000. */
  readonly timeoutMs?: number;
}
