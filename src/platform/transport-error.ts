import type { TransportFailure } from '../socket/platform.js';

/** How the platforms reject a request: an `Error` that is a `TransportFailure`. */
export class TransportError extends Error implements TransportFailure {
  override readonly name = 'TransportError';
  readonly code: string;
  readonly sent: boolean;

  constructor(code: string, message: string, sent: boolean) {
    super(message);
    this.code = code;
    this.sent = sent;
  }
}
