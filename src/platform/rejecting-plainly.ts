import { transportFailure } from './transport-failure.js';

/** Reads a body; what the runtime throws becomes a failure that quotes nothing. */
export async function* rejectingPlainly(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (cause) {
    throw transportFailure(cause, true);
  }
}
