import type { EventData, ServiceMessage } from '../messages.js';
import type { Failure, Job } from './job.js';
import type { Ffmpeg } from '../engine/codecs/ffmpeg.js';
import type { FileStore } from '../store/file-store.js';
import type { NodeClass } from '../engine/node-class.js';
import type { Pace } from '../pace.js';
import type { ReserveDevice } from './node-needs.js';
import type { ResultCache } from './result-cache.js';
import type { Switches } from '../switches.js';

/** How a run ended; `executed` names the nodes that were done by then. */
export type RunEnd =
  | { readonly _tag: 'success' }
  | {
      readonly _tag: 'interrupted';
      readonly nodeId: string;
      readonly nodeType: string;
      readonly executed: readonly string[];
    }
  | {
      readonly _tag: 'failed';
      readonly failure: Failure;
      readonly inputs: Readonly<Record<string, readonly unknown[]>>;
      readonly executed: readonly string[];
    };

/** The dependencies of a run. */
export interface RunEnvironment {
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  readonly switches: Pick<
    Switches,
    'videoKey' | 'fileNames' | 'modelOutputs' | 'fileMetadata' | 'stillPreviews' | 'openWork'
  >;
  readonly cache: ResultCache;
  readonly files: FileStore;
  readonly pace: Pace;
  /** In milliseconds. */
  readonly now: () => number;
  readonly ffmpeg: Ffmpeg;
  /** Gives the next id of an asset, where the server keeps them. */
  readonly assetId?: (() => string) | undefined;
  /** The device of the machine, where that is played. */
  readonly reserve?: ReserveDevice;
  readonly send: (message: ServiceMessage) => void;
  /** Sends an event with a timestamp and adds it to the job's history. */
  readonly record: (job: Job, type: string, data: EventData) => void;
}
