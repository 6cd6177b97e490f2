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
} from './client-reader.js';
export { type ErrorCases, type ErrorResult, hasTag, matchError } from './match-error.js';
export { setInput } from './set-input.js';
export { withClient } from './with-client.js';
