/**
 * The client as fp-ts programs write it: functions that take their data last, for `pipe`, and programs that need a client, as
 * `ReaderTaskEither`.
 *
 * @packageDocumentation
 */

// These modules import types by the package's name, so that their declarations name those of `promptwire` and repeat none.
export {
  cancel,
  type ClientReader,
  download,
  job,
  outputs,
  rest,
  run,
  submit,
  upload,
} from './client/fp/client-reader.js';
export { type ErrorCases, type ErrorResult, hasTag, matchError } from './client/fp/match-error.js';
export { setInput } from './client/fp/set-input.js';
export { withClient } from './client/fp/with-client.js';
