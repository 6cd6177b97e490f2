import assert from 'node:assert/strict';
import { api } from './api.js';
import { finalStates, stateOf, submit } from './jobs.js';
import {
  endsJob,
  eventsOf,
  openSocket,
  type LiveSocket,
  type Message,
  type TextMessage,
} from './live-socket.js';
import type { Workflow } from './sample-workflows.js';
import type { Target } from './target.js';

/** One run, as two sockets of the account saw it from before its submission to after its end. */
interface Recording {
  readonly promptId: string;
  readonly workflow: Workflow;
  /** What the socket with the handshake got. */
  readonly messages: readonly Message[];
  /** What the socket without one got. */
  readonly plainMessages: readonly Message[];
}

/** The text-to-image run of this target; made once, then shared. */
export const pictureRun = (target: Target): Promise<Recording> =>
  shared(target, 'picture', () => record(target, target.workflows.everything()));

/** The second of two runs of one workflow, with none between them: what a service remembers of a run may end with the next one. */
export const repeatedRun = (target: Target): Promise<Recording> =>
  shared(target, 'repeated', async () => {
    const { workflow } = await record(target, target.workflows.everything());
    return record(target, workflow);
  });

/** A run that fails with this exception type. */
export const failedRun = (target: Target, exceptionType: string): Promise<Recording> =>
  shared(target, `failed ${exceptionType}`, () => record(target, target.workflows.failing(exceptionType)));

/** A run that is cancelled after it started. */
export const interruptedRun = (target: Target): Promise<Recording> =>
  shared(target, 'interrupted', () =>
    record(target, target.workflows.long(), async (promptId, socket) => {
      await socket.find('an event of the job', (message) => namesJob(message, promptId));
      await api(target, 'POST', '/api/queue', { body: { delete: [promptId] } });
    }),
  );

/** Runs a workflow while two sockets listen. */
export const record = async (
  target: Target,
  workflow: Workflow,
  meanwhile?: (promptId: string, socket: LiveSocket) => Promise<void>,
): Promise<Recording> => {
  await using socket = await openSocket(target, { flags: allFlags });
  await using plain = await openSocket(target);
  await socket.settle();
  await plain.settle();
  const promptId = await submit(target, workflow);
  await meanwhile?.(promptId, socket);
  await waitForLastMessage(target, promptId, socket);
  await plain.settle();
  return { promptId, workflow, messages: [...socket.messages], plainMessages: [...plain.messages] };
};

/** The events of a type that the text-to-image run has brought: at least one. */
export const eventsOfRun = async (
  target: Target,
  type: string,
): Promise<readonly [TextMessage, ...TextMessage[]]> => {
  const { promptId, messages } = await pictureRun(target);
  const [first, ...more] = eventsOf(messages, type, promptId);
  assert.ok(first !== undefined, `${type} comes`);
  return [first, ...more];
};

/** The types of a run's own events, in order. */
export const executionTypes = ({ promptId, messages }: Recording): readonly string[] =>
  messages
    .filter((message) => message.kind === 'text')
    .filter(({ type, data }) => /^(execut|progress)/.test(type) && data['prompt_id'] === promptId)
    .map(({ type }) => type);

/** Every flag that a client can announce. */
const allFlags = { supports_preview_metadata: true, supports_progress_text_metadata: true };

const runs = new WeakMap<Target, Map<string, Promise<Recording>>>();

const shared = (target: Target, name: string, make: () => Promise<Recording>): Promise<Recording> => {
  const known = runs.get(target) ?? new Map<string, Promise<Recording>>();
  runs.set(target, known);
  const run = known.get(name) ?? make();
  known.set(name, run);
  return run;
};

const namesJob = (message: Message, promptId: string): boolean =>
  message.kind === 'text' && message.type.startsWith('execut') && message.data['prompt_id'] === promptId;

/** Waits for the end as socket or REST tell it, whichever does, and then for what trails it. */
const waitForLastMessage = async (target: Target, promptId: string, socket: LiveSocket): Promise<void> => {
  const deadline = AbortSignal.timeout(target.patienceMs);
  while (!deadline.aborted) {
    await socket.settle();
    if (socket.messages.some((message) => endsJob(message, promptId))) break;
    const state = await stateOf(target, promptId).catch(() => undefined);
    if (state !== undefined && finalStates.includes(state)) break;
    await target.pause();
  }
  for (let round = 0; round < TRAILING_ROUNDS; round += 1) {
    await socket.settle();
    if (socket.messages.some((message) => isEndMark(message, promptId))) return;
    await target.pause();
  }
};

const TRAILING_ROUNDS = 20;

const isEndMark = (message: Message, promptId: string): boolean =>
  message.kind === 'text' &&
  message.type === 'executing' &&
  message.data['prompt_id'] === promptId &&
  (message.data['node'] ?? '') === '';
