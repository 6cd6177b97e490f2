import type { Either } from '../../core/protocol/either.js';
import type { Client } from '../../client/client-types.js';
import type { Call } from '../../core/interop/call.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A workflow with named inputs: what the tools need of a `template` of `promptwire/workflow`. */
export interface McpTemplate {
  /** The workflow with these values; Left with what is wrong with them. */
  (inputs: never): Either<Error, Workflow>;
  /** The JSON Schema of the inputs. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

/** The members of a pool that the tools call; `createPool` of `promptwire/pool` makes one. */
export interface McpPool {
  /** Runs a workflow; its states name the server. */
  readonly run: (workflow: Workflow) => Observable<JobState & { readonly server?: string }>;
  /** Follows a job on whichever server has it. */
  readonly follow: (id: string) => Observable<JobState & { readonly server?: string }>;
  /** Cancels a job on the server that has it. */
  readonly cancel: (id: string) => Call<void>;
  /** The servers of the pool, at once for each subscriber. */
  readonly servers: Observable<readonly { readonly name: string }[]>;
  /** The client of one server. */
  readonly client: (name: string) => Client;
}

/** A gateway that the tools go through. */
export interface McpGateway {
  /** Where it is, with its mount. */
  readonly url: string;
  /** The token of this caller. */
  readonly token?: string | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A picture that was made smaller. */
export interface ShrunkImage {
  /** Its bytes. */
  readonly bytes: Uint8Array;
  /** Their media type. */
  readonly mediaType: string;
}

/** Options of `createMcp`. Exactly one of `client`, `pool` and `gateway` runs the jobs; the caller closes it. */
export interface McpOptions {
  /** Runs the jobs on its service. */
  readonly client?: Client | undefined;
  /** Runs the jobs on its servers. */
  readonly pool?: McpPool | undefined;
  /** Runs the jobs by a gateway, with the templates of that. */
  readonly gateway?: McpGateway | undefined;
  /** Workflows that a model runs by name and inputs; a gateway has its own. */
  readonly templates?: Readonly<Record<string, McpTemplate>> | undefined;
  /** What hosts show as the version of the server; default `0`. */
  readonly version?: string | undefined;
  /** How many jobs all calls together may submit; default 100. */
  readonly maxJobs?: number | undefined;
  /**
   * Which runs a person has to confirm, by elicitation: those with paid nodes (`paid`, the default), all (`always`) or none (`never`). Where
   * the host can't ask, what has to be confirmed is refused.
   */
  readonly confirm?: 'paid' | 'always' | 'never' | undefined;
  /** What the end of a request before that of its job does to the job; default `cancel`. */
  readonly onCancelled?: 'cancel' | 'detach' | undefined;
  /** Seconds that a run is followed at most, whatever the model asks for; the job goes on. Default 600. */
  readonly maxWaitSeconds?: number | undefined;
  /** Bytes of a picture in a result; a larger one is made smaller, or only linked. Default 400 000. */
  readonly maxImageBytes?: number | undefined;
  /** Bytes of a file that a resource gives; default 64 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** Makes a picture fit into so many bytes; undefined if it can't. Default: large pictures are only linked. */
  readonly shrink?: ((image: Uint8Array, maxBytes: number) => ShrunkImage | undefined) | undefined;
  /** Saves a file of a job and gives its address, such as `file:///pictures/a.png`. Default: files stay at the service. */
  readonly save?: ((name: string, bytes: Uint8Array) => Promise<string>) | undefined;
}
