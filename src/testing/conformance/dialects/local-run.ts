import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { api, expectStatus } from '../api.js';
import { emptyImage } from './empty-image.js';
import { filledText, isObject, list, object } from '../shape.js';
import { type Message, openSocket } from '../live-socket.js';
import { NotAllowed } from '../wire.js';
import type { Target } from '../target.js';

/** The one job that statements of a local server look at. */
export interface LocalRun {
  /** The id that the submission asked for. */
  readonly askedId: string;
  /** The id that it got. */
  readonly id: string;
  /** What the socket of its `client_id` brought, to its end. */
  readonly heard: readonly Message[];
  /** What another socket brought meanwhile. */
  readonly overheard: readonly Message[];
  readonly record: Readonly<Record<string, unknown>>;
}

const runs = new WeakMap<Target, Promise<LocalRun>>();

/** Runs the job, once for each target. */
export const localRun = (target: Target): Promise<LocalRun> => {
  const run = runs.get(target) ?? play(target);
  runs.set(target, run);
  return run;
};

const play = async (target: Target): Promise<LocalRun> => {
  const [clientId, askedId] = [randomUUID(), randomUUID()];
  await using own = await openSocket(target, { token: null, clientId });
  await using other = await openSocket(target, { token: null });
  const id = await submitted(target, { client_id: clientId, prompt_id: askedId });
  await own.find('the last event of the job', (message) => isLast(message, id));
  await other.settle();
  const record = await recordOfLocal(target, id);
  return { ...{ askedId, id, record }, heard: [...own.messages], overheard: [...other.messages] };
};

/** Submits the smallest job with these members of the body, and resolves with its id. */
export const submitted = async (
  target: Target,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const body = { prompt: emptyImage(), ...more };
  const answer = await expectStatus(200, target, 'POST', '/api/prompt', { body });
  return filledText(object(answer.json(), 'the answer')['prompt_id'], 'prompt_id');
};

/** Whether it is `executing` without a node, which ends the events of a job. */
export const isLast = (message: Message, id: string): boolean =>
  message.kind === 'text' &&
  message.type === 'executing' &&
  message.data['prompt_id'] === id &&
  message.data['node'] === null;

/** The record of a job, once it is there. */
export const recordOfLocal = async (
  target: Target,
  id: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const deadline = AbortSignal.timeout(target.patienceMs);
  for (;;) {
    const record = object((await api(target, 'GET', `/api/history/${id}`)).json(), 'the history')[id];
    if (isObject(record)) return record;
    assert.ok(!deadline.aborted, 'the job gets a record');
    await target.pause();
  }
};

/** The files that the job has saved. */
export const imagesOf = async (target: Target): Promise<readonly Record<string, unknown>[]> => {
  const { record } = await localRun(target);
  const saved = object(object(record['outputs'], 'outputs')['save'], 'the output of the node');
  return list(saved['images'], 'images').map((image) => object(image, 'an image'));
};

/** Whether the engine is of a release or a later one. */
export const isSince = async (target: Target, release: string): Promise<boolean> => {
  const stats = object((await expectStatus(200, target, 'GET', '/api/system_stats')).json(), 'the stats');
  const version = filledText(object(stats['system'], 'system')['comfyui_version'], 'comfyui_version');
  return version.localeCompare(release, 'en', { numeric: true }) >= 0;
};

/** Leaves out a statement on engines before a release. */
export const needsSince = async (target: Target, release: string): Promise<void> => {
  if (!(await isSince(target, release))) throw new NotAllowed(`the engine is older than release ${release}`);
};
