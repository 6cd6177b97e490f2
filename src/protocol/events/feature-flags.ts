import * as t from 'io-ts';

/** What the server can do, as its answer to the client's first message (docs/protocol.md, chapter 5). */
export const featureFlags = t.record(t.string, t.unknown);
