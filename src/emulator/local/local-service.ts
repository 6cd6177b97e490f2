import type { EmulatorClock } from '../clock.js';
import type { NodeClass } from '../engine/node-class.js';
import type { RequestParts } from '../http/request.js';
import type { Answer } from '../http/answer.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import type { JobAnswers } from '../faults/job-answers.js';
import type { Ids } from '../ids.js';
import type { Settings } from '../settings.js';
import type { FileStore } from '../store/file-store.js';
import type { Device } from './device.js';
import type { Freeing } from './freeing.js';
import type { LocalHub } from './local-hub.js';
import type { LocalLog } from './local-log.js';
import type { SubmissionNumbers } from './submission-numbers.js';
import type { UserFile } from './user-file.js';
import type { LocalQueue } from './local-queue.js';

/** The state of a local server, which its routes and sockets work on. */
export interface LocalService {
  readonly settings: Settings;
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  readonly files: FileStore;
  readonly queue: LocalQueue;
  readonly hub: LocalHub;
  readonly log: LocalLog;
  /** What it computes on. */
  readonly device: Device;
  /** What `POST /free` asks for. */
  readonly freeing: Freeing;
  /** What the editor stored, by name. */
  readonly editorSettings: Map<string, unknown>;
  /** Users that were added beside the one. */
  readonly userNames: Set<string>;
  /** The files of the user, by their paths. */
  readonly userdata: Map<string, UserFile>;
  /** The folders in which such files are, or were. */
  readonly userFolders: Set<string>;
  readonly ids: Ids;
  readonly faults: FaultInjector;
  readonly jobAnswers: JobAnswers;
  readonly clock: EmulatorClock;
  /** When the server began, which is also what it says of every file. */
  readonly startedAt: number;
  /** The numbers of submissions. */
  readonly numbers: SubmissionNumbers;
}

/** One endpoint of the local server. */
export type LocalHandler = (request: LocalRequest) => Answer | Promise<Answer>;

/** A request on its way to an endpoint. */
export interface LocalRequest extends RequestParts {
  readonly service: LocalService;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
