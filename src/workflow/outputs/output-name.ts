import type { OutputKind } from '../../core/state/output-files.js';

/** A file of a job as a person sees it. */
export interface OutputName {
  /** What to save it as: safe on every platform, extension and all, and unlike the names of the other files. */
  readonly name: string;
  /** The title of the node that made it, else the node's class, else its id. */
  readonly title: string;
  /** What kind of file it is, by its media type. */
  readonly kind: OutputKind;
  /** Its number among the files, from 1. */
  readonly index: number;
  /** The seed of the nearest node before it that has one, else of any node; absent if none has, and without a workflow. */
  readonly seed?: string;
  /** When its job started, else was queued, by the service's clock in milliseconds since 1970; absent if the service did not say. */
  readonly madeAt?: number;
}
