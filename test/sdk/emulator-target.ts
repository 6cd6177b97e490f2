import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { ask } from './players.js';
import { emulatorGraphs } from './emulator-graphs.js';
import type { BookedJob, DisposableTarget, Habits } from './target.js';

/** The emulator as a target, ten times faster than its default pace, with every power that scenarios know. */
export const emulatorTarget = async (habits: Habits = {}): Promise<DisposableTarget> => {
  const emulator = await startEmulator(optionsOf(habits));
  const { baseUrl, apiKey } = emulator;
  return {
    name: 'the emulator',
    baseUrl,
    apiKey: habits.anonymous === true ? undefined : apiKey,
    strangerKey: STRANGER,
    graphs: emulatorGraphs(stepMsOf(habits)),
    jobs: () => bookedJobs(emulator),
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
export const stepMsOf = ({ unhurried = false }: Habits): number => (unhurried ? 50 : 5);

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

/** The accepted jobs, by the service's ids. */
export const bookedJobs = ({ ledger }: Pick<Emulator, 'ledger'>): readonly BookedJob[] =>
  ledger.jobs.map(({ promptId, state, extraData }) => ({
    id: promptId,
    state: state === 'pending' ? 'waiting' : state === 'in_progress' ? 'running' : 'ended',
    extraData,
  }));
