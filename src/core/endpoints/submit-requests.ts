/** What a submission may ask for beside the run of its workflow; each dialect takes some of it (docs/protocol.md, 2.4 and L.66). */
export interface SubmitRequests {
  /**
   * Labels that the service keeps with the job; only with `dialect: 'v2'`. A key that the service refuses is `InvalidWorkflow` or
   * `BadRequest` of its answer.
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Puts the job before those that wait; not with `dialect: 'v2'`. The first job of an engine stands where it stands. */
  readonly front?: boolean | undefined;
  /** Its place in the queue, the lowest first, negative ones as well; not with `dialect: 'v2'`, nor together with `front`. */
  readonly number?: number | undefined;
  /**
   * Runs these output nodes and what they need, and no others: ids of the workflow, such as `9`, or `12:3` within a subgraph; not with
   * `dialect: 'v2'`. Engines skip other ids silently, so an id that the workflow lacks is `InvalidConfig`, and so is a
   * node that the service's definitions don't call an output node.
   */
  readonly targets?: readonly string[] | undefined;
  /** The UUID of a workflow that is saved at the service, to link the job to; only with `dialect: 'cloud'`. */
  readonly workflowId?: string | undefined;
  /** How a local engine of 0.5 or newer makes previews of this job; only with `dialect: 'local'`. */
  readonly previewMethod?: PreviewMethod | undefined;
}

/** `default` is what the engine was started with. */
export type PreviewMethod = 'default' | 'none' | 'auto' | 'latent2rgb' | 'taesd';

/** The names of what a submission may ask for. */
export type SubmitRequest = keyof SubmitRequests;
