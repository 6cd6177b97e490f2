/** What the gateway describes of its answers has exactly the members that its types have: one more or one less of either does not compile. */
import type * as t from 'io-ts';
import type { DeletedJob } from '../../src/page/remote/delete-jobs.js';
import type {
  deletedJobs,
  nativeFile,
  nativeJob,
  streamedJob,
} from '../../src/server/gateway/contract/native.js';
import type { Equal, Expect } from '../types/equal.js';
import type { JobLogEvent, JobProgress, JobStatusMembers } from '../../src/core/events/job-log-event.js';
import type { JobState } from '../../src/core/state/job-state.js';
import type { jobProgress, jobState, jobStatus } from '../../src/server/gateway/contract/job-state.js';
import type { NativeFile } from '../../src/server/gateway/native/native-job.js';
import type { nativeEvent } from '../../src/server/gateway/contract/events.js';
import type { OutputFile } from '../../src/core/state/output-files.js';
import type { PreviewNews } from '../../src/page/remote/stream-event.js';
import type { RemoteJob } from '../../src/core/events/remote-job.js';
import type { RemoteOutput } from '../../src/page/remote/outputs.js';
import type { RemoteServer } from '../../src/core/events/remote-server.js';
import type { server } from '../../src/server/gateway/contract/servers.js';
import type { SocketImage } from '../../src/core/state/socket-image.js';

/** A type as its members alone: without intersections, and all of them readonly. */
type Plain<Value> = Value extends readonly (infer Element)[]
  ? readonly Plain<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Plain<Value[Name]> }
    : Value;

type Same<Codec extends t.Mixed, Value> = Equal<Plain<t.TypeOf<Codec>>, Plain<Value>>;

/** A gateway writes no bytes of pictures. */
type Written<Value extends { readonly socketImages?: readonly SocketImage[] }> = Omit<
  Value,
  'socketImages'
> & {
  readonly socketImages?: readonly Omit<SocketImage, 'bytes'>[];
};

type WrittenJob = Omit<RemoteJob, 'state'> & { readonly state: Written<JobState> };

type DataOf<Name extends string> = Extract<t.TypeOf<typeof nativeEvent>, { readonly event: Name }>['data'];

/** An event of the log as readers get it, with the id of its job. */
type Told<Name extends JobLogEvent['type'], Changed = unknown> = Omit<
  Extract<JobLogEvent, { readonly type: Name }>,
  keyof Changed
> &
  Changed & { readonly job: string };

export type Contract = [
  Expect<Same<typeof jobState, Written<JobState>>>,
  Expect<Same<typeof jobStatus, Written<JobStatusMembers>>>,
  Expect<Same<typeof jobProgress, JobProgress>>,
  Expect<Same<typeof streamedJob, WrittenJob>>,
  Expect<Same<typeof nativeJob, WrittenJob & { readonly files: readonly NativeFile[] }>>,
  Expect<Same<typeof nativeFile, NativeFile>>,
  Expect<Same<typeof nativeFile, Omit<RemoteOutput, 'blob' | 'link'>>>,
  Expect<Same<typeof server, RemoteServer>>,
  Expect<Equal<Plain<t.TypeOf<typeof deletedJobs>['jobs'][number]>, Plain<DeletedJob>>>,
  Expect<Equal<Plain<DataOf<'submitted'>>, Plain<Told<'submitted', { readonly state: Written<JobState> }>>>>,
  Expect<
    Equal<Plain<DataOf<'status'>>, Plain<Told<'status', { readonly status: Written<JobStatusMembers> }>>>
  >,
  Expect<
    Equal<
      Plain<DataOf<'output'>>,
      Plain<Told<'output', { readonly added: readonly Omit<OutputFile, 'name'>[] }>>
    >
  >,
  Expect<Equal<Plain<DataOf<'cancelRequested'>>, Plain<Told<'cancelRequested'>>>>,
  Expect<Equal<Plain<DataOf<'progress'>>, Plain<Told<'progress'>>>>,
  Expect<keyof PreviewNews extends keyof DataOf<'preview'> ? true : false>,
];
