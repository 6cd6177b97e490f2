import type { WorkflowGraph } from '@comfyorg/sdk';

/** What servers of API v2 decide in different ways, and limits that a scenario wants to reach soon. */
export interface Habits {
  /** Whether it serves without a key. */
  readonly anonymous?: boolean;
  /** The path below which the API is mounted. */
  readonly mount?: string;
  /** Whether `lasting` of its graphs says nothing while it runs. */
  readonly unhurried?: boolean;
  /** Jobs that run at the same time. */
  readonly jobsAtOnce?: number;
  /** Jobs that may wait. */
  readonly queueLimit?: number;
  /** Milliseconds from its start in which submissions are answered `deployment_not_ready`. */
  readonly notReadyMs?: number;
  /** Event streams at the same time; 0: none at all. */
  readonly streamLimit?: number;
  /** How content is served. */
  readonly content?: 'inline' | 'redirect';
  readonly maxUploadBytes?: number;
  /** Whether it lists jobs and takes metadata. */
  readonly lists?: boolean;
}

/** One accepted submission, as the server's books have it. */
export interface BookedJob {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'ended';
  /** What the engine got beside the graph. */
  readonly extraData: Readonly<Record<string, unknown>>;
}

/** Graphs that a server can run; each call makes one that no other call has made. */
export interface Graphs {
  /** Saves a picture, with previews on the way, in less than a second. */
  readonly picture: (steps?: number) => WorkflowGraph;
  /** Runs for about that long and shows progress, but no preview. */
  readonly lasting: (ms: number) => WorkflowGraph;
  /** Fails in its node `fail`. */
  readonly failing: () => WorkflowGraph;
  /** Has a value out of range in its node `bad`. */
  readonly invalid: () => WorkflowGraph;
  /** Loads a picture and saves it. */
  readonly loading: (image: unknown) => WorkflowGraph;
  /** Saves two pictures. */
  readonly twoPictures: () => WorkflowGraph;
}

/**
 * A server of API v2 and what scenarios may do to it. The optional members are powers over the server; scenarios that need
 * one are left out where a target lacks it.
 */
export interface SdkTarget {
  readonly name: string;
  /** The base, with the mount, without a slash at the end. */
  readonly baseUrl: string;
  /** `undefined` for a server that serves without. */
  readonly apiKey: string | undefined;
  /** The key of another account. */
  readonly strangerKey?: string;
  readonly graphs: Graphs;
  /** The server's books. */
  readonly jobs: () => readonly BookedJob[];
  /** How many event streams are open. */
  readonly openStreams: () => number;
  /** A server of the same kind with these habits; rejects with `NotPossible` if it can't have them. */
  readonly fresh: (habits: Habits) => Promise<DisposableTarget>;
  /** Whether it waits in the caller's place while a deployment starts, where API v2 refuses the submission. */
  readonly waitsForDeployment?: boolean;
  /** The most bytes that it takes in one upload, where that is less than the 100 MB of API v2. */
  readonly largestUploadBytes?: number;
  /** Accepts the next submission and loses what answers it. */
  readonly loseNextAnswer?: () => void;
  /** Whether the account has credits from now on. */
  readonly setCredits?: (hasCredits: boolean) => void;
  /** The engine fails from now on, for submissions with this `extra_data` where the target wants one. */
  readonly engineDown?: (when: 'at submission' | 'while it runs') => EngineDown;
  /** Sends bytes to every open event stream. */
  readonly inject?: (text: string) => void;
  /** Cuts every event stream. */
  readonly cutStreams?: () => void;
  /** The key is no longer good, for open streams as well. */
  readonly revokeKey?: () => Promise<void>;
  /** The engine loses the file of an output. */
  readonly loseFile?: (outputId: string) => void;
}

/** An engine that fails. */
export interface EngineDown {
  readonly extraData?: Readonly<Record<string, unknown>>;
  readonly bringBack: () => void;
}

/** A target that has to be given back. */
export type DisposableTarget = SdkTarget & AsyncDisposable;
