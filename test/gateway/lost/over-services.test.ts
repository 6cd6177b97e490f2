import { type Client, createClient } from '../../../src/node.js';
import { createGateway, memoryJobIndex } from '../../../src/gateway.js';
import { describe, expect, it } from 'vitest';
import type { JobState } from '../../../src/core/state/job-state.js';
import { markerField } from '../../../src/core/lost/match-candidates.js';
import { startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import { toPromise } from '../../../src/core/interop/to-promise.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

const small = { width: 64, height: 64 };
const workflow = textToImageWorkflow({ ...small, prompt: 'a pier', steps: 4 });
const lake = textToImageWorkflow({ ...small, prompt: 'a lake', steps: 4 });
const harbour = textToImageWorkflow({ ...small, prompt: 'a harbour', steps: 5 });

/** The caller names an asset where the service got a text. */
const withReference = JSON.parse(
  JSON.stringify(harbour).replace('"a harbour"', '{"__type":"core/ASSET","info":{"id":"a"}}'),
) as Workflow;

const submit = async (client: Client, what: Workflow, extraData?: Readonly<Record<string, unknown>>) =>
  (await toPromise(client.rest.submit(what, { extraData }))).promptId;

describe('a gateway that stopped before the answer to a submission', () => {
  it.each(['cloud', 'v2'] as const)(
    'finds the job, or names those that it may be, over %s',
    async (dialect) => {
      await using emulator = await startEmulator({
        dialect,
        speed: Infinity,
        // API v2 itself lists no jobs.
        ...(dialect === 'v2' && { switches: { v1Routes: true } }),
      });
      await using client = createClient({ ...emulator, dialect });
      const createdAt = Date.now();
      const ids = new Map<string, string>();
      const index = memoryJobIndex();
      const lost = async (id: string, ofJob: Workflow, promptId?: string): Promise<void> => {
        const submissionId = crypto.randomUUID();
        ids.set(id, submissionId);
        await index.add({
          ...{ id, owner: 'ann', client: 'default', createdAt, expiresAt: createdAt + 60_000 },
          ...{ submissionId, workflow: ofJob, ...(promptId !== undefined && { promptId }) },
        });
      };
      await lost('alone', lake);
      await lost('doubtful', workflow);
      await lost('with-asset', withReference);
      await lost('known', workflow, await submit(client, workflow));
      await lost('marked', workflow);
      await lost('never-arrived', textToImageWorkflow({ ...small, prompt: 'a quay' }));
      const alone = await submit(client, lake);
      const withAsset = await submit(client, harbour);
      const [one, two] = [await submit(client, workflow), await submit(client, workflow)];
      // API v2 has no place for a marker.
      const marked =
        dialect === 'cloud'
          ? await submit(client, workflow, { [markerField]: ids.get('marked') })
          : undefined;

      await using gateway = createGateway({
        ...{ client, index, authorize: () => ({ name: 'ann' }) },
        lostAnswers: { deadlineMs: 0, lagMs: 0, lookEveryMs: 20 },
      });
      const ended = async (id: string): Promise<JobState> => {
        const get = (path: string) => gateway.fetch(new Request(`http://127.0.0.1${path}`));
        await (await get(`/jobs/${id}/events`)).text();
        return ((await (await get(`/jobs/${id}`)).json()) as { readonly state: JobState }).state;
      };
      const found = (state: JobState) => state.failure?.candidates ?? [];
      expect(await ended('alone')).toMatchObject({ phase: 'completed' });
      expect((await index.get('alone'))?.promptId).toBe(alone);
      expect(await ended('with-asset')).toMatchObject({ phase: 'completed' });
      expect((await index.get('with-asset'))?.promptId).toBe(withAsset);
      const doubtful = await ended('doubtful');
      expect(doubtful.phase).toBe('unknown');
      expect(new Set(found(doubtful))).toEqual(new Set([one, two]));
      expect(await ended('never-arrived')).toMatchObject({ phase: 'unknown', failure: { candidates: [] } });
      expect(await ended('marked')).toMatchObject({ phase: dialect === 'cloud' ? 'completed' : 'unknown' });
      expect((await index.get('marked'))?.promptId).toBe(marked);
      const document = await gateway.fetch(new Request('http://127.0.0.1/api/v2/jobs/doubtful'));
      expect(await document.json()).toMatchObject({
        status: 'failed',
        error: { code: 'submission_outcome_unknown', candidates: found(doubtful) },
      });
    },
  );
});
