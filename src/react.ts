/**
 * Hooks of React 18 and 19 over a client of `promptwire` or `promptwire/promises`, or a remote of `promptwire/remote`.
 *
 * They follow, submit and show jobs: rendering has no effects, components that show one job share one subscription, and errors are values.
 *
 * @packageDocumentation
 */
export { useConnection } from './page/react/use-connection.js';
export { useJob } from './page/react/use-job.js';
export { useJobs } from './page/react/use-jobs.js';
export { useOutputs } from './page/react/use-outputs.js';
export { usePreview } from './page/react/use-preview.js';
export { useRun } from './page/react/use-run.js';

export type { ConnectionSource } from './page/react/use-connection.js';
export type { JobHandle, JobSource, PreviewSource, RunSource } from './page/react/source.js';
export type { JobsView, ListSource, UseJobs } from './page/react/use-jobs.js';
export type { JobView, UseJob } from './page/react/use-job.js';
export type { RemoteJob } from './core/events/remote-job.js';
export type { RemoteJobPage, RemoteListOptions } from './page/remote/list.js';
export type { RemoteOutput } from './page/remote/outputs.js';
export type { OutputSource, OutputsView } from './page/react/use-outputs.js';
export type { PreviewView, UsePreview } from './page/react/use-preview.js';
export type { RunArguments, RunView } from './page/react/use-run.js';
export type { RunState } from './page/react/run.js';
