export { createRemote } from './create-remote.js';
export { isServiceError, isTerminal, outputFiles, outputKind, progress, toStore } from './of-the-client.js';
export { objectUrls } from './object-urls.js';

export type { RemoteConnection } from './connection.js';
export type { RemoteJob } from '../events/remote-job.js';
export type { RemoteJobPage, RemoteListOptions } from './list.js';
export type { RemoteOutput, RemoteOutputsOptions } from './outputs.js';
export type { Remote, RemoteOptions, RemoteRunOptions } from './remote.js';
export type { TokenAnswer, TokenSource } from './tokens.js';
export type { RemoteUploadOptions, UploadState } from './upload.js';
