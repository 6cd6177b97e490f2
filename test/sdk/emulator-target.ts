import { randomInt } from 'node:crypto';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
  textToImageWorkflow,
} from '../../src/emulator/index.js';
import { ask } from './players.js';
import type { DisposableTarget, Graphs, Habits } from './target.js';

/** The emulator as a target, ten times faster than its default pace, with every power that scenarios know. */
export const emulatorTarget = async (habits: Habits = {}): Promise<DisposableTarget> => {
  const emulator = await startEmulator(optionsOf(habits));
  const { baseUrl, apiKey } = emulator;
  return {
    name: 'the emulator',
    baseUrl,
    apiKey: habits.anonymous === true ? undefined : apiKey,
    strangerKey: STRANGER,
    graphs: graphsOf(stepMsOf(habits)),
    jobs: () => jobsOf(emulator),
    openStreams: () => emulator.openStreams,
    fresh: emulatorTarget,
    loseNextAnswer: () => {
      emulator.answerOnce('POST', '/api/v2/jobs', { status: 201, afterCommit: true, cut: true });
    },
    engineDown: (when) => ({
      extraData: { emulate: when === 'at submission' ? { status: 500 } : { end: 'lost' } },
      bringBack: () => undefined,
    }),
    setCredits: (hasCredits) => emulator.setBilling(hasCredits ? 'active' : 'no credits'),
    inject: emulator.inject,
    cutStreams: emulator.cutSockets,
    revokeKey: async () => {
      emulator.setFaults([{ on: 'account', do: 'revoke' }]);
      await ask({ baseUrl, apiKey }, 'GET', '/jobs');
    },
    loseFile: (outputId) => {
      const body = { error: { code: 'output_unavailable', message: 'The engine has lost the file.' } };
      const headers = { 'content-type': 'application/json' };
      const answer = { status: 404, headers, body: JSON.stringify(body) };
      emulator.answerOnce('GET', `/api/v2/assets/${outputId}/content`, answer);
    },
    [Symbol.asyncDispose]: emulator.close,
  };
};

const STRANGER = 'comfyui-of-another-account';

/** Milliseconds that the emulator takes for a step of a node. */
const stepMsOf = ({ unhurried = false }: Habits): number => (unhurried ? 50 : 5);

const optionsOf = (habits: Habits): EmulatorOptions => {
  const {
    anonymous = false,
    mount = '',
    jobsAtOnce = 3,
    queueLimit = 100,
    notReadyMs = 0,
    streamLimit = 8,
    content = 'redirect',
    maxUploadBytes = 100 * 2 ** 20,
    lists = false,
  } = habits;
  return {
    dialect: 'v2',
    speed: 50 / stepMsOf(habits),
    acceptKeys: ['comfyui-of-the-first-account', STRANGER],
    concurrency: jobsAtOnce,
    switches: {
      anonymous,
      basePath: mount,
      queueLimit,
      notReadyMs,
      streamLimit,
      content,
      maxUploadBytes,
      jobList: lists,
      metadata: lists,
      // A tenth of it at the usual speed, as previews are dear; an hour is silence.
      progressIntervalMs: habits.unhurried === true ? 3_600_000 : 2_000,
    },
  };
};

const jobsOf = ({ ledger }: Emulator): ReturnType<DisposableTarget['jobs']> =>
  ledger.jobs.map(({ promptId, state, extraData }) => ({
    id: promptId,
    state: state === 'pending' ? 'waiting' : state === 'in_progress' ? 'running' : 'ended',
    extraData,
  }));

const seed = (): number => randomInt(2 ** 31 - 1);

const node = (classType: string, inputs: Readonly<Record<string, unknown>>) => ({
  class_type: classType,
  inputs,
});

const save = (from: string, prefix: string) =>
  node('SaveImage', { images: [from, 0], filename_prefix: prefix });

const pictureGraph = (steps = 4) => textToImageWorkflow({ width: 64, height: 64, steps, seed: seed() });

const graphsOf = (stepMs: number): Graphs => ({
  picture: (steps) => ({ ...pictureGraph(steps) }),
  lasting: (ms) => ({ slow: node('SlowNode', { steps: Math.ceil(ms / stepMs), anything: seed() }) }),
  failing: () => ({
    fail: node('FailOnPurpose', { exception_type: 'RuntimeError', message: `as asked for, ${seed()}` }),
  }),
  invalid: () => ({ bad: node('SlowNode', { steps: -1 }) }),
  loading: (image) => ({ load: node('LoadImage', { image }), save: save('load', `loaded-${seed()}`) }),
  twoPictures: () => ({ ...pictureGraph(), other: save('8', `other-${seed()}`) }),
});
