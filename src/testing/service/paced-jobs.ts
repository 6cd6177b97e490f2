import { isLink, type Workflow, type WorkflowNode } from '../../core/protocol/workflow.js';
import { type JobScript, type JobStep, pictureOf } from './job-script.js';
import { examplePicture } from './example-picture.js';
import type { FailureFields } from '../job-frames.js';

/** Options of {@link pacedJobs}. */
export interface PacedJobsOptions {
  /** How long each node runs, in milliseconds; default 400. */
  readonly nodeMs?: number | undefined;
  /** How long a job waits before it runs, in milliseconds; default 100. */
  readonly waitsMs?: number | undefined;
  /** The id of the node at which each job fails, half-way through it; default none, and the jobs complete. */
  readonly failsAt?: string | undefined;
  /** Why it fails there; the node and its class are added. */
  readonly failure?: Omit<FailureFields, 'nodeId' | 'nodeType'> | undefined;
}

/**
 * Makes scripts of jobs that take their time: the option `jobs` of a service in memory.
 *
 * The nodes run one after the other, each after those that it is linked to. A node with a number of `steps` counts them and sends a
 * preview with each; `Save…` and `Preview…` nodes put out one picture. Where the workflow has no node `failsAt`, the job completes.
 *
 * @example
 * ```ts
 * import { pacedJobs, scriptedService } from 'promptwire/testing';
 *
 * const jobs = pacedJobs({ nodeMs: 2_000, failsAt: '3', failure: { exceptionType: 'OOMError' } });
 * const service = scriptedService({ jobs });
 * console.log(service.baseUrl);
 * ```
 */
export const pacedJobs =
  ({ nodeMs = 400, waitsMs = 100, failsAt, failure }: PacedJobsOptions = {}) =>
  (workflow: Workflow, index: number): JobScript => {
    const order = inOrder(workflow);
    const failing = order.findIndex(([node]) => node === failsAt);
    const [, failed] = order[failing] ?? [];
    const steps = order
      .slice(0, failing === -1 ? undefined : failing + 1)
      .flatMap(([node, own], position) => {
        const all = stepsOf(node, own, index, { fromMs: position * nodeMs, forMs: nodeMs });
        return position === failing ? all.filter(({ atMs }) => atMs <= (position + 0.5) * nodeMs) : all;
      });
    if (failed === undefined) return { waitsMs, steps };
    return {
      ...{ waitsMs, steps, end: 'failed', endsAtMs: (failing + 0.5) * nodeMs },
      failure: { ...failure, nodeId: failsAt, nodeType: failed.class_type },
    };
  };

/** What one node sends while it runs. */
const stepsOf = (
  node: string,
  { class_type: classType, inputs }: WorkflowNode,
  index: number,
  { fromMs, forMs }: { readonly fromMs: number; readonly forMs: number },
): readonly JobStep[] => {
  const max = Math.min(Number(inputs['steps'] ?? 0) || 0, maxSteps);
  const counted = Array.from({ length: max }, (_, step): readonly JobStep[] => {
    const [value, atMs] = [step + 1, fromMs + (forMs * (step + 1)) / (max + 1)];
    const preview = examplePicture(`${classType} ${value}`);
    return [
      { atMs, node, value, max },
      { atMs, node, preview, mediaType: 'image/png' },
    ];
  });
  const output = pictureOf(node, classType, index);
  return [
    { atMs: fromMs, node },
    ...counted.flat(),
    ...(output === undefined ? [] : [{ atMs: fromMs + forMs, node, output }]),
  ];
};

/** A node with more of them counts to this number. */
const maxSteps = 50;

/** The nodes, each after those that its links name. */
const inOrder = (workflow: Workflow): readonly (readonly [string, WorkflowNode])[] => {
  const seen = new Set<string>();
  const withSources = (node: string): readonly (readonly [string, WorkflowNode])[] => {
    const own = workflow[node];
    if (own === undefined || seen.has(node)) return [];
    seen.add(node);
    const links = Object.values(own.inputs).filter(
      (value): value is readonly [string, number] => Array.isArray(value) && isLink(workflow, value),
    );
    return [...links.flatMap(([source]) => withSources(source)), [node, own]];
  };
  return Object.keys(workflow).flatMap((node) => withSources(node));
};
