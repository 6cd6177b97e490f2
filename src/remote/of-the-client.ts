// What a page needs of `promptwire` beside a remote: by that entry it would load the client with it.
import type * as client from 'promptwire';
import { isServiceError as isServiceErrorHere } from '../errors/tagged-error.js';
import { isTerminal as isTerminalHere } from '../state/job-state.js';
import { outputFiles as outputFilesHere, outputKind as outputKindHere } from '../state/output-files.js';
import { progress as progressHere } from '../operators/progress.js';
import { toStore as toStoreHere } from '../interop/to-store.js';

/** The same as `isServiceError` of `promptwire`. */
export const isServiceError: typeof client.isServiceError = isServiceErrorHere;

/** The same as `isTerminal` of `promptwire`. */
export const isTerminal: typeof client.isTerminal = isTerminalHere;

/** The same as `outputFiles` of `promptwire`. */
export const outputFiles: typeof client.outputFiles = outputFilesHere;

/** The same as `outputKind` of `promptwire`. */
export const outputKind: typeof client.outputKind = outputKindHere;

/** The same as `progress` of `promptwire`. */
export const progress: typeof client.progress = progressHere;

/** The same as `toStore` of `promptwire`. */
export const toStore: typeof client.toStore = toStoreHere;
