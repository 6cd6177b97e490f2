import type { JobState } from '../../../src/core/state/job-state.js';
import { PNG } from 'pngjs';
import type { Random } from '../../simulation/random.js';
import type { Trouble } from './troubles.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** Pictures that come over the socket alone, all of one colour; the record of a job keeps nothing of them. */
export interface SocketPictures {
  readonly count: number;
  readonly color: number;
}

/** The pictures that some jobs send over the socket; each job has a colour of its own. */
export const drawSocketPictures = (random: Random): SocketPictures | undefined =>
  random.chance(0.3) ? { count: random.between(1, 3), color: random.below(0x1000000) } : undefined;

/** Adds the branch that sends these pictures. */
export const withSocketPictures = (workflow: Workflow, pictures: SocketPictures | undefined): Workflow =>
  pictures === undefined
    ? workflow
    : {
        ...workflow,
        300: {
          class_type: 'EmptyImage',
          inputs: { width: 16, height: 16, batch_size: pictures.count, color: pictures.color },
        },
        [saver]: { class_type: 'SaveImageWebsocket', inputs: { images: ['300', 0] } },
      };

const saver = '301';

/** What is wrong with the pictures that the state of a completed job tells, beside those that are missing. */
export interface SocketVerdict {
  readonly missing: number;
  readonly wrong: readonly string[];
}

/** Compares the pictures in a state with those that the workflow of its job sends. */
export const judgeSocketPictures = (
  { socketImages = [] }: JobState,
  pictures: SocketPictures | undefined,
): SocketVerdict => {
  const { count = 0, color } = pictures ?? {};
  const places = new Set<string>();
  const wrong = socketImages.flatMap(({ nodeId, index, mediaType, bytes }) => {
    const place = `picture ${index} of node ${nodeId}`;
    const isTwice = places.has(place);
    places.add(place);
    if (isTwice) return [`${place} twice`];
    if (nodeId !== saver || index >= count) return [`${place}, which nothing sent`];
    return mediaType === 'image/png' && bytes !== undefined && colorOf(bytes) === color
      ? []
      : [`another ${place} than was sent`];
  });
  return { missing: Math.max(0, count - places.size), wrong };
};

const colorOf = (bytes: Uint8Array): number => PNG.sync.read(Buffer.from(bytes)).data.readUIntBE(0, 3);

/** Whether a socket may not have been there, or not have brought everything, while pictures came. */
export const mayMissPictures = (troubles: readonly Trouble[]): boolean =>
  losing.some((trouble) => troubles.includes(trouble));

const losing: readonly Trouble[] = [
  ...(['refuses sockets', 'cuts handshakes', 'cuts sockets', 'is deaf'] as const),
  // A socket without news of the queue can't be told from a deaf one, so a client opens another in its place.
  'swallows news of the queue',
];
