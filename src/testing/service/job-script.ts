import type { Workflow } from '../../core/protocol/workflow.js';
import type { FailureFields } from '../job-frames.js';
import { imageFile, jobFrames } from '../job-frames.js';
import { encodeFrame } from '../encode-frame.js';

/** The life of one job as data. Times are milliseconds of the service's clock. */
export interface JobScript {
  /** How long the job waits before it runs; default 100. */
  readonly waitsMs?: number | undefined;
  /** What it sends while it runs; default: the nodes of the workflow one after the other, 100 ms each. */
  readonly steps?: readonly JobStep[] | undefined;
  /** When it ends, counted from its start; default 100 after its last step. */
  readonly endsAtMs?: number | undefined;
  /** How it ends; default `completed`. `lost`: no source says anything of it any more. */
  readonly end?: 'completed' | 'cancelled' | 'failed' | 'lost' | undefined;
  /** Why it fails, where it does. */
  readonly failure?: FailureFields | undefined;
  /** What its record holds, by node; default: what its steps put out. */
  readonly outputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** How long after the end its record is there; default 0. */
  readonly recordLagMs?: number | undefined;
}

/** One thing that a job sends, `atMs` milliseconds after its start. */
export type JobStep = { readonly atMs: number } & (
  | /** This node runs now. */ { readonly node: string }
  | /** Progress of a node. */ { readonly node: string; readonly value: number; readonly max: number }
  | /** What a node puts out. */ { readonly node: string; readonly output: Readonly<Record<string, unknown>> }
  | /** A preview picture. */ {
      readonly node: string;
      readonly preview: Uint8Array;
      readonly mediaType?: string | undefined;
    }
  | /** A progress text. */ { readonly node: string; readonly text: string }
  | /** Nodes whose results come from an earlier run. */ { readonly cached: readonly string[] }
  | /** A message as it goes over the wire. */ { readonly message: string | Uint8Array }
);

/** The script of a submission that has none: each node runs for 100 ms, and savers and previews put out one picture each. */
export const defaultScript = (workflow: Workflow, index: number): JobScript => ({
  steps: Object.entries(workflow).flatMap(([node, { class_type: type }], position): readonly JobStep[] => {
    const atMs = position * nodeMs;
    const runs = { atMs, node };
    const output = pictureOf(node, type, index);
    return output === undefined ? [runs] : [runs, { atMs: atMs + nodeMs, node, output }];
  }),
});

/** What a saver or a preview puts out: one picture, counted by the jobs of the service; undefined for any other class. */
export const pictureOf = (
  node: string,
  classType: string,
  index: number,
): Readonly<Record<string, unknown>> | undefined =>
  /^(?:Save|Preview)/u.test(classType)
    ? imageFile(
        `${node}-${String(index + 1).padStart(5, '0')}_.png`,
        classType.startsWith('Save') ? 'output' : 'temp',
      )
    : undefined;

const nodeMs = 100;

/** When a job ends by its script. */
export const endOf = ({ steps = [], endsAtMs }: JobScript): number =>
  endsAtMs ?? steps.reduce((last, { atMs }) => Math.max(last, atMs), 0) + nodeMs;

/** A step as the message that is sent. */
export const messageOf = (promptId: string, step: JobStep): string | Uint8Array => {
  const job = jobFrames(promptId);
  if ('message' in step) return step.message;
  if ('cached' in step) return encodeFrame(job.cached(step.cached));
  if ('value' in step) return encodeFrame(job.progress(step.node, step.value, step.max));
  if ('output' in step) return encodeFrame(job.executed(step.node, step.output));
  if ('preview' in step) return encodeFrame(job.preview(step.node, step.preview, step.mediaType));
  if ('text' in step) return encodeFrame(job.text(step.node, step.text));
  return encodeFrame(job.executing(step.node));
};
