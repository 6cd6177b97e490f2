import { setTimeout as delay } from 'node:timers/promises';
import { type Emulator, type EmulatorOptions, textToImageWorkflow } from '../../src/emulator.js';
import type { ClientName } from './clients.js';
import type { Observed, Stage } from './observe.js';

/** One row of the comparison: what the service does, and how a client's run is put into words. */
export interface CompareRow {
  readonly what: string;
  readonly options?: EmulatorOptions;
  readonly workflow: object;
  /** What happens at the service while the client runs its job. */
  readonly meanwhile?: (stage: Stage) => Promise<void>;
  readonly word?: (observed: Observed, emulator: Emulator, client: ClientName) => string;
}

/** About two seconds of work. */
const slow = { 1: { class_type: 'SlowNode', inputs: { steps: 40 } } };
const instant = { 1: { class_type: 'PreviewText', inputs: { source: 'a text' } } };
const picture = textToImageWorkflow({ width: 64, height: 64, steps: 4 });
const sound = {
  1: { class_type: 'EmptyAudio', inputs: { duration: 0.1, sample_rate: 8000, channels: 1 } },
  2: { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'tone' } },
};

/** The end in a word; `rejected` is the word for a rejected run. */
export const endWord = ({ end }: Observed, rejected = 'fails'): string =>
  ({ resolved: 'completes', rejected, crashed: 'process crashes', hung: 'hangs' })[end];

const injecting =
  (...messages: readonly (string | Uint8Array)[]) =>
  async ({ accepted, emulator }: Stage): Promise<void> => {
    await accepted();
    await delay(300);
    for (const message of messages) emulator.inject(message);
  };

const foreignError = JSON.stringify({
  type: 'execution_error',
  data: {
    prompt_id: 'another-job',
    node_id: '1',
    node_type: 'KSampler',
    executed: [],
    exception_type: 'ValueError',
    exception_message: 'of somebody else',
    traceback: [],
    current_inputs: {},
    current_outputs: [],
    timestamp: 1,
  },
});

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await delay(10);
};

const attempts = (count: number): string => (count === 1 ? '1 attempt' : `${count} attempts`);

const handshakes = (emulator: Emulator): number =>
  emulator.requests.filter(({ url }) => url.startsWith('/ws')).length;

/** Every row, in the order of the table. */
export const rows: readonly CompareRow[] = [
  {
    what: 'an ordinary job',
    workflow: picture,
  },
  {
    what: "events before the submission's answer",
    options: {
      speed: Infinity,
      faults: [{ on: 'rest', route: 'POST /prompt', do: 'delay', ms: 700, phase: 'after' }],
    },
    workflow: instant,
  },
  {
    what: 'unknown and short binary frames',
    workflow: slow,
    meanwhile: injecting(Uint8Array.of(0, 0, 0, 99, 1, 2, 3, 4), Uint8Array.of(1, 2)),
  },
  { what: 'malformed JSON', workflow: slow, meanwhile: injecting('{"type": "progress", "da') },
  {
    what: 'socket dropped, job ends meanwhile',
    workflow: slow,
    meanwhile: async ({ accepted, emulator }) => {
      await accepted();
      await delay(300);
      emulator.refuseSockets(503);
      emulator.cutSockets();
      await delay(4_000);
      emulator.refuseSockets(undefined);
    },
  },
  { what: "error of another client's job", workflow: slow, meanwhile: injecting(foreignError) },
  {
    what: 'a job that fails',
    workflow: {
      1: { class_type: 'FailOnPurpose', inputs: { message: 'as ordered', exception_type: 'ValueError' } },
    },
    word: (observed) =>
      observed.end === 'rejected'
        ? observed.value.includes('as ordered')
          ? 'fails, with the reason'
          : 'fails, no reason'
        : endWord(observed),
  },
  {
    what: 'handshakes refused with 401, in 10 s',
    workflow: instant,
    meanwhile: async ({ emulator }) => {
      emulator.refuseSockets(401);
      await until(() => handshakes(emulator) > 0);
      await delay(10_000);
    },
    word: ({ end }, emulator) =>
      `${attempts(handshakes(emulator))}${end === 'crashed' ? ', process crashes' : ''}`,
  },
  {
    what: 'a sound file among the outputs',
    workflow: sound,
    word: (observed) =>
      observed.end === 'resolved'
        ? observed.value.includes('.wav')
          ? 'reported'
          : 'left out'
        : endWord(observed),
  },
  {
    what: 'previews of types 1 and 4',
    workflow: slow,
    meanwhile: async ({ accepted, emulator }) => {
      await accepted();
      await delay(300);
      emulator.inject(Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8, 0xff, 0xe0));
      const metadata = new TextEncoder().encode('{"node_id":"1","image_type":"image/png"}');
      const size = [0, 0, 0, metadata.length];
      emulator.inject(Uint8Array.of(0, 0, 0, 4, ...size, ...metadata, 0x89, 0x50, 0x4e, 0x47));
      await delay(500);
    },
    word: ({ previews, end }) =>
      end === 'crashed'
        ? 'process crashes'
        : previews.length === 2
          ? 'both'
          : previews.length === 1
            ? 'one'
            : 'none',
  },
  {
    what: 'a job of the hosted service, by key',
    options: { dialect: 'cloud' },
    workflow: instant,
    word: (observed) => endWord(observed, 'no'),
  },
];
