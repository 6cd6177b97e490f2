import type { FileContent } from '../../../core/http/rest-options.js';
import type { GatewayJob, GatewayJobs } from '../model/gateway-jobs.js';
import { isLeft } from '../../../core/protocol/either.js';
import type { Clock } from '../../../core/platform/platform.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { outputsOfJob, type OutputSizes } from './output-documents.js';
import { realClock } from '../../../core/platform/clock.js';

/** Finds out how large outputs are where the service's record does not tell. */
export interface SizeFinder {
  /**
   * The sizes that are known, of a job that is over; asks the service once for each output, and waits for that a second at most. A
   * slower answer is known the next time.
   */
  readonly of: (job: GatewayJob) => Promise<OutputSizes>;
  /** Remembers the size and the ETag that the service sent with an output. */
  readonly learn: (outputId: string, content: Learned) => void;
  /** What is known of an output. */
  readonly known: (outputId: string) => Learned;
}

/** What the service says of a file. */
export type Learned = Pick<FileContent, 'size' | 'etag'>;

/** Makes a {@link SizeFinder}, which remembers the sizes of the last 10,000 outputs. */
export const createSizeFinder = (
  { view }: Pick<GatewayJobs, 'view'>,
  clock: Pick<Clock, 'after'> = realClock,
): SizeFinder => {
  const sizes = new Map<string, number>();
  const asked = new Map<string, Promise<void>>();
  const etags = new Map<string, string>();
  const learn: SizeFinder['learn'] = (outputId, { size, etag }) => {
    if (size !== undefined) sizes.set(outputId, size);
    if (etag !== undefined) etags.set(outputId, etag);
    trim(sizes);
    trim(etags);
  };
  const ask = async (job: GatewayJob, output: ReturnType<typeof outputsOfJob>[number]): Promise<void> => {
    const content = await view(job, output.file)();
    if (isLeft(content)) return;
    content.right.discard();
    learn(output.id, content.right);
  };
  const withinASecond = (work: Promise<unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(waitMs, resolve);
      work.then(() => resolve(), reject).finally(cancel);
    });
  return {
    learn,
    known: (outputId) => {
      const [size, etag] = [sizes.get(outputId), etags.get(outputId)];
      return { ...(size !== undefined && { size }), ...(etag !== undefined && { etag }) };
    },
    of: async (job) => {
      if (!isTerminal(job.state.phase)) return sizes;
      const unknown = outputsOfJob(job).filter(
        ({ id, sizeBytes }) => sizeBytes === undefined && !sizes.has(id),
      );
      const questions = unknown.slice(0, atMost).map((output) => {
        const question = asked.get(output.id) ?? ask(job, output);
        asked.set(output.id, question);
        trim(asked);
        return question;
      });
      if (questions.length > 0) await withinASecond(Promise.all(questions));
      return sizes;
    },
  };
};

const waitMs = 1000;

/** How many outputs of one job are asked for. */
const atMost = 32;

const trim = (map: Map<string, unknown>): void => {
  for (const oldest of map.keys()) {
    if (map.size <= 10_000) return;
    map.delete(oldest);
  }
};
