import * as t from 'io-ts';

/** The answer of the status endpoint: only the word is promised (docs/protocol.md, chapter 4). */
export const jobStatusCodec = t.intersection([
  t.type({ status: t.string }),
  t.partial({
    id: t.unknown,
    created_at: t.unknown,
    updated_at: t.unknown,
    error_message: t.unknown,
    execution_error: t.unknown,
  }),
]);
