import type { JobState } from '../../../core/state/job-state.js';
import type { NodeDefinitions } from '../../../workflow/definitions.js';
import type { Observable } from 'rxjs';
import type { OutputFile } from '../../../core/state/output-files.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** A file of a job, and how its bytes are read. */
export interface ServiceFile extends OutputFile {
  /** Where others may fetch it, where the service says so. */
  readonly url?: string | undefined;
  /** Reads it; rejects with a `ServiceError`. */
  readonly bytes: () => Promise<Uint8Array>;
}

/** A job of a list. */
export interface ServiceJob {
  readonly id: string;
  readonly phase: string;
  /** In milliseconds since 1970, where the service tells it. */
  readonly createdAt?: number | undefined;
  readonly server?: string | undefined;
  readonly template?: string | undefined;
}

/** A client, a pool or a gateway, as the tools use it; promises reject with a `ServiceError`. */
export interface McpService {
  /** One job for each subscription, which goes on without a subscriber. */
  readonly run: (workflow: Workflow) => Observable<JobState>;
  /** The state of a job at this moment; rejects with `NotFound` at once where there is no such job. */
  readonly status: (id: string) => Promise<JobState>;
  readonly list: (limit: number) => Promise<readonly ServiceJob[]>;
  /** Resolves with `false` if the job was over before. */
  readonly cancel: (id: string) => Promise<boolean>;
  readonly definitions: () => Promise<NodeDefinitions>;
  /** Which classes the service puts in place of those that it lacks; rejects where nothing tells. */
  readonly replacements: () => Promise<unknown>;
  /** The files of a job, of the type `output` alone. */
  readonly files: (state: JobState) => Promise<readonly ServiceFile[]>;
  readonly templates: () => Promise<readonly ServiceTemplate[]>;
}

/** A workflow with named inputs. */
export interface ServiceTemplate {
  readonly name: string;
  /** Of its inputs. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** Fills it, so that the workflow can be looked at before it runs; absent if only the gateway has it. */
  readonly fill?: ((inputs: unknown) => Workflow) | undefined;
  readonly run: (inputs: Readonly<Record<string, unknown>>) => Observable<JobState>;
}
