import type { Verdict as StatementVerdict } from '../../conformance.js';
import { jobCommand } from './reach.js';
import type { ShownProgress } from '../terminal/job-view.js';
import type {
  AssetRef,
  Dialect,
  DownloadState,
  JobFailure,
  JobState,
  JobStatus,
  NodeErrors,
  NodeInfo,
  OutputFile,
  Preview,
  Queue,
  SavedFile,
  ServiceError,
  UnreadOutput,
  User,
  Workflow,
} from '../../node.js';
import type { PreflightReport, Problem, Verdict, WorkflowChange } from '../../workflow.js';
import type { ExitName, Stage } from '../exit-code.js';
import type { PoolJobState, PoolServer } from '../../pool.js';
import type { QueueJob, QueueStats } from '../../queue.js';
import type { Inspection } from '../input/inspection.js';

/** Everything that a command reports; each reporter formats it. */
export type CliEvent =
  | {
      readonly kind: 'submitted';
      readonly detached: boolean;
      readonly promptId: string;
      /** Submitted by an earlier run with the same job key. */
      readonly recorded?: true;
      readonly number?: number;
      readonly nodeErrors: NodeErrors;
    }
  | {
      readonly kind: 'state';
      readonly state: JobState;
      readonly titles: Titles;
      /** Without a time left while the connection is not open. */
      readonly shown?: ShownProgress;
    }
  /** The state of one job of a command that runs `of` of them. */
  | {
      readonly kind: 'batch';
      readonly file: string;
      readonly index: number;
      readonly of: number;
      readonly state: JobState & Partial<Pick<PoolJobState, 'server' | 'attempt'>>;
    }
  /** What is known of many servers; `isLast` ends the command. */
  | { readonly kind: 'servers'; readonly servers: readonly PoolServer[]; readonly isLast?: true }
  /** Several engines that the emulator plays. */
  | { readonly kind: 'engines'; readonly baseUrls: readonly string[] }
  /** The passing time alone changed what is shown of the latest state; only a terminal shows it. */
  | { readonly kind: 'passed'; readonly shown: ShownProgress }
  | {
      readonly kind: 'connection';
      /** `missing` before it first opened, `lost` after it was open. */
      readonly state: 'missing' | 'lost' | 'back';
      /** Absent while the job is submitted. */
      readonly promptId?: string;
      readonly reason?: string;
    }
  | { readonly kind: 'preview'; readonly preview: Preview }
  | { readonly kind: 'output'; readonly promptId: string; readonly file: OutputFile }
  | {
      readonly kind: 'text';
      readonly promptId: string;
      readonly nodeId: string;
      readonly displayNodeId?: string;
      readonly key?: string;
      readonly text: string;
      readonly titles: Titles;
    }
  /** Something that a node told in a shape that can't be read. */
  | (UnreadOutput & { readonly kind: 'unread'; readonly promptId: string; readonly titles: Titles })
  /** Temporary files of preview nodes that are not saved. */
  | { readonly kind: 'skipped'; readonly promptId: string; readonly count: number }
  | { readonly kind: 'download'; readonly state: DownloadState }
  | {
      readonly kind: 'saved';
      readonly file: SavedFile;
      readonly promptId?: string;
      /** An earlier command saved it. */
      readonly existing?: true;
    }
  /** Files that an earlier command saved. */
  | { readonly kind: 'existing'; readonly promptId: string; readonly count: number }
  | {
      readonly kind: 'uploaded';
      readonly value: string;
      readonly name: string;
      readonly subfolder: string;
      readonly type: string;
      readonly asset?: AssetRef;
    }
  | { readonly kind: 'inspected'; readonly inspection: Inspection }
  /** `path` is the file that holds it, where one was asked for. */
  | { readonly kind: 'converted'; readonly workflow: Workflow; readonly path?: string }
  /** `path` is the file that has the declarations of `classes` node classes. */
  | { readonly kind: 'declared'; readonly path: string; readonly classes: number }
  /** An example of `demo`. */
  | {
      readonly kind: 'example';
      readonly name: string;
      readonly description: string;
      readonly inputs: readonly string[];
    }
  /** `path` is the file that holds it, where one was asked for. */
  | { readonly kind: 'program'; readonly text: string; readonly path?: string }
  /** One difference of two workflows; `node` says which node it is. */
  | { readonly kind: 'change'; readonly node: string; readonly change: WorkflowChange }
  | { readonly kind: 'status'; readonly status: JobStatus }
  /** Everything that is known of a job; `id` is that of the service or of a queue. */
  | { readonly kind: 'shown'; readonly id: string; readonly state: JobState }
  | { readonly kind: 'queue'; readonly queue: Queue; readonly server?: string }
  | { readonly kind: 'cancelled'; readonly promptId: string }
  | { readonly kind: 'over'; readonly promptId: string; readonly phase: JobState['phase'] }
  | { readonly kind: 'cancelling'; readonly promptId: string }
  | { readonly kind: 'cancelRequested'; readonly promptId: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'nodeClass'; readonly name: string; readonly info: NodeInfo; readonly whole: boolean }
  | { readonly kind: 'user'; readonly user: User }
  | {
      readonly kind: 'emulator';
      readonly dialect: Dialect;
      readonly baseUrl: string;
      /** Of a server that has a socket. */
      readonly wsUrl?: string;
      readonly storageUrl: string;
      readonly apiKey?: string;
    }
  | { readonly kind: 'gateway'; readonly baseUrl: string }
  /** The page of the studio is at `baseUrl`; `service` says what its jobs run on. */
  | { readonly kind: 'studio'; readonly baseUrl: string; readonly service: string }
  /** The folder of a gateway was checked, and repaired where that was asked for. */
  | {
      readonly kind: 'checked';
      readonly folder: string;
      readonly problems: number;
      readonly repaired: boolean;
    }
  /** What the doctor found about one thing. */
  | {
      readonly kind: 'check';
      readonly check: string;
      readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
      readonly message: string;
      readonly fix?: string;
    }
  /** What was found about one statement of the protocol. */
  | ({ readonly kind: 'statement' } & StatementVerdict)
  /** The end of a run of the conformance suite, with the report for people. */
  | {
      readonly kind: 'conformance';
      readonly passed: number;
      readonly failed: number;
      readonly skipped: number;
      readonly jobs: number;
      readonly text: string;
    }
  /** A worker takes the jobs of this queue. */
  | { readonly kind: 'worker'; readonly id: string; readonly queue: string }
  /** A job of a queue. */
  | {
      readonly kind: 'job';
      readonly job: Partial<QueueJob> & Pick<QueueJob, 'id'> & { readonly phase: string };
      readonly added?: true;
    }
  | { readonly kind: 'stats'; readonly stats: QueueStats }
  | {
      readonly kind: 'queueChanged';
      readonly change: 'paused' | 'resumed' | 'drained' | 'cleared';
      /** How many jobs were cleared. */
      readonly jobs?: number;
    }
  /** A request that the gateway has answered. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
      readonly caller?: string;
    }
  /** Something wrong with a workflow, found before its submission. */
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Whether a workflow can run on the service and what it takes. */
  | { readonly kind: 'preflight'; readonly report: PreflightReport }
  | {
      readonly kind: 'verdict';
      /** What the service would do. */
      readonly verdict: Verdict;
      readonly errors: number;
      readonly warnings: number;
      /** Whether standard output has the workflow, which programs read: the line goes to standard error. */
      readonly isBeside?: boolean;
    }
  /** A repaired workflow, in a file or to be printed. */
  | { readonly kind: 'fixed'; readonly workflow: Workflow; readonly path?: string; readonly fixes: number }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'failure'; readonly promptId: string; readonly failure: JobFailure }
  | { readonly kind: 'error'; readonly error: ServiceError | Error }
  | EndEvent;

/** The last event of every command but `emulate`, `serve` and `worker`. */
export interface EndEvent {
  readonly kind: 'end';
  readonly exit: ExitName;
  readonly stage: Stage;
  readonly promptId?: string;
  /** The options that a command which goes on needs, as {@link reachOf} gives them; default none. */
  readonly reach?: string;
  readonly elapsedMs: number;
}

/** Node id → title, where the workflow is known. */
export type Titles = ReadonlyMap<string, string>;

/** Writes the events of a command. */
export interface Reporter {
  readonly report: (event: CliEvent) => void;
  /** Restores the terminal; no event may follow. */
  readonly close: () => void;
}

/** The shell command that continues this one; undefined if nothing is left to do. */
export const resumeCommand = ({ exit, stage, promptId, reach = '' }: EndEvent): string | undefined => {
  if (promptId === undefined) return undefined;
  if (exit === 'untraceable') return undefined;
  if (stage === 'watch' || stage === 'cancel') return jobCommand('follow', promptId, reach);
  const isLeft = exit === 'incomplete' || (stage === 'download' && exit !== 'done');
  return isLeft ? jobCommand('outputs', promptId, reach) : undefined;
};

/** The shell command that cancels the job of this one. */
export const cancelCommand = ({ promptId, reach = '' }: EndEvent): string | undefined =>
  promptId === undefined ? undefined : jobCommand('cancel', promptId, reach);
